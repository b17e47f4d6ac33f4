// SPDX-License-Identifier: BSL-1.0
// From an element type and an operator to the erased `reducer`: the last place that knows both.
#pragma once

#include <cstddef>
#include <cstring>
#include <exception>
#include <functional>
#include <type_traits>
#include <utility>

#include "tutti/core/call.hpp"
#include "tutti/core/type_identity.hpp"
#include "tutti/operators.hpp"

namespace tutti::core {

/// out[i] = op(first[i], second[i]).
template <class T, class Op>
void combine_pairs(Op& op, T* out, const T* first, const T* second, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const T combined = static_cast<T>(op(first[i], second[i]));
    std::memcpy(static_cast<void*>(out + i), &combined, sizeof(T));  // T may have no operator=
  }
}

/// reducer::fold_function's loop for a callable known at compile time: one pass, operands from left to right,
/// the running value in registers.
template <class T, class Op>
void fold_elements(Op& op, void* target, const void* const* sources, std::size_t source_count, std::size_t count) {
  if (count == 0) return;
  T* const out = static_cast<T*>(target);
  const T* const first = static_cast<const T*>(sources[0]);
  if (source_count == 1) {
    if (out != first) std::memcpy(target, sources[0], count * sizeof(T));
    return;
  }
  const T* const second = static_cast<const T*>(sources[1]);
  if (source_count == 2) {
    // Said in so many words, the compiler knows that in place is harmless and makes vector code of it.
    if (out == first) return combine_pairs(op, out, out, second, count);
    if (out == second) return combine_pairs(op, out, first, out, count);
    return combine_pairs(op, out, first, second, count);
  }
  for (std::size_t i = 0; i < count; ++i) {
    T running = static_cast<T>(op(first[i], second[i]));
    for (std::size_t source = 2; source < source_count; ++source) {
      const T combined = static_cast<T>(op(running, static_cast<const T*>(sources[source])[i]));
      std::memcpy(static_cast<void*>(&running), &combined, sizeof(T));
    }
    std::memcpy(static_cast<void*>(out + i), &running, sizeof(T));
  }
}

/// std::minus and its kin on arithmetic types are not noexcept, but never throw.
template <class T, class Op>
inline constexpr bool never_throws = noexcept(std::declval<Op&>()(std::declval<const T&>(), std::declval<const T&>()));
template <class T, class U>
  requires std::is_arithmetic_v<T>
inline constexpr bool never_throws<T, std::minus<U>> = true;
template <class T, class U>
  requires std::is_arithmetic_v<T>
inline constexpr bool never_throws<T, std::divides<U>> = true;
template <class T, class Op>
inline constexpr bool never_throws<T, left_fold_operator<Op>> = never_throws<T, Op>;
template <class T, class Op>
inline constexpr bool never_throws<T, commutative_operator<Op>> = never_throws<T, Op>;

/// Owns an operator object, and the exception it threw. The reducers it hands out point to it: it must outlive
/// them and must not move while one is in use. Calls of one object must not overlap (its state may change).
template <class T, class Op>
class bound_operator {
  static_assert(require_reducible<T, Op>());
  static constexpr operator_code code = named_operator<T, Op>;
  static constexpr bool built_in = is_built_in_pair<T, Op>;
  static constexpr bool has_kernel = built_in && element_code_of<T>() != element_code::none;

 public:
  explicit bound_operator(Op operation) noexcept(std::is_nothrow_move_constructible_v<Op>)
      : operation_(std::move(operation)) {}

  reducer view() noexcept {
    reducer result;
    if constexpr (has_kernel) {
      result.fold = kernel(element_code_of<T>(), code);
    } else if constexpr (built_in) {
      result.fold = &fold_stateless;
    } else {
      result.fold = &fold_user;
      result.state = this;
      result.may_throw = !never_throws<T, Op>;
      if constexpr (!never_throws<T, Op>) result.take_exception = &take_thrown;
    }
    result.identity = identity();
    result.name = built_in ? operator_name(code) : type_name<Op>();
    result.commutative = !asks_left_fold<Op> && (built_in || operator_traits<Op>::is_commutative);
    result.associative = !asks_left_fold<Op>;
    return result;
  }

  /// What the operator threw, or null; forgets it.
  std::exception_ptr take_exception() noexcept { return std::exchange(thrown_, nullptr); }

  /// Equal for the same operator however it was spelled: std::plus<> and std::plus<double> are one on double.
  static constexpr std::uint64_t identity() noexcept {
    if constexpr (built_in) {
      return hash_text(asks_left_fold<Op> ? " left" : "", hash_text(operator_name(code)));
    } else {
      return type_identity<Op>();
    }
  }

 private:
  static bool fold_stateless(void*, void* target, const void* const* sources, std::size_t source_count,
                             std::size_t count) noexcept
    requires(built_in && is_value_at<T>)
  {
    constexpr operator_code extreme = code == operator_code::minloc ? operator_code::min : operator_code::max;
    constexpr auto operation = [](const T& a, const T& b) noexcept { return better_of<extreme>(a, b); };
    fold_elements<T>(operation, target, sources, source_count, count);
    return true;
  }

  static bool fold_user(void* state, void* target, const void* const* sources, std::size_t source_count,
                        std::size_t count) noexcept {
    auto& self = *static_cast<bound_operator*>(state);
    if constexpr (never_throws<T, Op>) {
      fold_elements<T>(self.operation_, target, sources, source_count, count);
      return true;
    } else {
      try {
        fold_elements<T>(self.operation_, target, sources, source_count, count);
        return true;
      } catch (...) {
        if (!self.thrown_) self.thrown_ = std::current_exception();
        return false;
      }
    }
  }

  static std::exception_ptr take_thrown(void* state) noexcept {
    return static_cast<bound_operator*>(state)->take_exception();
  }

  [[no_unique_address]] Op operation_;
  std::exception_ptr thrown_;
};

}  // namespace tutti::core
