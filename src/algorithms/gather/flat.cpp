// SPDX-License-Identifier: BSL-1.0
// gather/flat: every rank sends its part to the root.
//
// Shape    in: 1 block per rank; out: P blocks at the root. Any P >= 1, any root, any count, in place at the root.
// Cost     P-1 rounds, all at the root, which receives P-1 parts.
// Order    nothing is combined. Scratch  none. Source  folklore.
#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms::gather {

using namespace schedules;

void flat(builder& b, const shape& s, rank_id me) {
  b.stage("gather");
  if (me != s.root) return b.send(input(me), s.root);
  for (const rank_id source : others(me, s.size)) b.receive(output(source), source);
  b.copy(input(me), output(me));
}

}  // namespace tutti::algorithms::gather
