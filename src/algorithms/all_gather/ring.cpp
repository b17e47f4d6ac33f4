// SPDX-License-Identifier: BSL-1.0
// all_gather/ring: parts travel to the right, each rank passing on what came from the left.
//
// Shape    in: 1 block per rank; out: P blocks. Any P >= 1, any count, in place.
// Cost     P-1 rounds; each rank sends P-1 parts: (P-1)(alpha + beta m), m = bytes of one part.
// Order    nothing is combined. Scratch  none. Source  folklore.
#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms::all_gather {

using namespace schedules;

void ring(builder& b, const shape& s, rank_id me) {
  b.stage("own part");
  b.copy(input(me), output(me));
  for (rank_id step = 0; step + 1 < s.size; ++step) {
    b.stage("all-gather step", step);
    b.send(step == 0 ? input(me) : output(around(me, -step, s.size)), around(me, 1, s.size));
    b.receive(output(around(me, -step - 1, s.size)), around(me, -1, s.size));
  }
}

}  // namespace tutti::algorithms::all_gather
