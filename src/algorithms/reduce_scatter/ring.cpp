// SPDX-License-Identifier: BSL-1.0
// reduce_scatter/ring: blocks travel to the right and gather every rank's share, each ending at its own rank.
//
// Shape    in: P blocks; out: 1 block per rank. Any P >= 1, any count, in place.
// Cost     P-1 rounds; each rank sends P-1 parts: (P-1)(alpha + beta m), m = bytes of one part.
// Order    any: part i is folded in the order i+1, i+2, .., i of ranks. Scratch  2 parts.
// Source   Patarasuk, Yuan, JPDC 69(2), 2009, doi:10.1016/j.jpdc.2008.09.002: the first phase.
#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms::reduce_scatter {

using namespace schedules;

void ring(builder& b, const shape& s, rank_id me) {
  if (s.size == 1) return b.copy(input(me), output(me));
  slice held = input(around(me, -1, s.size));
  for (rank_id step = 0; step + 1 < s.size; ++step) {
    const rank_id arriving = around(me, -step - 2, s.size);
    const slice room = scratch(step % 2, arriving);
    b.stage("reduce-scatter step", step);
    b.send(held, around(me, 1, s.size));
    b.receive(room, around(me, -1, s.size));
    b.reduce(arriving == me ? output(me) : room, {room, input(arriving)});
    held = room;
  }
}

}  // namespace tutti::algorithms::reduce_scatter
