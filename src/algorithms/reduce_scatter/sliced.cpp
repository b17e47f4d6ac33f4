// SPDX-License-Identifier: BSL-1.0
// reduce_scatter/sliced: everyone sends everyone its part, each folds the shares of its own in one pass.
//
// Shape    in: P blocks; out: 1 block per rank. Any P >= 1, any count, in place.
// Cost     P-1 rounds through one port; one hop where one store serves all readers. Each rank sends P-1 parts.
// Order    left fold. Scratch  P-1 parts. Source  folklore; each element is written once.
#include "algorithms/exchange_phases.hpp"
#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms::reduce_scatter {

using namespace schedules;

void sliced(builder& b, const shape& s, rank_id me) {
  b.stage("reduce-scatter");
  for (const rank_id peer : others(me, s.size)) b.send(input(peer), peer);
  fold_shares(b, me, me, s.size);
}

}  // namespace tutti::algorithms::reduce_scatter
