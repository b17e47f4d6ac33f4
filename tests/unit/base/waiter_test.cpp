// SPDX-License-Identifier: BSL-1.0
// Waiting under every policy ends when what is waited for has come. Each sleep is bounded, so that a wake-up lost
// now and then would only cost time: the tests of the doorbell sleep without bound.
#include "base/waiter.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "base/doorbell.hpp"
#include "support/scoped_variable.hpp"

namespace tutti {
namespace {

using namespace std::chrono_literals;

/// What a publisher does after its store.
void ring(doorbell& bell, bool fenced) {
  order_publication(fenced);
  if (bell.sleepers.load(std::memory_order_relaxed) != 0) ring_sleepers(bell);
}

TEST(waiter, takes_its_policy_from_the_environment) {
  for (const auto policy : {wait_policy::adaptive, wait_policy::spin, wait_policy::yield, wait_policy::sleep}) {
    const test::scoped_variable word("TUTTI_WAIT", to_string(policy));
    EXPECT_EQ(wait_setting_from_environment().policy, policy);
    EXPECT_TRUE(wait_setting_from_environment().known);
    EXPECT_EQ(waiter(1).policy(), policy);
  }
  const test::scoped_variable none("TUTTI_WAIT", std::nullopt);
  EXPECT_EQ(wait_setting_from_environment().policy, wait_policy::adaptive);
  EXPECT_TRUE(wait_setting_from_environment().known);
  const test::scoped_variable unknown("TUTTI_WAIT", "sleepy");
  EXPECT_EQ(wait_setting_from_environment().policy, wait_policy::adaptive);
  EXPECT_FALSE(wait_setting_from_environment().known);
}

TEST(waiter, spins_only_while_every_rank_can_have_a_core) {
  EXPECT_TRUE(waiter(1, wait_policy::adaptive).spins());
  EXPECT_FALSE(waiter(1 << 20, wait_policy::adaptive).spins());
  EXPECT_TRUE(waiter(1 << 20, wait_policy::spin).spins());
  EXPECT_FALSE(waiter(1, wait_policy::yield).spins());
  EXPECT_FALSE(waiter(1, wait_policy::sleep).spins());
}

class each_policy : public testing::TestWithParam<wait_policy> {};

/// Two threads wait for each other, turn after turn, each told that the other may need its core, or that it does not.
void play_ping_pong(wait_policy policy, bool core_is_needed) {
  // Spinners without a core of their own hand over at the end of their time slices only.
  const std::uint32_t turns = policy == wait_policy::spin ? 200 : 2'000;
  doorbell bell;
  std::atomic<std::uint32_t> turn{0};
  const auto play = [&](std::uint32_t parity) {
    waiter learned(2, policy);
    for (std::uint32_t mine = parity; mine < turns; mine += 2) {
      wait w(learned);
      const auto ready = [&] { return turn.load(std::memory_order_acquire) == mine; };
      while (!ready()) {
        if (w.pause(
                bell, [&] { return core_is_needed; }, ready))
          break;
      }
      turn.store(mine + 1, std::memory_order_release);
      ring(bell, true);
    }
  };
  {
    const std::jthread other(play, 1);
    play(0);
  }
  EXPECT_EQ(turn.load(), turns);
}

TEST_P(each_policy, ping_pong) {
  play_ping_pong(GetParam(), true);
  play_ping_pong(GetParam(), false);
}

/// Threads of one rank wait through what the rank has learned, while it still learns who competes.
TEST_P(each_policy, serves_threads_that_wait_at_the_same_time) {
  constexpr std::uint32_t turns = 400;
  doorbell bell;
  waiter learned(2, GetParam());
  std::atomic<std::uint32_t> turn{0};
  const auto play = [&](std::uint32_t parity) {
    for (std::uint32_t mine = parity; mine < turns; mine += 2) {
      wait w(learned);
      const auto ready = [&] { return turn.load(std::memory_order_acquire) == mine; };
      while (!ready()) {
        if (w.pause(
                bell, [] { return true; }, ready))
          break;
      }
      learned.learn_competitors(static_cast<int>(mine % 3) + 1, 2);
      turn.store(mine + 1, std::memory_order_release);
      ring(bell, true);
    }
  };
  {
    const std::jthread other(play, 1);
    play(0);
  }
  EXPECT_EQ(turn.load(), turns);
}

/// However often it is said that no peer needs the core, a wait comes to give it away, unless told to spin only.
TEST_P(each_policy, keeping_the_core_has_an_end) {
  doorbell bell;
  waiter learned(1 << 20, GetParam());
  wait w(learned);
  while (w.long_time() == 0ns) {  // ends: the time is taken when the core is first given away
    EXPECT_FALSE(w.pause(
        bell, [] { return false; }, [] { return false; }));
  }
  EXPECT_LT(w.looks(), 10'000u);
}

TEST(waiter, gives_the_core_away_at_once_if_a_peer_needs_it) {
  doorbell bell;
  waiter learned(1 << 20, wait_policy::adaptive);
  wait w(learned);
  EXPECT_FALSE(w.pause(
      bell, [] { return true; }, [] { return false; }));
  EXPECT_EQ(w.looks(), 1u);
  EXPECT_GT(w.long_time(), 0ns);
}

TEST_P(each_policy, long_waits_ask_after_the_peers) {
  doorbell bell;
  waiter learned(2, GetParam());
  wait w(learned);
  int ticks = 0;
  while (ticks < 3) {  // ends: time goes on
    EXPECT_FALSE(w.pause(
        bell, [] { return true; }, [] { return false; }));
    ticks += w.tick() ? 1 : 0;
  }
  EXPECT_GT(w.looks(), 0u);
  EXPECT_GT(w.long_time(), 0ns);
}

INSTANTIATE_TEST_SUITE_P(policies, each_policy,
                         testing::Values(wait_policy::adaptive, wait_policy::spin, wait_policy::yield,
                                         wait_policy::sleep),
                         [](const auto& one) { return to_string(one.param); });

/// A lost wake-up would make this last for hours.
TEST(doorbell, wakes_whoever_sleeps_without_bound) {
  constexpr std::uint32_t turns = 5'000;
  for (const bool fenced : {true, false}) {
    doorbell bell;
    bell.unfenced = fenced ? 0 : 2;
    std::atomic<std::uint32_t> turn{0};
    const auto play = [&](std::uint32_t parity) {
      for (std::uint32_t mine = parity; mine < turns; mine += 2) {
        const auto ready = [&] { return turn.load(std::memory_order_acquire) == mine; };
        while (!ready()) {
          if (sleep_unless(bell, 1h, ready)) break;
        }
        turn.store(mine + 1, std::memory_order_release);
        ring(bell, fenced);
      }
    };
    {
      const std::jthread other(play, 1);
      play(0);
    }
    EXPECT_EQ(turn.load(), turns);
    EXPECT_EQ(bell.sleepers.load(), 0u);
  }
}

TEST(doorbell, wakes_every_sleeper) {
  doorbell bell;
  std::atomic<bool> open{false};
  {
    std::vector<std::jthread> sleepers;
    for (int i = 0; i < 4; ++i) {
      sleepers.emplace_back([&] {
        const auto ready = [&] { return open.load(std::memory_order_acquire); };
        while (!ready() && !sleep_unless(bell, 1h, ready)) {
        }
      });
    }
    while (bell.sleepers.load() != 4) std::this_thread::yield();
    open.store(true, std::memory_order_release);
    ring(bell, true);
  }
  EXPECT_EQ(bell.sleepers.load(), 0u);
}

TEST(doorbell, does_not_sleep_if_what_it_waits_for_is_there) {
  doorbell bell;
  EXPECT_TRUE(sleep_unless(bell, 1h, [] { return true; }));
  EXPECT_FALSE(sleep_unless(bell, 1us, [] { return false; }));
  EXPECT_EQ(bell.rings.load(), 0u);
  ring(bell, true);  // nobody sleeps
  EXPECT_EQ(bell.rings.load(), 0u);
}

}  // namespace
}  // namespace tutti
