// SPDX-License-Identifier: BSL-1.0
// inclusive_scan/recursive_doubling: at distance 1, 2, 4, .. a rank folds what the ranks before it hold.
//
// Shape    in and out: 1 block. Any P >= 1, any count, in place.
// Cost     L = ceil(log2 P) rounds; a rank sends up to L vectors: L(alpha + beta M).
// Order    rank order: after distance d a rank holds the 2d ranks up to itself. Scratch  1 vector.
// Source   Hillis, Steele, "Data parallel algorithms", CACM 29(12), 1986, doi:10.1145/7902.7903.
#include "schedule/builder.hpp"

namespace tutti::algorithms::inclusive_scan {

using namespace schedules;

void recursive_doubling(builder& b, const shape& s, rank_id me) {
  slice held = input(0);
  for (std::int64_t distance = 1; distance < s.size; distance *= 2) {
    b.stage("scan distance", distance);
    if (me + distance < s.size) b.send(held, static_cast<rank_id>(me + distance));
    if (me < distance) continue;
    b.receive(scratch(0, 0), static_cast<rank_id>(me - distance));
    b.reduce(output(0), {scratch(0, 0), held});
    held = output(0);
  }
  b.copy(held, output(0));  // only rank 0 still holds its input
}

}  // namespace tutti::algorithms::inclusive_scan
