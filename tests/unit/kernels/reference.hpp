// SPDX-License-Identifier: BSL-1.0
// What the built-in operators mean, said a second time and plainly, and values that try them.
#pragma once

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <vector>

#include "tutti/core/classify.hpp"

namespace tutti::reference {

using core::operator_code;

template <class T>
T wide_integer(operator_code code, T a, T b) {
  __extension__ using wide = unsigned __int128;
  switch (code) {
    case operator_code::plus: return static_cast<T>(static_cast<wide>(a) + static_cast<wide>(b));
    case operator_code::multiplies: return static_cast<T>(static_cast<wide>(a) * static_cast<wide>(b));
    case operator_code::bit_and: return static_cast<T>(a & b);
    case operator_code::bit_or: return static_cast<T>(a | b);
    case operator_code::bit_xor: return static_cast<T>(a ^ b);
    case operator_code::min: return b < a ? b : a;
    default: return a < b ? b : a;
  }
}

template <class T>
T real_number(operator_code code, T a, T b) {
  const T nan = std::numeric_limits<T>::quiet_NaN();
  if (std::isnan(a) || std::isnan(b)) return nan;
  const T low = a < b || (a == b && std::signbit(a)) ? a : b;
  const T high = a > b || (a == b && !std::signbit(a)) ? a : b;
  switch (code) {
    case operator_code::plus: return std::isnan(a + b) ? nan : a + b;
    case operator_code::multiplies: return std::isnan(a * b) ? nan : a * b;
    case operator_code::min: return low;
    default: return high;
  }
}

template <class T>
T combine(operator_code code, T a, T b) {
  if constexpr (core::is_complex<T>) {
    using part = typename T::value_type;
    const auto clean = [](part x) { return std::isnan(x) ? std::numeric_limits<part>::quiet_NaN() : x; };
    if (code == operator_code::plus) return {clean(a.real() + b.real()), clean(a.imag() + b.imag())};
    return {clean(a.real() * b.real() - a.imag() * b.imag()), clean(a.real() * b.imag() + a.imag() * b.real())};
  } else {
    const bool x = !(a == T{});
    const bool y = !(b == T{});
    const auto truth = [](bool value) { return static_cast<T>(value ? 1.0F : 0.0F); };
    if (code == operator_code::logical_and) return truth(x && y);
    if (code == operator_code::logical_or) return truth(x || y);
    if (code == operator_code::logical_xor) return truth(x != y);
    if constexpr (core::is_small_float<T>) {
      return T(real_number(code, static_cast<float>(a), static_cast<float>(b)));
    } else if constexpr (std::is_integral_v<T>) {
      return wide_integer(code, a, b);
    } else {
      return real_number(code, a, b);
    }
  }
}

/// Equal in every bit that carries value; the padding of long double does not.
template <class T>
bool same_bits(const T* a, const T* b, std::size_t count) {
  if constexpr (core::is_complex<T>) {
    using part = typename T::value_type;
    return same_bits(reinterpret_cast<const part*>(a), reinterpret_cast<const part*>(b), 2 * count);
  } else if constexpr (std::same_as<T, long double>) {
    const std::size_t value_bytes = std::numeric_limits<T>::digits == 64 ? 10 : sizeof(T);
    for (std::size_t i = 0; i < count; ++i) {
      if (std::memcmp(a + i, b + i, value_bytes) != 0) return false;
    }
    return true;
  } else {
    return count == 0 || std::memcmp(a, b, count * sizeof(T)) == 0;
  }
}

template <class T>
std::vector<T> special_values() {
  using limits = std::numeric_limits<T>;
  if constexpr (std::is_integral_v<T>) {
    return {T{0}, T{1}, static_cast<T>(-1), limits::max(), limits::min(), static_cast<T>(limits::max() - 1), T{2}};
  } else {
    const auto of = [](float x) { return static_cast<T>(x); };
    std::vector<T> values{of(0.0F),           of(-0.0F),     of(1.0F),
                          of(-1.0F),          of(0.5F),      limits::max(),
                          limits::lowest(),   limits::min(), limits::denorm_min(),
                          limits::infinity(), of(-INFINITY), limits::quiet_NaN()};
    if constexpr (core::is_small_float<T>) {
      values.push_back(T::from_bits(0xffff));
      values.push_back(T::from_bits(static_cast<std::uint16_t>(limits::infinity().bits() + 1)));
    } else {
      values.push_back(-limits::quiet_NaN());
      values.push_back(static_cast<T>(std::nan("77")));
    }
    return values;
  }
}

/// Different for each (source, index), a special value one time in four.
template <class T>
T sample(std::size_t source, std::size_t index) {
  if constexpr (core::is_complex<T>) {
    using part = typename T::value_type;
    return {sample<part>(source, 2 * index), sample<part>(source, 2 * index + 1)};
  } else {
    static const std::vector<T> special = special_values<T>();
    std::uint64_t mixed = (source * 0x9e3779b97f4a7c15U) ^ ((index + 1) * 0xbf58476d1ce4e5b9U);
    mixed = (mixed ^ (mixed >> 29)) * 0x94d049bb133111ebU;
    mixed ^= mixed >> 32;
    if (mixed % 4 == 0) return special[(mixed >> 8) % special.size()];
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(mixed >> 3);
    } else {
      const int magnitude = static_cast<int>((mixed >> 8) % 9) - 4;
      const double fraction = static_cast<double>(static_cast<std::int64_t>(mixed)) * 0x1p-63;
      return static_cast<T>(static_cast<float>(std::ldexp(fraction, magnitude)));
    }
  }
}

}  // namespace tutti::reference
