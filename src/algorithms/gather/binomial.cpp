// SPDX-License-Identifier: BSL-1.0
// gather/binomial: every rank's part climbs a binomial tree.
//
// Shape    in: 1 block per rank; out: P blocks at the root. Any P >= 1, any root, any count, in
//          place at the root.
// Cost     L rounds, L = ceil(log2 P);
//          a leader hands on what its group has: (P-1) beta m at the root, m = bytes of one part.
// Order    nothing is combined. Scratch  staging for the parts of the largest group led by another than the root.
// Source   Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005, doi:10.1177/1094342005051521; here groups of ranks
//          keep their place, so that no block wraps around the last rank.
#include "algorithms/tree_phases.hpp"

namespace tutti::algorithms::gather {

using namespace schedules;

void binomial(builder& b, const shape& s, rank_id me) {
  gather_up(b, rank_tree(s.size, s.root, 2, splitting::aligned), me, buffer::staging);
}

}  // namespace tutti::algorithms::gather
