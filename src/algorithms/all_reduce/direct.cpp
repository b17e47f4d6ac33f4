// SPDX-License-Identifier: BSL-1.0
// all_reduce/direct: everyone sends its vector to everyone and folds all P of them itself.
//
// Shape    in and out: 1 block. Any P >= 1, any count, in place.
// Cost     P-1 rounds through one port; one hop where one store serves all readers. Each rank sends P-1 vectors.
// Order    left fold. Scratch  P-1 vectors.
// Source   folklore; on shared memory the latency floor of one hop.
#include "algorithms/exchange_phases.hpp"
#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms::all_reduce {

using namespace schedules;

void direct(builder& b, const shape& s, rank_id me) {
  b.stage("exchange");
  b.send(input(0), others(me, s.size));
  fold_shares(b, 0, me, s.size);
}

}  // namespace tutti::algorithms::all_reduce
