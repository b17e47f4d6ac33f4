// SPDX-License-Identifier: BSL-1.0
// reduce/hierarchical: partial results climb a tree of balanced contiguous groups of given arity to the root.
//
// Shape    in: 1 block; out: 1 block at the root. Any P >= 1, any root, any arity >= 2, any count, in place at
//          the root.
// Cost     T(P) rounds, T(1) = 0, T(n) = min(arity, n) - 1 + T(ceil(n / arity)) at most;
//          every rank but the root sends 1 vector.
// Order    rank order for every root: the leader of a group folds what lies right of its own, then what lies left.
// Scratch  1 vector, and 1 of staging where another than the root folds.
// Source   the group rule of HPX's hierarchical communicators, https://github.com/TheHPXProject/hpx/pull/7083, for
//          any root.
#include "algorithms/tree_phases.hpp"

namespace tutti::algorithms::reduce {

using namespace schedules;

void hierarchical(builder& b, const shape& s, rank_id me) {
  reduce_up(b, rank_tree(s.size, s.root, s.arity, splitting::balanced), me, buffer::staging);
}

}  // namespace tutti::algorithms::reduce
