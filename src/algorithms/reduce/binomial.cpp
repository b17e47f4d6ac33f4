// SPDX-License-Identifier: BSL-1.0
// reduce/binomial: partial results climb a binomial tree to the root.
//
// Shape    in: 1 block; out: 1 block at the root. Any P >= 1, any root, any count, in place at
//          the root.
// Cost     L rounds, L = ceil(log2 P);
//          every rank but the root sends 1 vector.
// Order    rank order for every root: the leader of a group folds what lies right of its own, then what lies left.
// Scratch  1 vector, and 1 of staging where another than the root folds.
// Source   Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005, doi:10.1177/1094342005051521; here groups of ranks
//          keep their place, so that no block wraps around the last rank.
#include "algorithms/tree_phases.hpp"

namespace tutti::algorithms::reduce {

using namespace schedules;

void binomial(builder& b, const shape& s, rank_id me) {
  reduce_up(b, rank_tree(s.size, s.root, 2, splitting::aligned), me, buffer::staging);
}

}  // namespace tutti::algorithms::reduce
