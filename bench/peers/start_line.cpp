// SPDX-License-Identifier: BSL-1.0
#include "start_line.hpp"

#include <climits>

#include <immintrin.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <stdexcept>

namespace peers {
namespace {

constexpr double longest_wait_seconds = 60;

void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t seen) {
  const timespec at_most{1, 0};
  syscall(SYS_futex, &word, FUTEX_WAIT, seen, &at_most, nullptr, 0);
}

void futex_wake_all(std::atomic<std::uint32_t>& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace

double now() noexcept {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

void start_line::wait() {
  const std::uint32_t seen = shared_.generation.load(std::memory_order_acquire);
  if (shared_.arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == static_cast<std::uint32_t>(size_)) {
    shared_.arrived.store(0, std::memory_order_relaxed);
    shared_.generation.store(seen + 1, std::memory_order_release);
    if (how_ == waiting::sleep) futex_wake_all(shared_.generation);
    return;
  }
  const double latest = now() + longest_wait_seconds;
  for (std::uint32_t tries = 1; shared_.generation.load(std::memory_order_acquire) == seen; ++tries) {
    switch (how_) {
      case waiting::spin: _mm_pause(); break;
      case waiting::yield: sched_yield(); break;
      case waiting::sleep: futex_wait(shared_.generation, seen); break;
    }
    const bool look_at_clock = how_ == waiting::sleep || tries % 1024 == 0;
    if (look_at_clock && now() > latest) throw std::runtime_error("a rank has not come to the start line for a minute");
  }
}

}  // namespace peers
