// SPDX-License-Identifier: BSL-1.0
// reduce_scatter/pairwise: at distance 1, 2, 3, .. a rank sends the part of one and folds the share that comes from
// another.
//
// Shape    in: P blocks; out: 1 block per rank. Any P >= 1, any count, in place.
// Cost     P-1 rounds; each rank sends P-1 parts: (P-1)(alpha + beta m), m = bytes of one part.
// Order    any: part i is folded in the order i, i-1, i-2, .. of ranks. Scratch  2 parts.
// Source   folklore; Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005, doi:10.1177/1094342005051521.
#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms::reduce_scatter {

using namespace schedules;

void pairwise(builder& b, const shape& s, rank_id me) {
  if (s.size == 1) return b.copy(input(me), output(me));
  slice held = input(me);
  for (rank_id distance = 1; distance < s.size; ++distance) {
    const rank_id to = around(me, distance, s.size);
    const slice room = scratch(distance % 2, me);
    b.stage("exchange distance", distance);
    b.send(input(to), to);
    b.receive(room, around(me, -distance, s.size));
    b.reduce(output(me), {held, room});
    held = output(me);
  }
}

}  // namespace tutti::algorithms::reduce_scatter
