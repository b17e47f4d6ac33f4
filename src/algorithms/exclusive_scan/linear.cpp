// SPDX-License-Identifier: BSL-1.0
// exclusive_scan/linear: each rank passes on what its left neighbor has and its own.
//
// Shape    in and out: 1 block. Any P >= 1, any count, in place. Rank 0 has no result: what it is with an initial
//          value, the caller knows.
// Cost     P-1 rounds; each rank sends 1 vector: (P-1)(alpha + beta M). Segments, which the engine makes, pipeline it.
// Order    left fold. Scratch  1 vector, and 1 of staging. Source  folklore.
#include "schedule/builder.hpp"

namespace tutti::algorithms::exclusive_scan {

using namespace schedules;

void linear(builder& b, const shape& s, rank_id me) {
  b.stage("scan");
  if (me == 0) {
    if (s.size > 1) b.send(input(0), 1);
    return;
  }
  if (me + 1 == s.size) return b.receive(output(0), me - 1);
  // In place the output is the input, which the next rank still needs.
  b.receive(scratch(0, 0), me - 1);
  b.reduce(staging(0), {scratch(0, 0), input(0)});
  b.send(staging(0), me + 1);
  b.copy(scratch(0, 0), output(0));
}

}  // namespace tutti::algorithms::exclusive_scan
