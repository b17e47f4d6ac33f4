// SPDX-License-Identifier: BSL-1.0
// inclusive_scan/hierarchical: sums of groups climb a tree of given arity, what lies before each group descends.
//
// Shape    in and out: 1 block. Any P >= 1, any count, in place.
//          Any arity >= 2.
// Cost     about twice the rounds of the tree; every rank but the first gets its prefix in one vector.
// Order    rank order.
// Scratch  1 vector for each group that a rank folds, and 2.
// Source   the group rule of HPX's hierarchical communicators, https://github.com/TheHPXProject/hpx/pull/7083; sums
//          climb instead of all values, so that no rank holds more than its part of the tree.
#include "algorithms/tree_phases.hpp"

namespace tutti::algorithms::inclusive_scan {

using namespace schedules;

void hierarchical(builder& b, const shape& s, rank_id me) {
  const slice prefix = scan_groups(b, rank_tree(s.size, 0, s.arity, splitting::balanced), me);
  if (me == 0) return b.copy(input(0), output(0));
  b.stage("combine");
  b.reduce(output(0), {prefix, input(0)});
}

}  // namespace tutti::algorithms::inclusive_scan
