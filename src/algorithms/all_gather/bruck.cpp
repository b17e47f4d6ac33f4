// SPDX-License-Identifier: BSL-1.0
// all_gather/bruck: a rank holds parts from its own on around the circle; at distance 1, 2, 4, .. it doubles them.
//
// Shape    in: 1 block per rank; out: P blocks. Any P >= 1, any count, in place.
// Cost     L = ceil(log2 P) rounds for any P; each rank sends P-1 parts: L alpha + (P-1) beta m. A message that wraps
//          around the last part has two slices.
// Order    nothing is combined. Scratch  none: parts lie in place, so nothing is rotated at the end.
// Source   Bruck, Ho, Kipnis, Upfal, Weathersby, IEEE TPDS 8(11), 1997, doi:10.1109/71.642949.
#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms::all_gather {

using namespace schedules;

void bruck(builder& b, const shape& s, rank_id me) {
  b.stage("own part");
  b.copy(input(me), output(me));
  for (rank_id held = 1; held < s.size;) {
    const rank_id more = std::min(held, s.size - held);
    const rank_id to = around(me, -held, s.size);
    const rank_id from = around(me, held, s.size);
    b.stage("all-gather distance", held);
    b.send(around_the_end(buffer::output, me, more, s.size), to);
    b.receive(around_the_end(buffer::output, from, more, s.size), from);
    held += more;
  }
}

}  // namespace tutti::algorithms::all_gather
