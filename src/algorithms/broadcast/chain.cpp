// SPDX-License-Identifier: BSL-1.0
// broadcast/chain: each rank hands the vector to its right neighbor.
//
// Shape    1 block. Any P >= 1, any root, any count, in place at the root. Segments of the vector, which the engine
//          makes, follow each other down the chain.
// Cost     P-1 rounds; each rank sends 1 vector: (P-1)(alpha + beta M) for a vector in one segment,
//          (P-1+S-1)(alpha + beta M/S) in S segments.
// Order    nothing is combined. Scratch  none. Source  folklore.
#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms::broadcast {

using namespace schedules;

void chain(builder& b, const shape& s, rank_id me) {
  b.stage("broadcast");
  const rank_id right = around(me, 1, s.size);
  if (me != s.root) b.receive(output(0), around(me, -1, s.size));
  if (right != s.root) b.send(me == s.root ? input(0) : output(0), right);
  if (me == s.root) b.copy(input(0), output(0));
}

}  // namespace tutti::algorithms::broadcast
