// SPDX-License-Identifier: BSL-1.0
// What a future waits for: something that will be complete once, well or badly. Reference counted.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <utility>

namespace tutti::core {

/// Runs once when a completion is complete, on the thread that completes it. Owned by whoever attached it,
/// and must stay alive until it has run.
class continuation {
 public:
  virtual void run() noexcept = 0;

 protected:
  ~continuation() = default;

 private:
  friend class completion;
  continuation* next_ = nullptr;
};

class completion {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  bool ready() const noexcept { return state_.load(std::memory_order_acquire) != pending; }
  /// Null if it ended well. Only once ready.
  const std::exception_ptr& error() const noexcept { return error_; }

  /// Gives the work behind it a chance to go on; true if ready.
  virtual bool poll() = 0;
  /// Works or sleeps until ready or `until`; true if ready. time_point::max() waits for ever.
  virtual bool wait_until(time_point until) = 0;
  /// Nobody will look at the result: lets go of what the caller owns. Never waits.
  virtual void abandon() noexcept {}

  /// Runs `next` once ready: at once if it is already. Thread safe.
  void attach(continuation& next) noexcept;

  void retain() noexcept { references_.fetch_add(1, std::memory_order_relaxed); }
  void release() noexcept {
    // The only holder need not pay for an atomic decrement.
    if (references_.load(std::memory_order_acquire) == 1 || references_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      references_.store(1, std::memory_order_relaxed);
      dispose();
    }
  }

 protected:
  completion() = default;
  virtual ~completion() = default;
  completion(const completion&) = delete;
  completion& operator=(const completion&) = delete;

  /// The last holder is gone.
  virtual void dispose() noexcept { delete this; }
  /// Ends it and runs what was attached. Once.
  void complete(std::exception_ptr error) noexcept;
  /// The same, for one that no other thread knows and nothing was attached to.
  void complete_unshared(std::exception_ptr error) noexcept;
  /// Makes a disposed one as good as new.
  void reset() noexcept {
    error_ = nullptr;
    state_.store(pending, std::memory_order_relaxed);
    attached_.store(nullptr, std::memory_order_relaxed);
  }

 private:
  static constexpr std::uint8_t pending = 0;
  static constexpr std::uint8_t completed = 1;

  std::atomic<std::uint32_t> references_{1};
  std::atomic<std::uint8_t> state_{pending};
  std::atomic<continuation*> attached_{nullptr};
  std::exception_ptr error_;
};

/// A counted pointer. Adopts the first reference.
template <class T>
class intrusive {
 public:
  intrusive() = default;
  explicit intrusive(T* adopted) noexcept : pointer_(adopted) {}
  intrusive(const intrusive& other) noexcept : pointer_(other.pointer_) {
    if (pointer_ != nullptr) pointer_->retain();
  }
  template <class U>
  intrusive(intrusive<U> other) noexcept : pointer_(other.detach()) {}
  intrusive(intrusive&& other) noexcept : pointer_(std::exchange(other.pointer_, nullptr)) {}
  intrusive& operator=(intrusive other) noexcept {
    std::swap(pointer_, other.pointer_);
    return *this;
  }
  ~intrusive() {
    if (pointer_ != nullptr) pointer_->release();
  }

  T* get() const noexcept { return pointer_; }
  T* operator->() const noexcept { return pointer_; }
  T& operator*() const noexcept { return *pointer_; }
  explicit operator bool() const noexcept { return pointer_ != nullptr; }
  T* detach() noexcept { return std::exchange(pointer_, nullptr); }

 private:
  T* pointer_ = nullptr;
};

}  // namespace tutti::core
