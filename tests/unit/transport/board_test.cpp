// SPDX-License-Identifier: BSL-1.0
// What sites tell each other through their lines.
#include "transport/board.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <memory>
#include <vector>

namespace tutti {
namespace {

constexpr rank_id sites = 3;

/// The memory of a communicator and every site's view of it.
struct table {
  struct alignas(2 * cache_line_bytes) block {
    std::byte bytes[2 * cache_line_bytes];
  };
  std::vector<block> memory = std::vector<block>(board::bytes_for(sites) / sizeof(block) + 1);
  board at(rank_id me) { return {memory.data()->bytes, sites, me}; }
};

using payload = std::array<std::byte, line_payload_bytes>;

payload payload_of(rank_id site, std::uint64_t generation) {
  payload made;
  for (std::size_t i = 0; i < made.size(); ++i)
    made[i] = static_cast<std::byte>(static_cast<std::size_t>(site) * 64 + generation * 7 + i);
  return made;
}

TEST(board, a_line_keeps_two_generations_of_any_length) {
  table shared;
  const board mine = shared.at(1);
  const board theirs = shared.at(2);
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{1}, std::size_t{8}, std::size_t{47}, line_payload_bytes}) {
    SCOPED_TRACE(bytes);
    table fresh;
    const board writer = fresh.at(1);
    const board reader = fresh.at(2);
    for (std::uint64_t g = 1; g <= 5; ++g) {
      EXPECT_FALSE(reader.entered(1, g));
      const payload sent = payload_of(1, g);
      writer.publish(g, static_cast<std::uint32_t>(100 + g), sent.data(), bytes);
      for (std::uint64_t seen = g > 1 ? g - 1 : g; seen <= g; ++seen) {
        EXPECT_TRUE(reader.entered(1, seen));
        EXPECT_FALSE(reader.agreed(1, seen));
        EXPECT_EQ(reader.signature(1, seen), 100 + seen);
        EXPECT_EQ(std::memcmp(reader.payload(1, seen), payload_of(1, seen).data(), bytes), 0);
      }
      EXPECT_FALSE(reader.entered(1, g + 1));
      EXPECT_FALSE(reader.entered(0, g));
      EXPECT_EQ(reader.generation_of(1), g);
    }
  }
  mine.publish(1, 2, nullptr, 0);
  mine.agree(1);
  EXPECT_TRUE(theirs.agreed(1, 1));
  EXPECT_FALSE(theirs.agreed(1, 2));
  EXPECT_EQ(theirs.generation_of(1), 1u);
}

TEST(board, payloads_are_aligned) {
  table shared;
  for (rank_id site = 0; site < sites; ++site) {
    for (const std::uint64_t g : {2, 3}) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(shared.at(0).payload(site, g)) % line_payload_alignment, 0u);
    }
  }
}

TEST(board, tells_who_may_want_a_core) {
  table shared;
  const board mine = shared.at(0);
  EXPECT_TRUE(mine.may_want_core(1, 0));  // nobody knows where it is
  EXPECT_TRUE(mine.may_want_core(1, 5));
  shared.at(1).note_core(5);
  EXPECT_FALSE(mine.may_want_core(1, 0));
  EXPECT_TRUE(mine.may_want_core(1, 5));
  shared.at(1).note_core(0);
  EXPECT_TRUE(mine.may_want_core(1, 0));
  EXPECT_FALSE(mine.may_want_core(1, 5));
  shared.at(1).note_core(-1);  // it cannot tell
  EXPECT_TRUE(mine.may_want_core(1, 3));
}

}  // namespace
}  // namespace tutti
