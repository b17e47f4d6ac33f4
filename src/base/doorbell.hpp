// SPDX-License-Identifier: BSL-1.0
// A place in shared memory where waiters sleep and publishers wake them.
//
// A publisher stores what others wait for, then looks whether anyone sleeps; a sleeper says that it sleeps, then
// looks whether the thing has come. Neither may miss the other, so both need a fence between store and look.
// Publishers that spin for every microsecond do without: they count as `unfenced`, and while there are any, the
// sleeper executes their fence for them by membarrier(2), which interrupts their cores. Where membarrier is not to be
// had, sleeps are short then.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "base/ids.hpp"

namespace tutti {

struct alignas(2 * cache_line_bytes) doorbell {
  std::atomic<std::uint32_t> sleepers{0};
  std::atomic<std::uint32_t> rings{0};
  std::atomic<std::uint32_t> unfenced{0};  ///< publishers that rely on the sleepers' fence
};

/// Wakes every sleeper. Async-signal safe.
void ring_sleepers(doorbell& bell) noexcept;

/// Orders a publication before the look at `sleepers` that follows it.
inline void order_publication(bool fenced) noexcept {
  if (fenced) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
  } else {
    std::atomic_signal_fence(std::memory_order_seq_cst);  // the core's order is the sleeper's business
  }
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
