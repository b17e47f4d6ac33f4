// SPDX-License-Identifier: BSL-1.0
// reduce_scatter/sliced: everyone sends everyone its part, each folds the shares of its own in one pass.
//
// Shape    in: P blocks; out: 1 block per rank. Any P >= 1, any count, in place.
// Cost     P-1 rounds through one port; one hop where one store serves all readers. Each rank sends P-1 parts.
// Order    left fold. Scratch  P-1 parts. Source  folklore; each element is written once.
#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms::reduce_scatter {

using namespace schedules;

void sliced(builder& b, const shape& s, rank_id me) {
  b.stage("reduce-scatter");
  for (const rank_id peer : others(me, s.size)) b.send(input(peer), peer);
  std::vector<slice> operands(static_cast<std::size_t>(s.size));
  operands[static_cast<std::size_t>(me)] = input(me);
  for (rank_id steps = 1; steps < s.size; ++steps) {
    const rank_id source = around(me, -steps, s.size);
    const slice arriving = scratch(source < me ? source : source - 1, me);
    b.receive(arriving, source);
    operands[static_cast<std::size_t>(source)] = arriving;
  }
  b.reduce(output(me), operands);
}

}  // namespace tutti::algorithms::reduce_scatter
