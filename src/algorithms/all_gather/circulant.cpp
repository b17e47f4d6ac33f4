// SPDX-License-Identifier: BSL-1.0
// all_gather/circulant: all-gather over a circulant graph with halving skips.
//
// Shape    in: 1 block per rank; out: P blocks. Any P >= 1, any count, in place.
// Cost     L = ceil(log2 P) rounds for any P; each rank sends P-1 parts: L alpha + (P-1) beta m. A message that wraps
//          around the last part has two slices.
// Order    nothing is combined. Scratch  none.
// Source   Traeff, "Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms", 2024, arXiv:2410.14234: the
//          rounds of reduce_scatter/circulant retraced.
#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms::all_gather {

using namespace schedules;

void circulant(builder& b, const shape& s, rank_id me) {
  b.stage("own part");
  b.copy(input(me), output(me));
  const std::vector<rank_id> lengths = halvings(s.size);
  for (auto length = lengths.rbegin(); length != lengths.rend(); ++length) {
    const rank_id skip = divide_up(*length, 2);
    const rank_id from = around(me, skip, s.size);
    b.stage("all-gather skip", skip);
    b.send(around_the_end(buffer::output, me, *length - skip, s.size), around(me, -skip, s.size));
    b.receive(around_the_end(buffer::output, from, *length - skip, s.size), from);
  }
}

}  // namespace tutti::algorithms::all_gather
