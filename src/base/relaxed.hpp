// SPDX-License-Identifier: BSL-1.0
// A value that several threads read and write and that guards nothing: a hint, a guess, a counter that may miss.
#pragma once

#include <atomic>

namespace tutti {

/// Reads and writes are single and unordered. To change by what was read is two steps: the later writer wins.
template <class T>
class relaxed {
 public:
  relaxed(T initial = {}) noexcept : value_(initial) {}
  relaxed(const relaxed&) = delete;
  relaxed& operator=(const relaxed&) = delete;

  operator T() const noexcept { return value_.load(std::memory_order_relaxed); }
  T operator=(T next) noexcept {
    value_.store(next, std::memory_order_relaxed);
    return next;
  }

 private:
  std::atomic<T> value_;
};

}  // namespace tutti
