// SPDX-License-Identifier: BSL-1.0
// The result of an operation that may not be complete yet.
//
// Waiting on a future does the operation's work; without a progress thread (world_options) nothing else does,
// except other calls of this rank that wait. Move-only. Dropping one is safe at any time: the operation goes on.
// Thread safety: one future is used by one thread at a time; different ones are independent.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <coroutine>
#include <cstddef>
#include <cstring>
#include <future>  // std::future_status
#include <type_traits>
#include <utility>

#include "tutti/core/completion.hpp"
#include "tutti/core/error.hpp"

namespace tutti {

template <class T>
class future;

namespace detail {

[[noreturn]] void throw_no_state();

/// A value of a trivially copyable type from its bytes; the type need not be default-constructible.
template <class T>
T read_value(const std::byte* bytes) {
  std::array<std::byte, sizeof(T)> copy;
  std::memcpy(copy.data(), bytes, sizeof(T));
  return std::bit_cast<T>(copy);
}

/// What future<T> and future<void> share.
class future_base {
 public:
  future_base() = default;
  explicit future_base(core::intrusive<core::completion> state) noexcept : state_(std::move(state)) {}
  future_base(future_base&&) = default;
  future_base& operator=(future_base&& other) noexcept {
    future_base dropped(std::move(other));
    std::swap(state_, dropped.state_);
    return *this;
  }
  ~future_base() {
    if (state_) state_->abandon();
  }

  /// False once get() was called, or moved from.
  bool valid() const noexcept { return static_cast<bool>(state_); }
  /// Lets the operation go on, and tells whether it is complete. Errors (these and the following):
  /// invalid_state if not valid().
  bool is_ready() const { return state().poll(); }
  void wait() const { state().wait_until(core::completion::time_point::max()); }
  template <class Rep, class Period>
  std::future_status wait_for(const std::chrono::duration<Rep, Period>& at_most) const {
    const auto until =
        std::chrono::steady_clock::now() + std::chrono::ceil<std::chrono::steady_clock::duration>(at_most);
    return state().wait_until(until) ? std::future_status::ready : std::future_status::timeout;
  }

  /// For then() and its kin.
  const core::intrusive<core::completion>& shared_state() const { return state_; }

 protected:
  core::completion& state() const {
    if (!state_) throw_no_state();
    return *state_;
  }
  /// Waits, gives the state up, and throws if it ended badly.
  core::intrusive<core::completion> take() {
    wait();
    core::intrusive<core::completion> mine = std::move(state_);
    if (mine->error()) std::rethrow_exception(mine->error());
    return mine;
  }

 private:
  core::intrusive<core::completion> state_;
};

/// Resumes a coroutine when a future is ready, on the thread that completes it. The coroutine may be destroyed while
/// it is suspended here: then nothing resumes it. (Not while that thread is just about to.)
template <class Future>
class awaiter final {
 public:
  explicit awaiter(Future&& awaited) noexcept : awaited_(std::move(awaited)) {}
  awaiter(const awaiter&) = delete;
  awaiter& operator=(const awaiter&) = delete;
  ~awaiter() {
    if (resumption_ != nullptr) resumption_->forget();
  }
  bool await_ready() { return awaited_.is_ready(); }
  void await_suspend(std::coroutine_handle<> suspended) {
    // When attach() returns, the coroutine may have gone on elsewhere and this object with it.
    resumption_ = new resumption(suspended);
    awaited_.shared_state()->attach(*resumption_);
  }
  decltype(auto) await_resume() { return awaited_.get(); }

 private:
  /// Belongs to the completion, which runs it, and to the awaiter: whoever lets go last deletes it.
  class resumption final : public core::continuation {
   public:
    explicit resumption(std::coroutine_handle<> suspended) noexcept : frame_(suspended.address()) {}
    void forget() noexcept {
      frame_.store(nullptr, std::memory_order_release);
      let_go();
    }

   private:
    void run() noexcept override {
      if (void* const frame = frame_.exchange(nullptr, std::memory_order_acq_rel))
        std::coroutine_handle<>::from_address(frame).resume();
      let_go();
    }
    void let_go() noexcept {
      if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
    }
    std::atomic<void*> frame_;
    std::atomic<int> owners_{2};
  };

  Future awaited_;
  resumption* resumption_ = nullptr;
};

}  // namespace detail

template <class T>
class [[nodiscard]] future : public detail::future_base {
 public:
  using value_type = T;
  /// Moves the value out of a completion that ended well.
  using take_function = T (*)(core::completion&);

  future() = default;
  future(core::intrusive<core::completion> state, take_function take_value) noexcept
      : future_base(std::move(state)), take_value_(take_value) {}

  /// Waits, and returns the value or throws what the operation ended with. Once.
  T get() { return take_value_(*take()); }
  /// next(future<T>) runs once this is ready, on the thread that completes it; its result is the new future's.
  template <class F>
  auto then(F next) &&;
  template <class F>
  auto then(F next) & {
    return std::move(*this).then(std::move(next));
  }
  detail::awaiter<future> operator co_await() && { return detail::awaiter<future>(std::move(*this)); }
  detail::awaiter<future> operator co_await() & { return detail::awaiter<future>(std::move(*this)); }

 private:
  take_function take_value_ = nullptr;
};

template <>
class [[nodiscard]] future<void> : public detail::future_base {
 public:
  using value_type = void;

  future() = default;
  explicit future(core::intrusive<core::completion> state) noexcept : future_base(std::move(state)) {}

  void get() { take(); }
  template <class F>
  auto then(F next) &&;
  template <class F>
  auto then(F next) & {
    return std::move(*this).then(std::move(next));
  }
  detail::awaiter<future> operator co_await() && { return detail::awaiter<future>(std::move(*this)); }
  detail::awaiter<future> operator co_await() & { return detail::awaiter<future>(std::move(*this)); }
};

}  // namespace tutti

#include "tutti/detail/then.hpp"
