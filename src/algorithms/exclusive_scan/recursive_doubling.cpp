// SPDX-License-Identifier: BSL-1.0
// exclusive_scan/recursive_doubling: at distance 1, 2, 4, .. a rank folds what the ranks before it hold, with and
// without its own.
//
// Shape    in and out: 1 block. Any P >= 1, any count, in place. Rank 0 has no result: what it is with an initial
//          value, the caller knows.
// Cost     L = ceil(log2 P) rounds; a rank sends up to L vectors: L(alpha + beta M).
// Order    rank order. Scratch  1 vector, and 1 of staging.
// Source   Hillis, Steele, CACM 29(12), 1986, doi:10.1145/7902.7903.
#include "schedule/builder.hpp"

namespace tutti::algorithms::exclusive_scan {

using namespace schedules;

void recursive_doubling(builder& b, const shape& s, rank_id me) {
  slice held = input(0);
  bool has_prefix = false;
  for (std::int64_t distance = 1; distance < s.size; distance *= 2) {
    b.stage("scan distance", distance);
    if (me + distance < s.size) b.send(held, static_cast<rank_id>(me + distance));
    if (me < distance) continue;
    b.receive(scratch(0, 0), static_cast<rank_id>(me - distance));
    if (me + 2 * distance < s.size) {  // it is sent once more
      b.reduce(staging(0), {scratch(0, 0), held});
      held = staging(0);
    }
    if (has_prefix) {
      b.reduce(output(0), {scratch(0, 0), output(0)});
    } else {
      b.copy(scratch(0, 0), output(0));
    }
    has_prefix = true;
  }
}

}  // namespace tutti::algorithms::exclusive_scan
