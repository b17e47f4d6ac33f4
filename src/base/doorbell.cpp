// SPDX-License-Identifier: BSL-1.0
#include "base/doorbell.hpp"

#include <climits>

#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

namespace tutti {
namespace {

/// Every process of the job must be registered for the barrier to reach it: done when the library loads.
const bool barrier_reaches_us = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0) == 0;

/// Without the barrier a wake-up can be missed; then nobody sleeps longer than this.
constexpr std::chrono::nanoseconds unguarded_sleep{200'000};

}  // namespace

void ring_sleepers(doorbell& bell) noexcept {
  bell.rings.fetch_add(1, std::memory_order_seq_cst);
  syscall(SYS_futex, &bell.rings, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

std::uint32_t detail::announce_sleeper(doorbell& bell) noexcept {
  bell.sleepers.fetch_add(1, std::memory_order_seq_cst);
  const std::uint32_t seen = bell.rings.load(std::memory_order_seq_cst);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (bell.unfenced.load(std::memory_order_seq_cst) != 0 && barrier_reaches_us) {
    syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0);
  }
  return seen;
}

void detail::sleep_on(doorbell& bell, std::uint32_t seen, std::chrono::nanoseconds at_most) noexcept {
  const bool guarded = barrier_reaches_us || bell.unfenced.load(std::memory_order_relaxed) == 0;
  const auto bounded = guarded ? at_most : std::min(at_most, unguarded_sleep);
  timespec time{};
  time.tv_sec = static_cast<time_t>(bounded.count() / 1'000'000'000);
  time.tv_nsec = static_cast<long>(bounded.count() % 1'000'000'000);
  syscall(SYS_futex, &bell.rings, FUTEX_WAIT, seen, &time, nullptr, 0);
}

}  // namespace tutti
