// SPDX-License-Identifier: BSL-1.0
// The operators of reductions, and how to say what your own operator may be assumed to do.
//
// Built in, for arithmetic types, tutti::half and tutti::bfloat16: std::plus, std::multiplies, tutti::min,
// tutti::max, std::logical_and, std::logical_or, tutti::logical_xor; for integers and bool: std::bit_and,
// std::bit_or, std::bit_xor; for std::complex: std::plus and std::multiplies (the plain formula
// (ac - bd) + (ad + bc)i, without the recovery of infinities of C's Annex G); for tutti::value_at:
// tutti::minloc and tutti::maxloc. Standard operators count in both forms, std::plus<> and std::plus<T>.
// For bool, plus and multiplies do not compile: say std::logical_or or std::logical_and. Rules for NaN, signed
// zeros and overflow: tutti/core/apply.hpp. A fold starts from a real operand, never from an identity: the sum
// of negative zeros is negative zero, and one rank's value alone comes back as it is.
//
// Your own: any callable `T op(const T&, const T&)`; its state is kept and its operator() may change it. It is
// taken to be associative, and commutative only if you say so.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

#include "tutti/core/apply.hpp"

namespace tutti {
namespace core {

template <class T>
concept ordered = requires(const T& a, const T& b) {
  { a < b } -> std::convertible_to<bool>;
};

}  // namespace core

/// The smaller of two. For real types -0.0 is below +0.0, and NaN wins over everything, so that the result
/// does not depend on order. For other types with operator<, the first of equals.
struct min {
  template <class T>
    requires core::is_real<T> || core::ordered<T>
  constexpr T operator()(const T& a, const T& b) const {
    if constexpr (core::is_real<T>) {
      return core::apply<core::operator_code::min>(a, b);
    } else {
      return b < a ? b : a;
    }
  }
};

/// The larger of two; otherwise as `min`.
struct max {
  template <class T>
    requires core::is_real<T> || core::ordered<T>
  constexpr T operator()(const T& a, const T& b) const {
    if constexpr (core::is_real<T>) {
      return core::apply<core::operator_code::max>(a, b);
    } else {
      return a < b ? b : a;
    }
  }
};

/// True exactly if one of two is. The result is 0 or 1 in T.
struct logical_xor {
  template <class T>
    requires core::is_real<T>
  constexpr T operator()(const T& a, const T& b) const noexcept {
    return core::apply<core::operator_code::logical_xor>(a, b);
  }
};

/// A value and where it is.
template <class T, std::integral Index = std::int64_t>
struct value_at {
  T value{};
  Index index{};
  friend constexpr bool operator==(const value_at&, const value_at&) = default;
};

namespace core {

template <class T>
inline constexpr bool is_value_at = false;
template <class T, class Index>
inline constexpr bool is_value_at<value_at<T, Index>> = is_real<T>;

/// The winner of two under a total order: NaN first, then the better value, then the lower index.
template <operator_code Extreme, class T, class Index>
constexpr value_at<T, Index> better_of(const value_at<T, Index>& a, const value_at<T, Index>& b) noexcept {
  const T best = apply<Extreme>(a.value, b.value);
  if (best != best) {
    const bool a_is_nan = a.value != a.value;
    const bool b_is_nan = b.value != b.value;
    const Index lower = a.index < b.index ? a.index : b.index;
    return {best, a_is_nan && b_is_nan ? lower : (a_is_nan ? a.index : b.index)};
  }
  const auto is_best = [best](T x) {  // equal bits: == alone would take one zero for the other
    if constexpr (std::floating_point<T>) {
      return x == best && __builtin_signbit(x) == __builtin_signbit(best);
    } else if constexpr (is_small_float<T>) {
      return x.bits() == best.bits();
    } else {
      return x == best;
    }
  };
  const bool a_wins = is_best(a.value);
  const bool b_wins = is_best(b.value);
  if (a_wins && b_wins) return {best, a.index < b.index ? a.index : b.index};
  return {best, a_wins ? a.index : b.index};
}

}  // namespace core

/// The smaller value and its index. Of equal values the lowest index wins, -0.0 is below +0.0. A NaN wins over
/// every number, as the canonical quiet NaN with the lowest index of a NaN.
struct minloc {
  template <class T, class Index>
    requires core::is_real<T>
  constexpr value_at<T, Index> operator()(const value_at<T, Index>& a, const value_at<T, Index>& b) const noexcept {
    return core::better_of<core::operator_code::min>(a, b);
  }
};

/// The larger value and its index; otherwise as `minloc`.
struct maxloc {
  template <class T, class Index>
    requires core::is_real<T>
  constexpr value_at<T, Index> operator()(const value_at<T, Index>& a, const value_at<T, Index>& b) const noexcept {
    return core::better_of<core::operator_code::max>(a, b);
  }
};

/// What may be assumed of a callable. Specialize it for your own type, or wrap the object in `commutative`.
/// The built-in operators on built-in types need no traits.
template <class Op>
struct operator_traits {
  static constexpr bool is_commutative = false;  ///< operands may be permuted
  static constexpr bool is_associative = true;   ///< operands may be regrouped
};

template <class T>
struct operator_traits<std::minus<T>> {
  static constexpr bool is_commutative = false;
  static constexpr bool is_associative = false;
};
template <class T>
struct operator_traits<std::divides<T>> : operator_traits<std::minus<T>> {};
template <class T>
struct operator_traits<std::modulus<T>> : operator_traits<std::minus<T>> {};

/// A callable declared commutative. Made by `commutative`.
template <class Op>
struct commutative_operator {
  Op operation;
  template <class T>
  constexpr decltype(auto) operator()(const T& a, const T& b) noexcept(noexcept(operation(a, b)))
    requires std::invocable<Op&, const T&, const T&>
  {
    return operation(a, b);
  }
};

/// A callable to be applied strictly from the left, rank after rank. Made by `left_fold`.
template <class Op>
struct left_fold_operator {
  Op operation;
  template <class T>
  constexpr decltype(auto) operator()(const T& a, const T& b) noexcept(noexcept(operation(a, b)))
    requires std::invocable<Op&, const T&, const T&>
  {
    return operation(a, b);
  }
};

template <class Op>
struct operator_traits<commutative_operator<Op>> {
  static constexpr bool is_commutative = true;
  static constexpr bool is_associative = operator_traits<Op>::is_associative;
};
template <class Op>
struct operator_traits<left_fold_operator<Op>> {
  static constexpr bool is_commutative = false;
  static constexpr bool is_associative = false;
};

/// Says that op(a, b) and op(b, a) are the same, which admits more algorithms.
template <class Op>
constexpr commutative_operator<std::decay_t<Op>> commutative(Op&& op) {
  return {std::forward<Op>(op)};
}

/// Asks for op(..op(op(x0, x1), x2).., x[P-1]) exactly. The only way to use an operator that is not
/// associative, such as std::minus or std::divides. Costs a fold in rank order at one place.
template <class Op>
constexpr left_fold_operator<std::decay_t<Op>> left_fold(Op&& op) {
  return {std::forward<Op>(op)};
}

}  // namespace tutti

#include "tutti/core/classify.hpp"
