// SPDX-License-Identifier: BSL-1.0
// barrier/tree: arrivals climb a binomial tree to rank 0, the release descends it.
//
// Shape    1 block of no elements: a message says who has arrived. Any P >= 1.
// Cost     2 ceil(log2 P) rounds; 2(P-1) messages in all, the fewest of any barrier.
// Order    nothing is combined. Scratch  none.
// Source   Mellor-Crummey, Scott, "Algorithms for scalable synchronization on shared-memory multiprocessors",
//          TOCS 9(1), 1991, doi:10.1145/103727.103729, with a binomial tree.
#include "schedule/builder.hpp"

namespace tutti::algorithms::barrier {

using namespace schedules;

void tree(builder& b, const shape& s, rank_id me) {
  std::int64_t distance = 1;
  for (; distance < s.size && me % (2 * distance) == 0; distance *= 2) {
    if (me + distance >= s.size) continue;
    b.stage("arrive distance", distance);
    b.receive(output(0), static_cast<rank_id>(me + distance));
  }
  if (me != 0) {
    const auto parent = static_cast<rank_id>(me - distance);
    b.stage("arrive distance", distance);
    b.send(output(0), parent);
    b.stage("release distance", distance);
    b.receive(output(0), parent);
  }
  for (distance /= 2; distance >= 1; distance /= 2) {
    if (me + distance >= s.size) continue;
    b.stage("release distance", distance);
    b.send(output(0), static_cast<rank_id>(me + distance));
  }
}

}  // namespace tutti::algorithms::barrier
