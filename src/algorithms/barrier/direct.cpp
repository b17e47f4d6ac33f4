// SPDX-License-Identifier: BSL-1.0
// barrier/direct: everyone tells everyone.
//
// Shape    1 block of no elements: a message says who has arrived. Any P >= 1.
// Cost     P-1 rounds through one port; one hop where one store serves all readers.
// Order    nothing is combined. Scratch  none. Source  folklore.
#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms::barrier {

using namespace schedules;

void direct(builder& b, const shape& s, rank_id me) {
  b.stage("exchange");
  b.send(output(0), others(me, s.size));
  for (rank_id steps = 1; steps < s.size; ++steps) b.receive(output(0), around(me, -steps, s.size));
}

}  // namespace tutti::algorithms::barrier
