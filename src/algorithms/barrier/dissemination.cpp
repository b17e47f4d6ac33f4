// SPDX-License-Identifier: BSL-1.0
// barrier/dissemination: in each round everyone tells the rank at distance 1, 2, 4, .. whom it knows to be here.
//
// Shape    1 block of no elements: a message says who has arrived. Any P >= 1.
// Cost     ceil(log2 P) rounds; each rank sends one message in each.
// Order    nothing is combined. Scratch  none.
// Source   Hensgen, Finkel, Manber, "Two algorithms for barrier synchronization", IJPP 17(1), 1988,
//          doi:10.1007/BF01379320.
#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms::barrier {

using namespace schedules;

void dissemination(builder& b, const shape& s, rank_id me) {
  for (std::int64_t distance = 1; distance < s.size; distance *= 2) {
    b.stage("exchange distance", distance);
    b.send(output(0), around(me, distance, s.size));
    b.receive(output(0), around(me, -distance, s.size));
  }
}

}  // namespace tutti::algorithms::barrier
