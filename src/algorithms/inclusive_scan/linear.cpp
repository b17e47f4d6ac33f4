// SPDX-License-Identifier: BSL-1.0
// inclusive_scan/linear: each rank adds its own to what its left neighbor has and passes it on.
//
// Shape    in and out: 1 block. Any P >= 1, any count, in place.
// Cost     P-1 rounds; each rank sends 1 vector: (P-1)(alpha + beta M). Segments, which the engine makes, pipeline it.
// Order    left fold. Scratch  1 vector. Source  folklore.
#include "schedule/builder.hpp"

namespace tutti::algorithms::inclusive_scan {

using namespace schedules;

void linear(builder& b, const shape& s, rank_id me) {
  b.stage("scan");
  if (me == 0) {
    if (s.size > 1) b.send(input(0), 1);
    return b.copy(input(0), output(0));
  }
  b.receive(scratch(0, 0), me - 1);
  b.reduce(output(0), {scratch(0, 0), input(0)});
  if (me + 1 < s.size) b.send(output(0), me + 1);
}

}  // namespace tutti::algorithms::inclusive_scan
