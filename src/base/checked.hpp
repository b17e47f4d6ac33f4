// SPDX-License-Identifier: BSL-1.0
// Arithmetic on counts and bytes that notices when it leaves 64 bits.
#pragma once

#include <concepts>
#include <optional>

namespace tutti {

template <std::unsigned_integral T>
constexpr std::optional<T> checked_multiply(T a, T b) noexcept {
  T product{};
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

template <std::unsigned_integral T>
constexpr std::optional<T> checked_add(T a, T b) noexcept {
  T sum{};
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

template <std::integral T>
constexpr T divide_up(T a, T b) noexcept {
  return static_cast<T>(a / b + (a % b != 0 ? 1 : 0));
}

}  // namespace tutti
