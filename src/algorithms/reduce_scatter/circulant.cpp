// SPDX-License-Identifier: BSL-1.0
// reduce_scatter/circulant: reduce-scatter over a circulant graph with halving skips.
//
// Number the blocks from one's own: place i of rank r is block r + i (mod P). In each round the upper half of the
// places goes to the rank for which they are the lower ones, so that in the end only place 0, complete, is left.
//
// Shape    in: P blocks; out: 1 block per rank. Any P >= 1, any count, in place.
// Cost     L = ceil(log2 P) rounds for any P; each rank sends P-1 parts: L alpha + (P-1) beta m. A message that wraps
//          around the last part has two slices.
// Order    any. Scratch  floor(P/2) parts, and staging for the places that are not complete.
// Source   Traeff, "Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms", 2024, arXiv:2410.14234.
#include <array>

#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms::reduce_scatter {

using namespace schedules;

void circulant(builder& b, const shape& s, rank_id me) {
  if (s.size == 1) return b.copy(input(me), output(me));
  for (const rank_id length : halvings(s.size)) {
    const rank_id skip = divide_up(length, 2);
    const buffer held = length == s.size ? buffer::input : buffer::staging;
    const rank_id to = around(me, skip, s.size);
    b.stage("reduce-scatter skip", skip);
    b.send(around_the_end(held, to, length - skip, s.size), to);
    std::array<slice, 2> mine = around_the_end(held, me, length - skip, s.size);
    std::array<slice, 2> arriving = mine;
    for (slice& part : arriving) part.where = buffer::scratch;
    arriving[0].at = 0;
    arriving[1].at = arriving[0].count;
    b.receive(arriving, around(me, -skip, s.size));
    for (std::size_t i = 0; i < mine.size(); ++i) {
      slice total = mine[i];
      total.where = length == 2 ? buffer::output : buffer::staging;
      b.reduce(total, {mine[i], arriving[i]});
    }
    // Of an odd number the middle place was neither sent nor combined; later rounds read all from staging.
    const rank_id middle = around(me, skip - 1, s.size);
    if (held == buffer::input && length % 2 != 0) b.copy(input(middle), staging(middle));
  }
}

}  // namespace tutti::algorithms::reduce_scatter
