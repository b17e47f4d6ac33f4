// SPDX-License-Identifier: BSL-1.0
// What a site has done so far. One thread at a time writes, the one that holds the site; any thread may ask at any
// time, from inside a call of the same site too (an operator, a continuation), and never waits for a call to end.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <mutex>

#include "engine/activity.hpp"
#include "tutti/core/statistics.hpp"

namespace tutti::engine {

class tally {
 public:
  /// A call has ended. `inside` is 0 for one that was not clocked.
  void add_call(const decision& how, std::uint64_t bytes, bool failed, std::chrono::duration<double> inside);
  void add_looks(std::uint64_t looks) noexcept { add(looks_for_late_, looks); }
  void add_lateness(std::chrono::duration<double> late) noexcept { add(seconds_for_late_, late.count()); }
  /// The same by a thread that waits for a future, and does not hold the site.
  void add_wait(std::uint64_t looks, std::chrono::duration<double> late) noexcept {
    looks_of_futures_.fetch_add(looks, std::memory_order_relaxed);
    seconds_of_futures_.fetch_add(late.count(), std::memory_order_relaxed);
  }

  std::uint64_t calls() const noexcept { return calls_.load(std::memory_order_relaxed); }
  /// Counts of calls that end meanwhile may be in one number and not yet in another.
  statistics report() const;

 private:
  struct use {
    const prepared* plan;
    std::atomic<const char*> reason;
    std::atomic<std::uint64_t> calls;
    std::atomic<std::uint64_t> bytes;
  };

  /// One writer: no need for an atomic addition.
  template <class T>
  static void add(std::atomic<T>& to, T more) noexcept {
    to.store(to.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
  }
  use& use_of(const prepared& plan);

  std::atomic<std::uint64_t> calls_{0};
  std::atomic<std::uint64_t> failures_{0};
  std::atomic<std::uint64_t> bytes_{0};
  std::atomic<std::uint64_t> looks_for_late_{0};
  std::atomic<double> seconds_for_late_{0};
  std::atomic<double> seconds_inside_{0};
  std::atomic<std::uint64_t> looks_of_futures_{0};
  std::atomic<double> seconds_of_futures_{0};
  mutable std::mutex growing_;  ///< of uses_: held to add one and to walk through them from outside
  std::deque<use> uses_;
};

}  // namespace tutti::engine
