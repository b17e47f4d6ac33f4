// SPDX-License-Identifier: BSL-1.0
// A call that outlives the function that issued it.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

#include "engine/activity.hpp"
#include "tutti/core/operation.hpp"

namespace tutti::engine {

using core::intrusive;

class site;

/// Memory aligned for elements of any type that operations accept.
struct aligned_delete {
  void operator()(std::byte* memory) const noexcept {
    ::operator delete(memory, std::align_val_t{core::operation::largest_alignment});
  }
};
using aligned_bytes = std::unique_ptr<std::byte, aligned_delete>;

class operation final : public core::operation {
 public:
  operation() = default;

  /// The site that executes it; keeps it alive until the operation is disposed of.
  void belong_to(std::shared_ptr<site> owner) noexcept { owner_ = std::move(owner); }
  /// The caller's memory is read or written until completion.
  void borrow() noexcept { borrows_ = true; }

  bool poll() override;
  bool wait_until(time_point until) override;
  void abandon() noexcept override;

  /// By the site: the call has ended.
  void end(progress how) noexcept;
  /// The same, while nobody but the caller knows the operation.
  void end_at_once(progress how) noexcept;
  /// It never began, and nobody but the caller knows the operation.
  void fail(failure why) noexcept;
  /// By the site, which holds itself: copies what is borrowed and leaves the caller's memory alone. False if there is
  /// no memory for the copies.
  bool keep_own_copies() noexcept;

  activity work;

 private:
  void dispose() noexcept override;
  std::exception_ptr error_of(progress how);

  std::shared_ptr<site> owner_;
  bool borrows_ = false;
  aligned_bytes own_input_;
  aligned_bytes own_output_;
};

}  // namespace tutti::engine
