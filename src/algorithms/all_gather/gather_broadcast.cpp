// SPDX-License-Identifier: BSL-1.0
// all_gather/gather_broadcast: all parts climb a binomial tree to rank 0, the whole descends it.
//
// Shape    in: 1 block per rank; out: P blocks. Any P >= 1, any count, in place.
// Cost     twice the rounds of the tree; whole results descend, so that a rank with f followers sends f P parts.
// Order    nothing is combined. Scratch  none: parts wait in the output.
// Source   folklore: gather, then broadcast.
#include "algorithms/tree_phases.hpp"

namespace tutti::algorithms::all_gather {

using namespace schedules;

void gather_broadcast(builder& b, const shape& s, rank_id me) {
  const rank_tree tree(s.size, 0, 2, splitting::aligned);
  gather_up(b, tree, me, buffer::output);
  broadcast_down(b, tree, me, output(0, s.size), output(0, s.size));
}

}  // namespace tutti::algorithms::all_gather
