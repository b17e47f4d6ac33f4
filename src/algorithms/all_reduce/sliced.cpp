// SPDX-License-Identifier: BSL-1.0
// all_reduce/sliced: rank r folds block r of all ranks in one pass and sends the result to everyone.
//
// Shape    in and out: P blocks. Any P >= 1, any count, in place.
// Cost     2(P-1) rounds through one port, two hops where one store serves all readers; each rank sends
//          2(P-1)/P vectors: 2(P-1)(alpha + beta M/P).
// Order    left fold. Scratch  P-1 blocks.
// Source   folklore: pairwise reduce-scatter, then all-gather; each element is written once.
#include <vector>

#include "algorithms/exchange_phases.hpp"
#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms::all_reduce {

using namespace schedules;

void sliced(builder& b, const shape& s, rank_id me) {
  const std::vector<rank_id> peers = others(me, s.size);
  b.stage("reduce-scatter");
  for (const rank_id peer : peers) b.send(input(peer), peer);
  fold_shares(b, me, me, s.size);
  b.stage("all-gather");
  b.send(output(me), peers);
  receive_parts(b, me, s.size);
}

}  // namespace tutti::algorithms::all_reduce
