// SPDX-License-Identifier: BSL-1.0
// A place in shared memory where waiters sleep and publishers wake them, at the price of one load of a
// line in the publisher's own cache while nobody sleeps.
//
// The sleeper announces itself, then makes every running thread of every process of the job pass a memory
// barrier (membarrier(2)), then looks once more, then sleeps; so the publisher needs no fence of its own
// between its store and its look at `sleepers`. Where membarrier is not to be had, sleeps are short.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "base/ids.hpp"

namespace tutti {

struct alignas(2 * cache_line_bytes) doorbell {
  std::atomic<std::uint32_t> sleepers{0};
  std::atomic<std::uint32_t> rings{0};
};

/// Wakes every sleeper. Async-signal safe.
void ring_sleepers(doorbell& bell) noexcept;

/// To be called after each publication that someone may wait for.
inline void ring(doorbell& bell) noexcept {
  std::atomic_signal_fence(std::memory_order_seq_cst);  // the core keeps the order by membarrier, the compiler by this
  if (bell.sleepers.load(std::memory_order_relaxed) != 0) [[unlikely]]
    ring_sleepers(bell);
}

/// Sleeps until the bell rings or `at_most` has passed, unless `ready()` is true after the announcement.
/// Returns the last answer of `ready()`. May return early.
template <class Ready>
bool sleep_unless(doorbell& bell, std::chrono::nanoseconds at_most, Ready ready);

namespace detail {
std::uint32_t announce_sleeper(doorbell& bell) noexcept;
void sleep_on(doorbell& bell, std::uint32_t seen, std::chrono::nanoseconds at_most) noexcept;
}  // namespace detail

template <class Ready>
bool sleep_unless(doorbell& bell, std::chrono::nanoseconds at_most, Ready ready) {
  const std::uint32_t seen = detail::announce_sleeper(bell);
  const bool now = ready();
  if (!now) detail::sleep_on(bell, seen, at_most);
  bell.sleepers.fetch_sub(1, std::memory_order_relaxed);
  return now;
}

}  // namespace tutti
