// SPDX-License-Identifier: BSL-1.0
// broadcast/hierarchical: down a tree of balanced contiguous groups of given arity.
//
// Shape    1 block. Any P >= 1, any root, any arity >= 2 (arity >= P is the flat shape), any count, in place at the
//          root.
// Cost     T(P) rounds, T(1) = 0, T(n) = min(arity, n) - 1 + T(ceil(n / arity)) at most.
// Order    nothing is combined. Scratch  none.
// Source   the group rule of HPX's hierarchical communicators, https://github.com/TheHPXProject/hpx/pull/7083, for
//          any root.
#include "algorithms/tree_phases.hpp"

namespace tutti::algorithms::broadcast {

using namespace schedules;

void hierarchical(builder& b, const shape& s, rank_id me) {
  const rank_tree tree(s.size, s.root, s.arity, splitting::balanced);
  broadcast_down(b, tree, me, input(0), output(0));
  if (me == s.root) b.copy(input(0), output(0));
}

}  // namespace tutti::algorithms::broadcast
