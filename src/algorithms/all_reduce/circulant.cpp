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
#include <array>
#include <vector>

#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms::all_reduce {

using namespace schedules;

namespace {

struct blocks {
  std::int32_t first;
  std::int32_t count;  // 0: none
};

/// The `count` blocks from block `begin` on around the circle, as what lies before the end and what after it.
std::array<blocks, 2> around_the_end(rank_id begin, std::int32_t count, rank_id size) {
  const std::int32_t before = std::min(count, size - begin);
  return {{{begin, before}, {0, count - before}}};
}

void halve(builder& b, rank_id size, rank_id me, std::int32_t length) {
  const std::int32_t skip = divide_up(length, 2);
  const bool untouched = length == size;
  const rank_id to = around(me, skip, size);
  const rank_id from = around(me, -skip, size);
  b.stage("reduce-scatter skip", skip);
  for (const auto [first, count] : around_the_end(to, length - skip, size)) {
    b.send(untouched ? input(first, count) : output(first, count), to);
  }
  std::int32_t slot = 0;
  for (const auto [first, count] : around_the_end(me, length - skip, size)) {
    const slice arriving = scratch(slot, first, count);
    b.receive(arriving, from);
    b.reduce(output(first, count), {untouched ? input(first, count) : output(first, count), arriving});
    slot += count;
  }
  // Of an odd number the middle place was neither sent nor combined; later rounds read all from output.
  if (untouched && length % 2 != 0) {
    const rank_id middle = around(me, skip - 1, size);
    b.copy(input(middle), output(middle));
  }
}

void double_back(builder& b, rank_id size, rank_id me, std::int32_t length) {
  const std::int32_t skip = divide_up(length, 2);
  const rank_id to = around(me, -skip, size);
  const rank_id from = around(me, skip, size);
  b.stage("all-gather skip", skip);
  for (const auto [first, count] : around_the_end(me, length - skip, size)) b.send(output(first, count), to);
  for (const auto [first, count] : around_the_end(from, length - skip, size)) b.receive(output(first, count), from);
}

}  // namespace

void circulant(builder& b, const shape& s, rank_id me) {
  if (s.size == 1) return b.copy(input(0), output(0));
  std::vector<std::int32_t> lengths;
  for (std::int32_t length = s.size; length > 1; length = divide_up(length, 2)) lengths.push_back(length);
  for (const std::int32_t length : lengths) halve(b, s.size, me, length);
  for (auto length = lengths.rbegin(); length != lengths.rend(); ++length) double_back(b, s.size, me, *length);
}

}  // namespace tutti::algorithms::all_reduce
