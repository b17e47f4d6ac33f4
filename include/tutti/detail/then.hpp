// SPDX-License-Identifier: BSL-1.0
// Futures made of futures: then() and when_all(). Included by future.hpp.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tutti/future.hpp"

namespace tutti {
namespace detail {

/// Complete some time after others are; waiting on it does their work.
template <class Value>
class derived : public core::completion {
 public:
  bool poll() override {
    for (const auto& source : sources_) source->poll();
    return ready();
  }
  bool wait_until(time_point until) override {
    for (const auto& source : sources_) {
      if (!source->wait_until(until)) return false;
    }
    // All sources are ready; whoever completed the last may still be at it.
    while (!ready()) std::this_thread::yield();
    return true;
  }
  void abandon() noexcept override {
    for (const auto& source : sources_) source->abandon();
  }
  Value take() { return std::move(*value_); }

 protected:
  std::vector<core::intrusive<core::completion>> sources_;
  std::optional<Value> value_;
};

struct nothing {};

template <class F, class Future>
class then_state final : public derived<std::conditional_t<std::is_void_v<std::invoke_result_t<F, Future>>, nothing,
                                                           std::invoke_result_t<F, Future>>>,
                         core::continuation {
  using result = std::invoke_result_t<F, Future>;

 public:
  then_state(Future before, F next) : before_(std::move(before)), next_(std::move(next)) {
    this->sources_.push_back(before_.shared_state());
  }
  /// Keeps itself alive until it has run.
  void arm() {
    this->retain();
    core::completion& source = *this->sources_.front();
    source.attach(*this);
  }

 private:
  void run() noexcept override {
    const core::intrusive<then_state> self(this);
    std::exception_ptr error;
    try {
      if constexpr (std::is_void_v<result>) {
        std::move(next_)(std::move(before_));
        this->value_.emplace();
      } else {
        this->value_.emplace(std::move(next_)(std::move(before_)));
      }
    } catch (...) {
      error = std::current_exception();
    }
    this->complete(std::move(error));
  }

  Future before_;
  F next_;
};

template <class Future, class F>
auto chain(Future before, F next) {
  using result = std::invoke_result_t<F, Future>;
  using state_type = then_state<F, Future>;
  if (!before.valid()) throw_no_state();
  core::intrusive<state_type> state(new state_type(std::move(before), std::move(next)));
  state->arm();
  if constexpr (std::is_void_v<result>) {
    return future<void>(core::intrusive<core::completion>(std::move(state)));
  } else {
    return future<result>(core::intrusive<core::completion>(std::move(state)),
                          [](core::completion& done) { return static_cast<state_type&>(done).take(); });
  }
}

/// Holds futures until all are ready, then is ready itself with them.
template <class Futures>
class all_state final : public derived<Futures> {
 public:
  explicit all_state(Futures parts) : parts_(std::move(parts)) {
    for_each([this](auto& part) {
      if (!part.valid()) throw_no_state();
      this->sources_.push_back(part.shared_state());
    });
  }
  void arm() {
    const std::size_t count = this->sources_.size();
    open_.store(count + 1, std::memory_order_relaxed);
    watchers_ = std::vector<watcher>(count);
    for (std::size_t i = 0; i < count; ++i) {
      this->retain();
      watchers_[i].owner = this;
      this->sources_[i]->attach(watchers_[i]);
    }
    one_less();
  }

 private:
  struct watcher final : core::continuation {
    all_state* owner = nullptr;
    void run() noexcept override {
      const core::intrusive<all_state> keep(owner);
      owner->one_less();
    }
  };

  template <class Visit>
  void for_each(Visit visit) {
    if constexpr (requires { std::tuple_size<Futures>::value; }) {
      std::apply([&](auto&... part) { (visit(part), ...); }, parts_);
    } else {
      for (auto& part : parts_) visit(part);
    }
  }
  void one_less() noexcept {
    if (open_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    this->value_.emplace(std::move(parts_));
    this->complete(nullptr);
  }

  Futures parts_;
  std::atomic<std::size_t> open_{0};
  std::vector<watcher> watchers_;
};

template <class Futures>
future<Futures> all_of(Futures parts) {
  using state_type = all_state<Futures>;
  core::intrusive<state_type> state(new state_type(std::move(parts)));
  state->arm();
  return future<Futures>(core::intrusive<core::completion>(std::move(state)),
                         [](core::completion& done) { return static_cast<state_type&>(done).take(); });
}

}  // namespace detail

template <class T>
template <class F>
auto future<T>::then(F next) && {
  return detail::chain(std::move(*this), std::move(next));
}

template <class F>
auto future<void>::then(F next) && {
  return detail::chain(std::move(*this), std::move(next));
}

/// Ready when all are, with all of them; ask each for its value or error. Errors: invalid_state if one is empty.
template <class... T>
future<std::tuple<future<T>...>> when_all(future<T>... parts) {
  return detail::all_of(std::tuple<future<T>...>(std::move(parts)...));
}
template <class T>
future<std::vector<future<T>>> when_all(std::vector<future<T>> parts) {
  return detail::all_of(std::move(parts));
}

}  // namespace tutti
