// SPDX-License-Identifier: BSL-1.0
// The fold loops. Each instruction set's translation unit includes this once and compiles it for itself.
//
// Everything here has internal linkage or is always inlined: an inline function with a copy of its own, built for
// AVX-512, could be the one the linker keeps for the whole program. A test looks for such symbols.
#pragma once

#include <bit>
#include <cstddef>
#include <cstring>
#include <utility>

#include "kernels/kernel_table.hpp"
#include "tutti/core/apply.hpp"

namespace tutti::kernels {
namespace {

/// std::complex as its layout promises it, free of its out-of-line operators.
template <class T>
struct complex_value {
  T real;
  T imaginary;
};

template <operator_code Code, class T>
[[gnu::always_inline]] constexpr T combine_two(T a, T b) noexcept {
  return core::apply<Code>(a, b);
}

/// -x by its bits. GCC 12 turns the alternating difference and sum of a complex product into fused instructions
/// even where contraction is off; two sums it leaves alone, and a + (-b) is a - b in every bit.
template <class T>
[[gnu::always_inline]] constexpr T opaque_negation(T x) noexcept {
  if constexpr (sizeof(T) == 4) return std::bit_cast<T>(std::bit_cast<std::uint32_t>(x) ^ 0x80000000U);
  if constexpr (sizeof(T) == 8) return std::bit_cast<T>(std::bit_cast<std::uint64_t>(x) ^ 0x8000000000000000U);
  return -x;
}

template <operator_code Code, class T>
[[gnu::always_inline]] constexpr complex_value<T> combine_two(complex_value<T> a, complex_value<T> b) noexcept {
  if constexpr (Code == operator_code::plus) {
    return {core::detail::canonical(a.real + b.real), core::detail::canonical(a.imaginary + b.imaginary)};
  } else {
    return {core::detail::canonical(a.real * b.real + a.imaginary * opaque_negation(b.imaginary)),
            core::detail::canonical(a.real * b.imaginary + a.imaginary * b.real)};
  }
}

/// out[i] = op(..op(operands[0][i], operands[1][i]).., operands[Width - 1][i]). `out` may be one of the operands:
/// element i is read before it is written, and nobody else reads it, so the loop has no dependency.
template <operator_code Code, class T, std::size_t... Rest>
[[gnu::always_inline]] inline void combine(T* out, const T* const* operands, std::size_t count,
                                           std::index_sequence<Rest...>) noexcept {
  const T* const first = operands[0];
  const T* const rest[] = {operands[Rest + 1]...};
#pragma GCC ivdep
  for (std::size_t i = 0; i < count; ++i) {
    T running = first[i];
    ((running = combine_two<Code>(running, rest[Rest][i])), ...);
    out[i] = running;
  }
}

template <operator_code Code, class T, std::size_t Width>
[[gnu::noinline]] void combine(T* out, const T* const* operands, std::size_t count) noexcept {
  combine<Code>(out, operands, count, std::make_index_sequence<Width - 1>{});
}

/// Pairs worth loops over four and eight sources at once; the others go two by two. Each loop costs build time and
/// code, and only large vectors of the common types are bound by memory.
template <operator_code Code, class T>
inline constexpr bool is_wide = (Code == operator_code::plus || Code == operator_code::multiplies ||
                                 Code == operator_code::min || Code == operator_code::max) &&
                                sizeof(T) >= 4 && sizeof(T) % sizeof(long double) != 0;
template <operator_code Code>
inline constexpr bool is_wide<Code, complex_value<double>> = true;

/// How many operands the next loop takes when `left` are left.
template <operator_code Code, class T>
[[gnu::always_inline]] constexpr std::size_t width_for(std::size_t left) noexcept {
  if constexpr (!is_wide<Code, T>) return 2;
  return left >= 8 ? 8 : (left >= 4 ? 4 : 2);
}

template <operator_code Code, class T>
[[gnu::always_inline]] inline void combine_any(T* out, const T* const* operands, std::size_t width,
                                               std::size_t count) noexcept {
  if constexpr (is_wide<Code, T>) {
    if (width == 8) return combine<Code, T, 8>(out, operands, count);
    if (width == 4) return combine<Code, T, 4>(out, operands, count);
  }
  combine<Code, T, 2>(out, operands, count);
}

/// The sources go group by group through a block that stays in the first-level cache; `target` is written by the
/// last group only, since it may be a source of any group.
template <operator_code Code, class T>
[[gnu::noinline]] void fold_many(T* target, const void* const* sources, std::size_t source_count,
                                 std::size_t count) noexcept {
  constexpr std::size_t block_elements = 4096 / sizeof(T);
  alignas(64) T block[block_elements];
  const std::size_t step = width_for<Code, T>(source_count) == source_count ? count : block_elements;
  for (std::size_t begin = 0; begin < count; begin += step) {
    const std::size_t length = count - begin < step ? count - begin : step;
    for (std::size_t next = 0; next < source_count;) {
      const T* operands[8] = {block};
      std::size_t used = next == 0 ? 0 : 1;
      const std::size_t width = width_for<Code, T>(source_count - next + used);
      while (used < width) operands[used++] = static_cast<const T*>(sources[next++]) + begin;
      combine_any<Code, T>(next == source_count ? target + begin : block, operands, width, length);
    }
  }
}

/// core::reducer::fold_function.
template <operator_code Code, class T>
bool fold(void*, void* target, const void* const* sources, std::size_t source_count, std::size_t count) noexcept {
  if (count == 0) return true;
  if (source_count == 1) {
    if (target != sources[0]) std::memcpy(target, sources[0], count * sizeof(T));
  } else if (source_count == 2) {
    const T* const operands[] = {static_cast<const T*>(sources[0]), static_cast<const T*>(sources[1])};
    combine<Code, T, 2>(static_cast<T*>(target), operands, count);
  } else {
    fold_many<Code, T>(static_cast<T*>(target), sources, source_count, count);
  }
  return true;
}

using row = std::array<core::reducer::fold_function, core::operator_code_count>;

template <operator_code Code, class T>
consteval void enter(row& kernels) noexcept {
  kernels[static_cast<std::size_t>(Code)] = &fold<Code, T>;
}

template <class T>
consteval void enter_logical(row& kernels) noexcept {
  enter<operator_code::logical_and, T>(kernels);
  enter<operator_code::logical_or, T>(kernels);
  enter<operator_code::logical_xor, T>(kernels);
}

template <class T>
consteval void enter_order(row& kernels) noexcept {
  enter<operator_code::min, T>(kernels);
  enter<operator_code::max, T>(kernels);
}

template <class T>
consteval row complex_row() noexcept {
  row kernels{};
  enter<operator_code::plus, complex_value<T>>(kernels);
  enter<operator_code::multiplies, complex_value<T>>(kernels);
  return kernels;
}

template <class T>
consteval row real_row() noexcept {
  row kernels{};
  enter<operator_code::plus, T>(kernels);
  enter<operator_code::multiplies, T>(kernels);
  enter_order<T>(kernels);
  enter_logical<T>(kernels);
  return kernels;
}

/// Signed integers share the unsigned kernels wherever the bits come out the same.
template <class T>
consteval row integer_row() noexcept {
  using unsigned_type = std::make_unsigned_t<T>;
  row kernels = real_row<unsigned_type>();
  enter_order<T>(kernels);
  enter<operator_code::bit_and, unsigned_type>(kernels);
  enter<operator_code::bit_or, unsigned_type>(kernels);
  enter<operator_code::bit_xor, unsigned_type>(kernels);
  return kernels;
}

consteval kernel_table make_table() noexcept {
  kernel_table table{};
  const auto row_of = [&table](element_code element) -> row& { return table[static_cast<std::size_t>(element)]; };
  row_of(element_code::int8) = integer_row<std::int8_t>();
  row_of(element_code::int16) = integer_row<std::int16_t>();
  row_of(element_code::int32) = integer_row<std::int32_t>();
  row_of(element_code::int64) = integer_row<std::int64_t>();
  row_of(element_code::uint8) = integer_row<std::uint8_t>();
  row_of(element_code::uint16) = integer_row<std::uint16_t>();
  row_of(element_code::uint32) = integer_row<std::uint32_t>();
  row_of(element_code::uint64) = integer_row<std::uint64_t>();
  row_of(element_code::float16) = real_row<half>();
  row_of(element_code::brain16) = real_row<bfloat16>();
  row_of(element_code::float32) = real_row<float>();
  row_of(element_code::float64) = real_row<double>();
  row_of(element_code::extended) = real_row<long double>();
  row_of(element_code::complex32) = complex_row<float>();
  row_of(element_code::complex64) = complex_row<double>();
  row_of(element_code::complex_extended) = complex_row<long double>();
  return table;
}

}  // namespace
}  // namespace tutti::kernels
