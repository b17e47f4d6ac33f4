// SPDX-License-Identifier: BSL-1.0
#include "tutti/core/completion.hpp"

namespace tutti::core {
namespace {

/// Marks a list that takes no more: its owner is complete.
class closed_list final : public continuation {
 public:
  void run() noexcept override {}
};
closed_list closed;

}  // namespace

void completion::attach(continuation& next) noexcept {
  continuation* head = attached_.load(std::memory_order_acquire);
  do {
    if (head == &closed) {
      next.run();
      return;
    }
    next.next_ = head;
  } while (!attached_.compare_exchange_weak(head, &next, std::memory_order_acq_rel, std::memory_order_acquire));
}

void completion::complete_unshared(std::exception_ptr error) noexcept {
  error_ = std::move(error);
  attached_.store(&closed, std::memory_order_relaxed);
  state_.store(completed, std::memory_order_release);
}

void completion::complete(std::exception_ptr error) noexcept {
  error_ = std::move(error);
  state_.store(completed, std::memory_order_release);
  continuation* waiting = attached_.exchange(&closed, std::memory_order_acq_rel);
  continuation* in_order = nullptr;
  while (waiting != nullptr) {
    continuation* const next = waiting->next_;
    waiting->next_ = in_order;
    in_order = waiting;
    waiting = next;
  }
  while (in_order != nullptr) {
    continuation* const next = in_order->next_;
    in_order->run();
    in_order = next;
  }
}

}  // namespace tutti::core
