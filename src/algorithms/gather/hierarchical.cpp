// SPDX-License-Identifier: BSL-1.0
// gather/hierarchical: every rank's part climbs a tree of balanced contiguous groups of given arity.
//
// Shape    in: 1 block per rank; out: P blocks at the root. Any P >= 1, any root, any arity >= 2, any count, in
//          place at the root.
// Cost     T(P) rounds, T(1) = 0, T(n) = min(arity, n) - 1 + T(ceil(n / arity)) at most;
//          a leader hands on what its group has: (P-1) beta m at the root, m = bytes of one part.
// Order    nothing is combined. Scratch  staging for the parts of the largest group led by another than the root.
// Source   the group rule of HPX's hierarchical communicators, https://github.com/TheHPXProject/hpx/pull/7083, for
//          any root.
#include "algorithms/tree_phases.hpp"

namespace tutti::algorithms::gather {

using namespace schedules;

void hierarchical(builder& b, const shape& s, rank_id me) {
  gather_up(b, rank_tree(s.size, s.root, s.arity, splitting::balanced), me, buffer::staging);
}

}  // namespace tutti::algorithms::gather
