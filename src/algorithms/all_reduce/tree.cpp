// SPDX-License-Identifier: BSL-1.0
// all_reduce/tree: partial results climb a binomial tree to rank 0, the result descends the same tree.
//
// Shape    in and out: 1 block. Any P >= 1, any count, in place.
// Cost     2L rounds, L = ceil(log2 P); rank 0 receives and sends L vectors: 2L(alpha + beta M).
// Order    rank order: at distance d a rank holds d consecutive ranks and appends the next d. Scratch  1 vector.
// Source   binomial tree: Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication Operations in
//          MPICH", IJHPCA 19(1), 2005, doi:10.1177/1094342005051521.
#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms::all_reduce {

using namespace schedules;

void tree(builder& b, const shape& s, rank_id me) {
  slice held = input(0);
  std::int64_t distance = 1;
  for (; distance < s.size && me % (2 * distance) == 0; distance *= 2) {
    if (me + distance >= s.size) continue;
    b.stage("reduce distance", distance);
    b.receive(scratch(0, 0), static_cast<rank_id>(me + distance));
    b.reduce(output(0), {held, scratch(0, 0)});
    held = output(0);
  }
  if (me != 0) {
    const auto parent = static_cast<rank_id>(me - distance);
    b.stage("reduce distance", distance);
    b.send(held, parent);
    b.stage("broadcast distance", distance);
    b.receive(output(0), parent);
    held = output(0);
  }
  b.copy(held, output(0));  // only a rank alone still holds its input
  for (distance /= 2; distance >= 1; distance /= 2) {
    if (me + distance >= s.size) continue;
    b.stage("broadcast distance", distance);
    b.send(output(0), static_cast<rank_id>(me + distance));
  }
}

}  // namespace tutti::algorithms::all_reduce
