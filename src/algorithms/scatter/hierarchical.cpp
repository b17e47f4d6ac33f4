// SPDX-License-Identifier: BSL-1.0
// scatter/hierarchical: the root's parts descend a tree of balanced contiguous groups of given arity.
//
// Shape    in: P blocks at the root; out: 1 block per rank. Any P >= 1, any root, any arity >= 2, any count, in
//          place at the root.
// Cost     T(P) rounds, T(1) = 0, T(n) = min(arity, n) - 1 + T(ceil(n / arity)) at most;
//          a leader gets what its group needs: (P-1) beta m at the root, m = bytes of one part.
// Order    nothing is combined. Scratch  staging for the parts of the largest group led by another than the root.
// Source   the group rule of HPX's hierarchical communicators, https://github.com/TheHPXProject/hpx/pull/7083, for
//          any root.
#include "algorithms/tree_phases.hpp"

namespace tutti::algorithms::scatter {

using namespace schedules;

void hierarchical(builder& b, const shape& s, rank_id me) {
  scatter_down(b, rank_tree(s.size, s.root, s.arity, splitting::balanced), me);
}

}  // namespace tutti::algorithms::scatter
