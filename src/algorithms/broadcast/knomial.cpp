// SPDX-License-Identifier: BSL-1.0
// broadcast/knomial: the root's vector descends a tree in which a group of k^i ranks splits into k.
//
// Shape    1 block. Any P >= 1, any root, any radix k = arity >= 2, any count, in place at the root.
// Cost     with k^(h-1) < P <= k^h: ceil(P / k^(h-1)) - 1 + (h-1)(k-1) rounds through one port; where one store serves
//          all readers, h hops.
// Order    nothing is combined. Scratch  none.
// Source   k-nomial trees as in MPICH and UCC; here groups of ranks keep their place.
#include "algorithms/tree_phases.hpp"

namespace tutti::algorithms::broadcast {

using namespace schedules;

void knomial(builder& b, const shape& s, rank_id me) {
  const rank_tree tree(s.size, s.root, s.arity, splitting::aligned);
  broadcast_down(b, tree, me, input(0), output(0));
  if (me == s.root) b.copy(input(0), output(0));
}

}  // namespace tutti::algorithms::broadcast
