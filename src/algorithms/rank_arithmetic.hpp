// SPDX-License-Identifier: BSL-1.0
// Arithmetic on ranks that several algorithms and their stated costs share. Everything is pure.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/checked.hpp"
#include "base/ids.hpp"
#include "schedule/schedule.hpp"

namespace tutti::algorithms {

/// Smallest k with 2^k >= size, size >= 1: the rounds of a binomial tree.
constexpr int log2_up(rank_id size) { return std::bit_width(static_cast<std::uint32_t>(size - 1)); }

/// Largest power of two <= size, size >= 1.
constexpr rank_id power_of_two_within(rank_id size) {
  return static_cast<rank_id>(std::bit_floor(static_cast<std::uint32_t>(size)));
}

/// Butterfly rounds and whether ranks must pair up first (see pairing.hpp), size >= 1.
constexpr int log2_of_actors(rank_id size) { return std::bit_width(static_cast<std::uint32_t>(size)) - 1; }
constexpr int has_pairs(rank_id size) { return size != power_of_two_within(size) ? 1 : 0; }

/// The rank `steps` places to the right of `me` on the circle, -size <= steps <= size.
constexpr rank_id around(rank_id me, std::int64_t steps, rank_id size) {
  return static_cast<rank_id>((me + steps + size) % size);
}

/// Everyone but `me`, beginning to the right of `me`, so that no two ranks turn to the same peer at once.
inline std::vector<rank_id> others(rank_id me, rank_id size) {
  std::vector<rank_id> list;
  list.reserve(static_cast<std::size_t>(size - 1));
  for (rank_id steps = 1; steps < size; ++steps) list.push_back(around(me, steps, size));
  return list;
}

/// The `count` blocks from block `begin` on around the circle of `size`, as what lies before the end and what after
/// it, of which there may be none.
inline std::array<schedules::slice, 2> around_the_end(schedules::buffer where, rank_id begin, std::int32_t count,
                                                      rank_id size) {
  const std::int32_t before = std::min(count, size - begin);
  return {schedules::slice{where, begin, before, begin}, schedules::slice{where, 0, count - before, 0}};
}

/// Of an all_to_all in pieces of one block: the piece that rank `from` has for rank `to`.
constexpr std::int32_t piece(rank_id from, rank_id to, rank_id size) { return from * size + to; }

/// size, then the larger half of it, and so on while there are two or more.
inline std::vector<rank_id> halvings(rank_id size) {
  std::vector<rank_id> lengths;
  for (rank_id length = size; length > 1; length = divide_up(length, 2)) lengths.push_back(length);
  return lengths;
}

/// Digits of `number` in base `radix` that are not 0.
constexpr int digits_not_zero(std::int64_t number, int radix) {
  int count = 0;
  for (; number > 0; number /= radix) count += number % radix != 0 ? 1 : 0;
  return count;
}

/// Of all_to_all/bruck, for one rank: messages that it sends, pieces that these hold, pieces that it passes on.
constexpr double bruck_messages(rank_id size, int radix) {
  double messages = 0;
  for (std::int64_t weight = 1; weight < size; weight *= radix) {
    messages += static_cast<double>(std::min<std::int64_t>(radix - 1, (size - 1) / weight));
  }
  return messages;
}
constexpr double bruck_pieces(rank_id size, int radix) {
  double pieces = 0;
  for (rank_id distance = 1; distance < size; ++distance) pieces += digits_not_zero(distance, radix);
  return pieces;
}
/// Slots for pieces of one distance: none if it is reached at once, two if there is more than one stop.
constexpr std::int32_t slots_for(std::int64_t distance, int radix) {
  return std::clamp(digits_not_zero(distance, radix) - 1, 0, 2);
}
constexpr double bruck_slots(rank_id size, int radix) {
  double slots = 0;
  for (rank_id distance = 1; distance < size; ++distance) slots += slots_for(distance, radix);
  return slots;
}

/// Blocks that the first actor of a butterfly holds before each of its exchanges, added up (pairing.hpp).
constexpr double first_actors_blocks(rank_id size) {
  const rank_id actors = power_of_two_within(size);
  double blocks = 0;
  for (rank_id distance = 1; distance < actors; distance *= 2) blocks += distance + std::min(distance, size - actors);
  return blocks;
}

/// Messages that the busiest rank receives on the way up the hierarchical tree, and sends on the way down:
/// groups - 1 at each node of the path along the largest groups.
constexpr int hierarchical_fan_in(rank_id size, int arity) {
  int messages = 0;
  while (size > 1) {
    const rank_id groups = std::min<rank_id>(arity, size);
    messages += groups - 1;
    size = divide_up(size, groups);
  }
  return messages;
}

/// Messages of the rank that handles most in one phase of the circulant algorithm: each halving of the
/// length moves length / 2 blocks, and two or more of them wrap around the end of the vector at one rank.
inline int circulant_messages(rank_id size) {
  int messages = 0;
  for (const rank_id length : halvings(size)) messages += length / 2 > 1 ? 2 : 1;
  return messages;
}

}  // namespace tutti::algorithms
