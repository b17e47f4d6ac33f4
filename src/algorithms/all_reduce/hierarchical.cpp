// SPDX-License-Identifier: BSL-1.0
// all_reduce/hierarchical: up and down a tree of balanced contiguous groups of given arity.
//
// A node of n ranks splits into min(arity, n) contiguous groups, the first n % arity one larger, and each group
// splits again until it is one rank. The leftmost rank of a group represents it: it folds the values of the
// node's other groups in order, and sends the result back to them.
//
// Shape    in and out: 1 block. Any P >= 1, any arity >= 2 (arity >= P is the flat shape), any count, in place.
// Cost     2T(P) rounds, T(1) = 0, T(n) = min(arity, n) - 1 + T(ceil(n / arity)); rank 0 receives and sends T(P).
// Order    rank order. Scratch  1 vector.
// Source   the group rule of HPX's hierarchical communicators, https://github.com/TheHPXProject/hpx/pull/7083.
#include "algorithms/tree_phases.hpp"

namespace tutti::algorithms::all_reduce {

using namespace schedules;

void hierarchical(builder& b, const shape& s, rank_id me) {
  const rank_tree tree(s.size, 0, s.arity, splitting::balanced);
  reduce_up(b, tree, me, buffer::output);
  broadcast_down(b, tree, me, output(0), output(0));
}

}  // namespace tutti::algorithms::all_reduce
