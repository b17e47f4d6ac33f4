// SPDX-License-Identifier: BSL-1.0
// What tests combine: element types with an operator, and what each rank contributes. All but
// real_sums are exact, so that the naive fold in rank order is the one right answer.
#pragma once

#include <bit>
#include <cstdint>
#include <functional>

#include "schedule/operand_order.hpp"
#include "tutti/operators.hpp"

namespace tutti::test {

/// A number that no other (rank, index, salt) has.
constexpr std::uint64_t unique(std::uint64_t rank, std::uint64_t index, std::uint64_t salt) noexcept {
  std::uint64_t word = (rank << 48) ^ (salt << 40) ^ index;
  word = (word ^ (word >> 31)) * 0x9e3779b97f4a7c15U;
  word = (word ^ (word >> 29)) * 0xbf58476d1ce4e5b9U;
  return word ^ (word >> 32);
}

/// x -> a x + b, modulo 2^64. Composition is associative and not commutative.
struct affine {
  std::uint64_t a;
  std::uint64_t b;
};

constexpr affine compose(const affine& first, const affine& then) noexcept {
  return {first.a * then.a, then.a * first.b + then.b};
}

struct composition {
  constexpr affine operator()(const affine& f, const affine& g) const noexcept { return compose(f, g); }
};
/// The same, but may throw as far as anyone can tell, so that the calls end in an agreement.
struct doubtful_composition {
  constexpr affine operator()(const affine& f, const affine& g) const { return compose(f, g); }
};

template <class Operator>
struct affine_maps {
  static constexpr const char* name = "affine maps";
  static constexpr auto needs = schedules::operand_order::rank;
  static constexpr bool is_exact = true;
  using element = affine;
  static element contribution(std::uint64_t rank, std::uint64_t index, std::uint64_t salt) noexcept {
    return {unique(rank, 2 * index, salt) | 1U, unique(rank, 2 * index + 1, salt)};
  }
  static Operator combine() noexcept { return {}; }
};

/// Three bytes: elements that no word boundary fits.
struct tally {
  std::uint8_t bytes[3];
};

struct add_tallies {
  constexpr tally operator()(const tally& x, const tally& y) const noexcept {
    tally sum{};
    for (int i = 0; i < 3; ++i) sum.bytes[i] = static_cast<std::uint8_t>(x.bytes[i] + y.bytes[i]);
    return sum;
  }
};

struct tallies {
  static constexpr const char* name = "tallies";
  static constexpr auto needs = schedules::operand_order::any;
  static constexpr bool is_exact = true;
  using element = tally;
  static element contribution(std::uint64_t rank, std::uint64_t index, std::uint64_t salt) noexcept {
    const std::uint64_t word = unique(rank, index, salt);
    return {
        {static_cast<std::uint8_t>(word), static_cast<std::uint8_t>(word >> 8), static_cast<std::uint8_t>(word >> 16)}};
  }
  static auto combine() noexcept { return commutative(add_tallies{}); }
};

/// Neither commutative nor associative: only the left fold gives this answer.
struct lean_left {
  constexpr std::uint64_t operator()(const std::uint64_t& x, const std::uint64_t& y) const noexcept {
    return std::rotl(3 * x, 7) - y;
  }
};

struct left_folds {
  static constexpr const char* name = "left folds";
  static constexpr auto needs = schedules::operand_order::left_fold;
  static constexpr bool is_exact = true;
  using element = std::uint64_t;
  static element contribution(std::uint64_t rank, std::uint64_t index, std::uint64_t salt) noexcept {
    return unique(rank, index, salt);
  }
  static auto combine() noexcept { return left_fold(lean_left{}); }
};

/// The library's own kernel on values of very different size, whose sum depends on the order. Ranks must still
/// agree on every bit.
struct real_sums {
  static constexpr const char* name = "real sums";
  static constexpr auto needs = schedules::operand_order::any;
  static constexpr bool is_exact = false;
  using element = double;
  static element contribution(std::uint64_t rank, std::uint64_t index, std::uint64_t salt) noexcept {
    const std::uint64_t word = unique(rank, index, salt);
    const double value = static_cast<double>(word >> 12) * (word % 2 == 0 ? 1.0 : -1.0);
    return (word >> 3) % 2 == 0 ? value : value * 0x1p-30;
  }
  static std::plus<> combine() noexcept { return {}; }
};

}  // namespace tutti::test
