// SPDX-License-Identifier: BSL-1.0
// broadcast/flat: the root sends its vector to everyone.
//
// Shape    1 block. Any P >= 1, any root, any count, in place at the root.
// Cost     P-1 rounds through one port; one hop where one store serves all readers. The root sends P-1 vectors.
// Order    nothing is combined. Scratch  none. Source  folklore.
#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms::broadcast {

using namespace schedules;

void flat(builder& b, const shape& s, rank_id me) {
  b.stage("broadcast");
  if (me != s.root) return b.receive(output(0), s.root);
  b.send(input(0), others(s.root, s.size));
  b.copy(input(0), output(0));
}

}  // namespace tutti::algorithms::broadcast
