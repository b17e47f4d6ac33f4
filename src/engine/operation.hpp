// SPDX-License-Identifier: BSL-1.0
// A call that outlives the function that issued it.
#pragma once

#include <cstddef>
#include <memory>

#include "base/aligned_bytes.hpp"
#include "engine/activity.hpp"
#include "tutti/core/operation.hpp"

namespace tutti::engine {

using core::intrusive;

class site;

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
