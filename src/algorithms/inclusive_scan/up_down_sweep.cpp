// SPDX-License-Identifier: BSL-1.0
// inclusive_scan/up_down_sweep: partial results climb a binary tree, prefixes descend it.
//
// Shape    in and out: 1 block. Any P >= 1, any count, in place.
// Cost     about 2 log2 P rounds, but fewer than 2P messages in all; a rank sends up to log2 P vectors.
// Order    rank order. Scratch  1 vector.
// Source   Brent, Kung, "A regular layout for parallel adders", IEEE TC 31(3), 1982, doi:10.1109/TC.1982.1675982;
//          Blelloch, "Prefix sums and their applications", 1990.
#include "algorithms/sweep.hpp"

namespace tutti::algorithms::inclusive_scan {

using namespace schedules;

void up_down_sweep(builder& b, const shape& s, rank_id me) { sweep(b, input(0), output(0), 0, s.size, me); }

}  // namespace tutti::algorithms::inclusive_scan
