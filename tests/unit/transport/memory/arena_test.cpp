// SPDX-License-Identifier: BSL-1.0
#include "transport/memory/arena.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>
#include <thread>
#include <vector>

#include "support/child_process.hpp"
#include "support/sizes.hpp"
#include "transport/board.hpp"
#include "transport/memory/job.hpp"

namespace tutti::memory {
namespace {

using test::mebibyte;

job make_job(byte_count capacity, bool shared) {
  auto made = shared ? region::create_shared(capacity) : region::create_private(capacity);
  EXPECT_TRUE(made);
  auto created = job::create(std::move(made).value(), 2);
  EXPECT_TRUE(created);
  return std::move(created).value();
}

TEST(arena, blocks_are_aligned_zeroed_and_disjoint) {
  const job in = make_job(64 * mebibyte, true);
  const arena blocks = in.blocks();
  std::map<byte_count, byte_count> taken;
  std::mt19937_64 random(1);
  for (int round = 0; round < 2000; ++round) {
    if (taken.size() > 50) {
      auto victim = std::next(taken.begin(), static_cast<std::ptrdiff_t>(random() % taken.size()));
      blocks.release(victim->first, victim->second);
      taken.erase(victim);
    }
    const byte_count bytes = random() % (1u << (random() % 18));
    auto block = blocks.allocate(bytes);
    ASSERT_TRUE(block) << block.why().text;
    const byte_count offset = block.value();
    ASSERT_EQ(offset % alignof(board_head), 0u);
    ASSERT_LE(offset + bytes, in.memory().committed());
    auto* data = in.memory().data() + offset;
    for (byte_count i = 0; i < bytes; ++i) ASSERT_EQ(data[i], std::byte{0});
    const auto after = taken.lower_bound(offset);
    if (after != taken.end()) {
      ASSERT_LE(offset + bytes, after->first);
    }
    if (after != taken.begin()) {
      ASSERT_LE(std::prev(after)->first + std::prev(after)->second, offset);
    }
    std::memset(data, 0xff, bytes);
    taken.emplace(offset, bytes);
  }
  for (const auto& [offset, bytes] : taken) blocks.release(offset, bytes);
  EXPECT_EQ(blocks.in_use(), 0u);
}

TEST(arena, a_hundred_thousand_cycles_stay_flat) {
  const job in = make_job(64 * mebibyte, true);
  const arena blocks = in.blocks();
  byte_count after_first = 0;
  for (int round = 0; round < 100'000; ++round) {
    const byte_count small = 64 + static_cast<byte_count>(round % 7) * 100;
    auto a = blocks.allocate(small);
    auto b = blocks.allocate(5000);
    ASSERT_TRUE(a && b);
    blocks.release(a.value(), small);
    blocks.release(b.value(), 5000);
    if (round == 10) after_first = blocks.footprint();
  }
  EXPECT_EQ(blocks.footprint(), after_first);
  EXPECT_EQ(blocks.in_use(), 0u);
}

TEST(arena, exhaustion_names_limit_and_use_and_passes) {
  const job in = make_job(mebibyte, false);
  const arena blocks = in.blocks();
  std::vector<byte_count> taken;
  for (;;) {
    auto block = blocks.allocate(10'000);
    if (!block) {
      EXPECT_EQ(block.why().code, errc::no_space);
      EXPECT_NE(block.why().text.find(std::to_string(blocks.in_use())), std::string::npos) << block.why().text;
      EXPECT_NE(block.why().text.find("TUTTI_SEGMENT_BYTES"), std::string::npos);
      break;
    }
    taken.push_back(block.value());
  }
  EXPECT_GT(taken.size(), 80u);
  EXPECT_FALSE(blocks.allocate(~byte_count{0}));
  for (const byte_count offset : taken) blocks.release(offset, 10'000);
  EXPECT_EQ(blocks.in_use(), 0u);
  // Freed large blocks serve smaller requests once there is no fresh memory.
  for (int round = 0; round < 5000; ++round) ASSERT_TRUE(blocks.allocate(64));
}

TEST(arena, threads_share_it) {
  const job in = make_job(64 * mebibyte, false);
  std::vector<std::thread> threads;
  for (unsigned id = 0; id < 4; ++id) {
    threads.emplace_back([&in, id] {
      const arena blocks = in.blocks();
      for (unsigned round = 0; round < 2000; ++round) {
        const byte_count bytes = 64 + (round * 37 + id) % 1000;
        auto block = blocks.allocate(bytes);
        ASSERT_TRUE(block);
        auto* words = in.memory().at<std::uint32_t>(block.value());
        for (byte_count i = 0; i < bytes / 4; ++i) words[i] = id;
        for (byte_count i = 0; i < bytes / 4; ++i) ASSERT_EQ(words[i], id);
        blocks.release(block.value(), bytes);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(in.blocks().in_use(), 0u);
}

TEST(arena, a_killed_user_blocks_nobody) {
  const job in = make_job(64 * mebibyte, true);
  const auto cycle = [&] {
    auto block = in.blocks().allocate(1000);
    if (block) in.blocks().release(block.value(), 1000);
    return static_cast<bool>(block);
  };
  for (int victim = 0; victim < 20; ++victim) {
    test::child_process child([&] {
      for (in.raise_alarm();; cycle()) {
      }
      return 0;
    });
    while (in.alarm().load() <= static_cast<std::uint32_t>(victim)) std::this_thread::yield();
    for (int round = 0; round < 500; ++round) ASSERT_TRUE(cycle());
    child.kill();
    child.wait();
    ASSERT_TRUE(cycle());
  }
  EXPECT_LE(in.blocks().footprint(), 64u * 1024) << "each victim leaks one block at most";
}

}  // namespace
}  // namespace tutti::memory
