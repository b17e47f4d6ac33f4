// SPDX-License-Identifier: BSL-1.0
// all_reduce/circulant: reduce-scatter and all-gather over a circulant graph with halving skips; no folding.
//
// Number the blocks from one's own: place i of rank r is block r + i (mod P). A rank begins with P places that
// matter. In each round the upper half of the places goes to the rank for which they are the lower places, so
// that in the end only place 0, complete, is left; all-gather retraces the rounds.
//
// Shape    in and out: P blocks. Any P >= 1, any count, in place. After the first phase rank r owns block r.
// Cost     ceil(log2 P) rounds each way if a message may wrap around the end of the vector. A slice does not,
//          so a round of two blocks or more is two messages at the ranks where it wraps.
//          Each rank sends 2(P-1)/P vectors.
// Order    any. Scratch  floor(P/2) blocks.
// Source   Traeff, "Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms", 2024, arXiv:2410.14234.
#include <vector>

#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms::all_reduce {

using namespace schedules;

namespace {

void halve(builder& b, rank_id size, rank_id me, rank_id length) {
  const rank_id skip = divide_up(length, 2);
  const buffer held = length == size ? buffer::input : buffer::output;
  const rank_id to = around(me, skip, size);
  const rank_id from = around(me, -skip, size);
  b.stage("reduce-scatter skip", skip);
  for (const slice& leaving : around_the_end(held, to, length - skip, size)) b.send(leaving, to);
  std::int32_t slot = 0;
  for (const slice& mine : around_the_end(held, me, length - skip, size)) {
    const slice arriving = scratch(slot, mine.first, mine.count);
    b.receive(arriving, from);
    b.reduce(output(mine.first, mine.count), {mine, arriving});
    slot += mine.count;
  }
  // Of an odd number the middle place was neither sent nor combined; later rounds read all from output.
  const rank_id middle = around(me, skip - 1, size);
  if (held == buffer::input && length % 2 != 0) b.copy(input(middle), output(middle));
}

void double_back(builder& b, rank_id size, rank_id me, rank_id length) {
  const rank_id skip = divide_up(length, 2);
  const rank_id to = around(me, -skip, size);
  const rank_id from = around(me, skip, size);
  b.stage("all-gather skip", skip);
  for (const slice& leaving : around_the_end(buffer::output, me, length - skip, size)) b.send(leaving, to);
  for (const slice& arriving : around_the_end(buffer::output, from, length - skip, size)) b.receive(arriving, from);
}

}  // namespace

void circulant(builder& b, const shape& s, rank_id me) {
  if (s.size == 1) return b.copy(input(0), output(0));
  const std::vector<rank_id> lengths = halvings(s.size);
  for (const rank_id length : lengths) halve(b, s.size, me, length);
  for (auto length = lengths.rbegin(); length != lengths.rend(); ++length) double_back(b, s.size, me, *length);
}

}  // namespace tutti::algorithms::all_reduce
