// SPDX-License-Identifier: BSL-1.0
// Results inside the library. Nothing below src/api throws on purpose: failures travel as values and
// become one exception type at the API.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "tutti/core/error.hpp"

namespace tutti {

struct failure {
  errc code = errc::internal;
  std::string text;
};

/// A value or the reason why there is none. Never both, never neither.
template <class T>
class [[nodiscard]] result {
 public:
  result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  result(failure why) : state_(std::in_place_index<1>, std::move(why)) {}

  explicit operator bool() const noexcept { return state_.index() == 0; }
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  const failure& why() const& { return std::get<1>(state_); }
  failure&& why() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, failure> state_;
};

/// Success, or the reason why not.
class [[nodiscard]] status {
 public:
  status() = default;
  status(failure why) : why_(std::move(why)) {}

  explicit operator bool() const noexcept { return !why_; }
  const failure& why() const& { return *why_; }
  failure&& why() && { return std::move(*why_); }

 private:
  std::optional<failure> why_;
};

}  // namespace tutti
