// SPDX-License-Identifier: BSL-1.0
// barrier/flat: everyone reports to rank 0, which releases everyone.
//
// Shape    1 block of no elements: a message says who has arrived. Any P >= 1.
// Cost     2(P-1) rounds, all at rank 0.
// Order    nothing is combined. Scratch  none. Source  folklore.
#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms::barrier {

using namespace schedules;

void flat(builder& b, const shape& s, rank_id me) {
  constexpr rank_id root = 0;
  b.stage("arrive");
  if (me != root) {
    b.send(output(0), root);
  } else {
    for (rank_id source = 1; source < s.size; ++source) b.receive(output(0), source);
  }
  b.stage("release");
  if (me != root) {
    b.receive(output(0), root);
  } else {
    b.send(output(0), others(root, s.size));
  }
}

}  // namespace tutti::algorithms::barrier
