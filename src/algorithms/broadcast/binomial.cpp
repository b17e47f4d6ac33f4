// SPDX-License-Identifier: BSL-1.0
// broadcast/binomial: the root's vector descends a binomial tree.
//
// Shape    1 block. Any P >= 1, any root, any count, in place at the root.
// Cost     L rounds, L = ceil(log2 P); the root sends up to L vectors: L(alpha + beta M).
// Order    nothing is combined. Scratch  none.
// Source   Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005, doi:10.1177/1094342005051521; here groups of ranks
//          keep their place, so that no block wraps around the last rank.
#include "algorithms/tree_phases.hpp"

namespace tutti::algorithms::broadcast {

using namespace schedules;

void binomial(builder& b, const shape& s, rank_id me) {
  const rank_tree tree(s.size, s.root, 2, splitting::aligned);
  broadcast_down(b, tree, me, input(0), output(0));
  if (me == s.root) b.copy(input(0), output(0));
}

}  // namespace tutti::algorithms::broadcast
