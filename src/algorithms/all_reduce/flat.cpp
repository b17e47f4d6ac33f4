// SPDX-License-Identifier: BSL-1.0
// all_reduce/flat: all ranks send to rank 0, which folds them one by one in rank order and sends the result back.
//
// Shape    in and out: 1 block. Any P >= 1, any count, in place.
// Cost     2(P-1) rounds; rank 0 sends and receives P-1 vectors: 2(P-1)(alpha + beta M).
// Order    left fold. Scratch  1 vector on rank 0.
// Source   the serial root, folklore; the shape of a centralized communicator.
#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms::all_reduce {

using namespace schedules;

void flat(builder& b, const shape& s, rank_id me) {
  constexpr rank_id root = 0;
  if (me != root) {
    b.stage("reduce");
    b.send(input(0), root);
    b.stage("broadcast");
    b.receive(output(0), root);
    return;
  }
  slice folded = input(0);
  b.stage("reduce");
  for (rank_id source = 1; source < s.size; ++source) {
    b.receive(scratch(0, 0), source);
    b.reduce(output(0), {folded, scratch(0, 0)});
    folded = output(0);
  }
  b.stage("broadcast");
  b.copy(folded, output(0));  // only a rank alone still holds its input
  b.send(output(0), others(root, s.size));
}

}  // namespace tutti::algorithms::all_reduce
