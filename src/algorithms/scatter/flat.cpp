// SPDX-License-Identifier: BSL-1.0
// scatter/flat: the root sends every rank its part.
//
// Shape    in: P blocks at the root; out: 1 block per rank. Any P >= 1, any root, any count, in place at the root.
// Cost     P-1 rounds, all at the root, which sends P-1 parts.
// Order    nothing is combined. Scratch  none. Source  folklore.
#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms::scatter {

using namespace schedules;

void flat(builder& b, const shape& s, rank_id me) {
  b.stage("scatter");
  if (me != s.root) return b.receive(output(me), s.root);
  for (const rank_id target : others(me, s.size)) b.send(input(target), target);
  b.copy(input(me), output(me));
}

}  // namespace tutti::algorithms::scatter
