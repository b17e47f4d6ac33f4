// SPDX-License-Identifier: BSL-1.0
// all_to_all/direct: everyone sends everyone its piece at once.
//
// Shape    in and out: P pieces of 1 block, from and for each rank. Any P >= 1, any count; not in place.
// Cost     P-1 rounds through one port; each rank sends P-1 pieces: (P-1)(alpha + beta m), m = bytes of one piece.
// Order    nothing is combined. Scratch  none. Source  folklore; the next peer of each rank is another one.
#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms::all_to_all {

using namespace schedules;

void direct(builder& b, const shape& s, rank_id me) {
  b.stage("exchange");
  for (const rank_id peer : others(me, s.size)) b.send(input(piece(me, peer, s.size)), peer);
  for (rank_id steps = 1; steps < s.size; ++steps) {
    const rank_id source = around(me, -steps, s.size);
    b.receive(output(piece(source, me, s.size)), source);
  }
  b.copy(input(piece(me, me, s.size)), output(piece(me, me, s.size)));
}

}  // namespace tutti::algorithms::all_to_all
