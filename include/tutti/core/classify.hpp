// SPDX-License-Identifier: BSL-1.0
// Which (element type, operator) pairs are built in, which are allowed, and what to say of the others.
#pragma once

#include <concepts>
#include <functional>
#include <type_traits>

#include "tutti/operators.hpp"

namespace tutti {
namespace core {

/// The operator's code if Op is one of the standard or tutti operators for elements of type T, wherever T itself
/// may be used with it or not; wrappers do not matter.
template <class T, class Op>
inline constexpr operator_code named_operator = operator_code::none;

// clang-format off
template <class T> inline constexpr operator_code named_operator<T, std::plus<>> = operator_code::plus;
template <class T> inline constexpr operator_code named_operator<T, std::plus<T>> = operator_code::plus;
template <class T> inline constexpr operator_code named_operator<T, std::multiplies<>> = operator_code::multiplies;
template <class T> inline constexpr operator_code named_operator<T, std::multiplies<T>> = operator_code::multiplies;
template <class T> inline constexpr operator_code named_operator<T, std::bit_and<>> = operator_code::bit_and;
template <class T> inline constexpr operator_code named_operator<T, std::bit_and<T>> = operator_code::bit_and;
template <class T> inline constexpr operator_code named_operator<T, std::bit_or<>> = operator_code::bit_or;
template <class T> inline constexpr operator_code named_operator<T, std::bit_or<T>> = operator_code::bit_or;
template <class T> inline constexpr operator_code named_operator<T, std::bit_xor<>> = operator_code::bit_xor;
template <class T> inline constexpr operator_code named_operator<T, std::bit_xor<T>> = operator_code::bit_xor;
template <class T> inline constexpr operator_code named_operator<T, std::logical_and<>> = operator_code::logical_and;
template <class T> inline constexpr operator_code named_operator<T, std::logical_and<T>> = operator_code::logical_and;
template <class T> inline constexpr operator_code named_operator<T, std::logical_or<>> = operator_code::logical_or;
template <class T> inline constexpr operator_code named_operator<T, std::logical_or<T>> = operator_code::logical_or;
template <class T> inline constexpr operator_code named_operator<T, logical_xor> = operator_code::logical_xor;
template <class T> inline constexpr operator_code named_operator<T, min> = operator_code::min;
template <class T> inline constexpr operator_code named_operator<T, max> = operator_code::max;
template <class T> inline constexpr operator_code named_operator<T, minloc> = operator_code::minloc;
template <class T> inline constexpr operator_code named_operator<T, maxloc> = operator_code::maxloc;
// clang-format on

template <class T, class Op>
inline constexpr operator_code named_operator<T, commutative_operator<Op>> = named_operator<T, Op>;
template <class T, class Op>
inline constexpr operator_code named_operator<T, left_fold_operator<Op>> = named_operator<T, Op>;

template <class Op>
inline constexpr bool asks_left_fold = false;
template <class Op>
inline constexpr bool asks_left_fold<left_fold_operator<Op>> = true;
template <class Op>
inline constexpr bool asks_left_fold<commutative_operator<Op>> = asks_left_fold<Op>;

/// Whether the operator is defined for T by the library itself.
template <class T>
constexpr bool is_built_in(operator_code code) noexcept {
  using enum operator_code;
  switch (code) {
    case none: return false;
    case plus:
    case multiplies: return (is_real<T> && !std::same_as<T, bool>) || is_complex<T>;
    case bit_and:
    case bit_or:
    case bit_xor: return std::is_integral_v<T>;
    case minloc:
    case maxloc: return is_value_at<T>;
    default: return is_real<T>;
  }
}

template <class T, class Op>
inline constexpr bool is_built_in_pair = is_built_in<T>(named_operator<T, Op>);

/// bool with plus or multiplies: refused, since sums of bool are counts to some and disjunctions to others.
template <class T, class Op>
inline constexpr bool is_arithmetic_on_bool =
    std::same_as<T, bool> &&
    (named_operator<T, Op> == operator_code::plus || named_operator<T, Op> == operator_code::multiplies);

template <class T, class Op>
concept callable_on = requires(Op& op, const T& a, const T& b) {
  { op(a, b) } -> std::convertible_to<T>;
};

template <class Op>
inline constexpr bool has_order = operator_traits<Op>::is_associative || asks_left_fold<Op>;

}  // namespace core

/// Elements of type T can be combined by Op.
template <class T, class Op>
concept reducible = std::is_trivially_copyable_v<T> && !core::is_arithmetic_on_bool<T, Op> && core::has_order<Op> &&
                    (core::is_built_in_pair<T, Op> || core::callable_on<T, Op>);

namespace core {

/// Does not compile, and says why, unless reducible<T, Op>.
template <class T, class Op>
consteval bool require_reducible() noexcept {
  static_assert(std::is_trivially_copyable_v<T>,
                "tutti: elements of this call must be trivially copyable; values of any other type come with the "
                "collectives for serialized values");
  static_assert(!is_arithmetic_on_bool<T, Op>,
                "tutti: plus and multiplies are not defined on bool; use std::logical_or or std::logical_and, or "
                "reduce integers to count");
  static_assert(has_order<Op>,
                "tutti: this operator is not associative (std::minus, std::divides and std::modulus are not); "
                "tutti::left_fold(op) asks for the strict order from the left");
  if constexpr (std::is_trivially_copyable_v<T> && !is_arithmetic_on_bool<T, Op>) {
    static_assert(is_built_in_pair<T, Op> || callable_on<T, Op>,
                  "tutti: the operator cannot combine two elements; it must be callable as T op(const T&, const T&) "
                  "with a result convertible to T");
  }
  return true;
}

}  // namespace core
}  // namespace tutti
