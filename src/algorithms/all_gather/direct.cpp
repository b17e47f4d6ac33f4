// SPDX-License-Identifier: BSL-1.0
// all_gather/direct: everyone sends its part to everyone.
//
// Shape    in: 1 block per rank; out: P blocks. Any P >= 1, any count, in place.
// Cost     P-1 rounds through one port; one hop where one store serves all readers. Each rank sends P-1 parts.
// Order    nothing is combined. Scratch  none. Source  folklore.
#include "algorithms/exchange_phases.hpp"
#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms::all_gather {

using namespace schedules;

void direct(builder& b, const shape& s, rank_id me) {
  b.stage("exchange");
  b.copy(input(me), output(me));
  b.send(input(me), others(me, s.size));
  receive_parts(b, me, s.size);
}

}  // namespace tutti::algorithms::all_gather
