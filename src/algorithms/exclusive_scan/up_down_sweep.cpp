// SPDX-License-Identifier: BSL-1.0
// exclusive_scan/up_down_sweep: vectors move one rank to the right, then are scanned up and down a binary tree.
//
// Shape    in and out: 1 block. Any P >= 1, any count, in place. Rank 0 has no result: what it is with an initial
//          value, the caller knows.
// Cost     1 round more than the inclusive scan of P-1 ranks: about 2 log2 P.
// Order    rank order. Scratch  1 vector, and 1 of staging.
// Source   Brent, Kung, IEEE TC 31(3), 1982, doi:10.1109/TC.1982.1675982.
#include "algorithms/sweep.hpp"

namespace tutti::algorithms::exclusive_scan {

using namespace schedules;

void up_down_sweep(builder& b, const shape& s, rank_id me) {
  b.stage("shift");
  if (me + 1 < s.size) b.send(input(0), me + 1);
  if (me == 0) return;
  b.receive(staging(0), me - 1);
  sweep(b, staging(0), output(0), 1, s.size, me);
}

}  // namespace tutti::algorithms::exclusive_scan
