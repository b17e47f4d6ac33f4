// SPDX-License-Identifier: BSL-1.0
// What each built-in operator does to two elements: the one definition that kernels and headers share.
//
// All of them are commutative bit for bit, and all but floating-point plus and multiplies associative bit for bit:
//   integers      plus and multiplies wrap around (two's complement), in the width of the element
//   NaN           any operator with a NaN result gives the canonical quiet NaN (positive, no payload); min and
//                 max of anything and a NaN are NaN
//   signed zeros  min and max order -0.0 below +0.0
//   logical       the result is exactly 0 or 1 in the element's type; NaN counts as true
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "tutti/core/element_code.hpp"

namespace tutti::core {

template <class T>
inline constexpr T canonical_nan = std::numeric_limits<T>::quiet_NaN();

namespace detail {

template <class T>
[[gnu::always_inline]] constexpr T canonical(T value) noexcept {
  return value != value ? canonical_nan<T> : value;
}

/// Unsigned and at least as wide as int, so that nothing overflows and nothing is promoted to a signed type.
template <class T>
using wrapping = std::conditional_t<(sizeof(T) < sizeof(unsigned)), unsigned, std::make_unsigned_t<T>>;

template <class T>
[[gnu::always_inline]] constexpr T either_zero(T a, T b, bool negative) noexcept {
  if constexpr (sizeof(T) == 4 || sizeof(T) == 8) {
    using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    const auto x = std::bit_cast<bits>(a);
    const auto y = std::bit_cast<bits>(b);
    return std::bit_cast<T>(static_cast<bits>(negative ? (x | y) : (x & y)));
  } else {
    return (__builtin_signbit(a) != 0) == negative ? a : b;
  }
}

template <operator_code Code, class T>
[[gnu::always_inline]] constexpr T extreme(T a, T b) noexcept {
  constexpr bool least = Code == operator_code::min;
  T result = least ? (a < b ? a : b) : (a > b ? a : b);
  if constexpr (std::floating_point<T>) {
    result = a == b ? either_zero(a, b, least) : result;
    result = ((a != a) | (b != b)) ? canonical_nan<T> : result;
  }
  return result;
}

template <operator_code Code>
[[gnu::always_inline]] constexpr bool logical(bool a, bool b) noexcept {
  if constexpr (Code == operator_code::logical_and) return a & b;
  if constexpr (Code == operator_code::logical_or) return a | b;
  return a ^ b;
}

template <operator_code Code, std::integral T>
[[gnu::always_inline]] constexpr T apply_integer(T a, T b) noexcept {
  using enum operator_code;
  if constexpr (Code == plus) return static_cast<T>(static_cast<wrapping<T>>(a) + static_cast<wrapping<T>>(b));
  if constexpr (Code == multiplies) return static_cast<T>(static_cast<wrapping<T>>(a) * static_cast<wrapping<T>>(b));
  if constexpr (Code == bit_and) return static_cast<T>(a & b);
  if constexpr (Code == bit_or) return static_cast<T>(a | b);
  if constexpr (Code == bit_xor) return static_cast<T>(a ^ b);
}

}  // namespace detail

/// Precondition: `Code` is defined for T (see `is_built_in`), and is not minloc or maxloc.
template <operator_code Code, class T>
[[gnu::always_inline]] constexpr T apply(T a, T b) noexcept {
  using enum operator_code;
  if constexpr (is_small_float<T>) {
    return T(apply<Code>(static_cast<float>(a), static_cast<float>(b)));
  } else if constexpr (Code == min || Code == max) {
    return detail::extreme<Code>(a, b);
  } else if constexpr (Code == logical_and || Code == logical_or || Code == logical_xor) {
    return static_cast<T>(detail::logical<Code>(a != T{}, b != T{}));
  } else if constexpr (std::floating_point<T>) {
    if constexpr (Code == plus) return detail::canonical(a + b);
    if constexpr (Code == multiplies) return detail::canonical(a * b);
  } else {
    return detail::apply_integer<Code>(a, b);
  }
}

}  // namespace tutti::core
