// SPDX-License-Identifier: BSL-1.0
// reduce/flat: all ranks send to the root, which folds them one by one in rank order.
//
// Shape    in: 1 block; out: 1 block at the root. Any P >= 1, any root, any count, in place at the root.
// Cost     P-1 rounds, all at the root, which receives P-1 vectors.
// Order    left fold. Scratch  1 vector at the root, 2 if its own is neither the first nor the second.
// Source   the serial root, folklore; the shape of a centralized communicator.
#include "schedule/builder.hpp"

namespace tutti::algorithms::reduce {

using namespace schedules;

void flat(builder& b, const shape& s, rank_id me) {
  b.stage("reduce");
  if (me != s.root) return b.send(input(0), s.root);
  // In place the output is the root's own input, so nothing goes there before that is folded.
  slice folded = me == 0 ? input(0) : scratch(0, 0);
  if (me != 0) b.receive(folded, 0);
  for (rank_id source = 1; source < s.size; ++source) {
    slice next = input(0);
    if (source != me) {
      next = scratch(folded == scratch(0, 0) ? 1 : 0, 0);
      b.receive(next, source);
    }
    const slice total = source < me ? scratch(0, 0) : output(0);
    b.reduce(total, {folded, next});
    folded = total;
  }
  b.copy(folded, output(0));  // only a rank alone still holds its input
}

}  // namespace tutti::algorithms::reduce
