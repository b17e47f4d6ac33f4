// SPDX-License-Identifier: BSL-1.0
// The numbers by which the library's kernels are found: one per kind of element, one per operator.
#pragma once

#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "tutti/core/call.hpp"
#include "tutti/half.hpp"

namespace tutti::core {

enum class element_code : std::uint8_t {
  none,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float16,
  brain16,
  float32,
  float64,
  extended,  ///< long double
  complex32,
  complex64,
  complex_extended,
};
inline constexpr std::size_t element_code_count = 17;

enum class operator_code : std::uint8_t {
  none,
  plus,
  multiplies,
  min,
  max,
  bit_and,
  bit_or,
  bit_xor,
  logical_and,
  logical_or,
  logical_xor,
  minloc,
  maxloc,
};
inline constexpr std::size_t operator_code_count = 13;

template <class T>
inline constexpr bool is_small_float = std::same_as<T, half> || std::same_as<T, bfloat16>;

template <class T>
inline constexpr bool is_real = std::is_arithmetic_v<T> || is_small_float<T>;

template <class T>
inline constexpr bool is_complex = false;
template <std::floating_point T>
inline constexpr bool is_complex<std::complex<T>> = true;

/// `none` for types without kernels. Integers are told by width and sign; bool has the operators of uint8,
/// which keep it 0 or 1.
template <class T>
consteval element_code element_code_of() noexcept {
  using enum element_code;
  if constexpr (std::is_integral_v<T>) {
    constexpr bool sign = std::is_signed_v<T>;
    switch (sizeof(T)) {
      case 1: return sign ? int8 : uint8;
      case 2: return sign ? int16 : uint16;
      case 4: return sign ? int32 : uint32;
      case 8: return sign ? int64 : uint64;
      default: return none;
    }
  }
  if (std::same_as<T, half>) return float16;
  if (std::same_as<T, bfloat16>) return brain16;
  if (std::same_as<T, float>) return float32;
  if (std::same_as<T, double>) return float64;
  if (std::same_as<T, long double>) return extended;
  if (std::same_as<T, std::complex<float>>) return complex32;
  if (std::same_as<T, std::complex<double>>) return complex64;
  if (std::same_as<T, std::complex<long double>>) return complex_extended;
  return none;
}

/// "std::plus", "tutti::min": static storage.
constexpr std::string_view operator_name(operator_code code) noexcept {
  constexpr std::string_view names[operator_code_count] = {
      "",
      "std::plus",
      "std::multiplies",
      "tutti::min",
      "tutti::max",
      "std::bit_and",
      "std::bit_or",
      "std::bit_xor",
      "std::logical_and",
      "std::logical_or",
      "tutti::logical_xor",
      "tutti::minloc",
      "tutti::maxloc",
  };
  return names[static_cast<std::size_t>(code)];
}

/// The library's kernel for this pair, built for the best instruction set of this processor (or the one that
/// the environment variable TUTTI_KERNELS names); nullptr if there is none. The choice is made once and never
/// changes results. Thread-safe; constant time.
reducer::fold_function kernel(element_code element, operator_code operation) noexcept;

}  // namespace tutti::core
