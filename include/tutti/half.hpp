// SPDX-License-Identifier: BSL-1.0
// Two 16-bit floating-point storage types. They hold values; arithmetic happens in float.
//
// Accumulation: an operator on half or bfloat16 elements converts both operands to float, applies itself once
// in float, and rounds the result once, to nearest, ties to even. A fold of k elements therefore rounds k-1
// times, and gives the same bits wherever it runs.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>
#include <limits>

namespace tutti {
namespace core {

// Without branches, so that loops over them become vector code; always inlined, so that a translation unit
// built for one instruction set leaves no copy for the linker to hand to another.

[[gnu::always_inline]] constexpr float half_bits_to_float(std::uint16_t half) noexcept {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16;
  const std::uint32_t magnitude = half & 0x7fffU;
  const std::uint32_t rebiased = (magnitude << 13) + (112U << 23);
  const std::uint32_t infinite = (magnitude << 13) | 0x7f800000U;
  const std::uint32_t quiet = infinite | (magnitude > 0x7c00U ? 0x00400000U : 0U);
  const float steps = static_cast<float>(static_cast<std::int32_t>(magnitude)) * 0x1p-24F;
  const auto subnormal = std::bit_cast<std::uint32_t>(steps);
  const std::uint32_t finite = magnitude < 0x0400U ? subnormal : rebiased;
  return std::bit_cast<float>(sign | (magnitude >= 0x7c00U ? quiet : finite));
}

[[gnu::always_inline]] constexpr std::uint16_t float_to_half_bits(float value) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  const std::uint32_t even = (magnitude >> 13) & 1U;
  const std::uint32_t normal = (magnitude - (112U << 23) + 0x0fffU + even) >> 13;
  // In [0.5, 1) a float counts in steps of 2^-24, the step of half's subnormals: the addition rounds for us.
  const bool tiny = magnitude < 0x38800000U;
  const float shifted = std::bit_cast<float>(tiny ? magnitude : 0U) + 0.5F;
  const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(shifted) - 0x3f000000U;
  const std::uint32_t finite = tiny ? subnormal : normal;
  const std::uint32_t special = magnitude > 0x7f800000U ? (0x7e00U | ((magnitude >> 13) & 0x03ffU)) : 0x7c00U;
  return static_cast<std::uint16_t>(sign | (magnitude >= 0x47800000U ? special : finite));
}

[[gnu::always_inline]] constexpr float bfloat16_bits_to_float(std::uint16_t bits) noexcept {
  const std::uint32_t quiet = (bits & 0x7fffU) > 0x7f80U ? 0x0040U : 0U;
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits | quiet) << 16);
}

[[gnu::always_inline]] constexpr std::uint16_t float_to_bfloat16_bits(float value) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16;
  const std::uint32_t quiet = (bits >> 16) | 0x0040U;
  return static_cast<std::uint16_t>((bits & 0x7fffffffU) > 0x7f800000U ? quiet : rounded);
}

}  // namespace core

/// IEEE 754 binary16: 11 bits of precision, largest value 65504, smallest subnormal 2^-24. Conversions keep
/// infinities, signed zeros and subnormals; a NaN stays a NaN and becomes quiet.
class half {
 public:
  constexpr half() = default;
  constexpr explicit half(float value) noexcept : bits_(core::float_to_half_bits(value)) {}
  static constexpr half from_bits(std::uint16_t bits) noexcept {
    half result;
    result.bits_ = bits;
    return result;
  }

  constexpr explicit operator float() const noexcept { return core::half_bits_to_float(bits_); }
  constexpr std::uint16_t bits() const noexcept { return bits_; }

  /// By value: -0 equals +0, NaN is unordered.
  friend constexpr bool operator==(half a, half b) noexcept { return static_cast<float>(a) == static_cast<float>(b); }
  friend constexpr std::partial_ordering operator<=>(half a, half b) noexcept {
    return static_cast<float>(a) <=> static_cast<float>(b);
  }

 private:
  std::uint16_t bits_ = 0;
};

/// The upper half of a float: 8 bits of precision and float's range. Conversions as for `half`.
class bfloat16 {
 public:
  constexpr bfloat16() = default;
  constexpr explicit bfloat16(float value) noexcept : bits_(core::float_to_bfloat16_bits(value)) {}
  static constexpr bfloat16 from_bits(std::uint16_t bits) noexcept {
    bfloat16 result;
    result.bits_ = bits;
    return result;
  }

  constexpr explicit operator float() const noexcept { return core::bfloat16_bits_to_float(bits_); }
  constexpr std::uint16_t bits() const noexcept { return bits_; }

  friend constexpr bool operator==(bfloat16 a, bfloat16 b) noexcept {
    return static_cast<float>(a) == static_cast<float>(b);
  }
  friend constexpr std::partial_ordering operator<=>(bfloat16 a, bfloat16 b) noexcept {
    return static_cast<float>(a) <=> static_cast<float>(b);
  }

 private:
  std::uint16_t bits_ = 0;
};

}  // namespace tutti

namespace tutti::core {

/// What std::numeric_limits says of both 16-bit types.
template <class T, int Digits, std::uint16_t Smallest, std::uint16_t Largest, std::uint16_t Infinity,
          std::uint16_t Epsilon>
struct small_float_limits {
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = true;
  static constexpr bool is_integer = false;
  static constexpr bool is_exact = false;
  static constexpr bool is_iec559 = true;
  static constexpr bool is_bounded = true;
  static constexpr bool has_infinity = true;
  static constexpr bool has_quiet_NaN = true;
  static constexpr int radix = 2;
  static constexpr int digits = Digits;
  static constexpr T min() noexcept { return T::from_bits(Smallest); }
  static constexpr T max() noexcept { return T::from_bits(Largest); }
  static constexpr T lowest() noexcept { return T::from_bits(Largest | 0x8000U); }
  static constexpr T epsilon() noexcept { return T::from_bits(Epsilon); }
  static constexpr T infinity() noexcept { return T::from_bits(Infinity); }
  static constexpr T quiet_NaN() noexcept { return T::from_bits(Infinity | (1U << (Digits - 2))); }
  static constexpr T denorm_min() noexcept { return T::from_bits(1); }
};

}  // namespace tutti::core

template <>
struct std::numeric_limits<tutti::half>
    : tutti::core::small_float_limits<tutti::half, 11, 0x0400, 0x7bff, 0x7c00, 0x1400> {};
template <>
struct std::numeric_limits<tutti::bfloat16>
    : tutti::core::small_float_limits<tutti::bfloat16, 8, 0x0080, 0x7f7f, 0x7f80, 0x3c00> {};
