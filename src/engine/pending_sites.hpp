// SPDX-License-Identifier: BSL-1.0
// The sites of one rank that have calls in flight: whoever waits on one communicator moves all of them on, so
// that no order of waiting can deadlock.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

namespace tutti::engine {

class site;

/// Thread safe.
class pending_sites {
 public:
  /// Idempotent. Keeps the site alive until remove().
  void add(std::shared_ptr<site> busy);
  void remove(const site& idle);

  /// Lets every site but `except` go on. Cheap if there is none.
  void poll(const site* except);
  bool any() const noexcept { return more_than(0); }
  bool more_than(std::size_t sites) const noexcept { return count_.load(std::memory_order_relaxed) > sites; }

  /// Polls until nothing is in flight or the time is up; true if nothing is.
  bool drain(std::chrono::steady_clock::time_point until);

  /// For a worker thread: sleeps until something is in flight; false once `stop` was requested.
  bool wait_for_work(const std::stop_token& stop);

 private:
  std::atomic<std::size_t> count_{0};
  std::mutex mutex_;
  std::condition_variable_any work_;
  std::vector<std::shared_ptr<site>> sites_;
};

}  // namespace tutti::engine
