// SPDX-License-Identifier: BSL-1.0
// min, max, minloc and maxloc give the same bits for any order and any grouping of their operands.
#include <gtest/gtest.h>

#include "tutti/core/make_reducer.hpp"
#include "unit/kernels/reference.hpp"

namespace {

using namespace tutti;

template <class T>
bool equal_bits(const T& a, const T& b) {
  return reference::same_bits(&a, &b, 1);
}
template <class T>
bool equal_bits(const value_at<T, int>& a, const value_at<T, int>& b) {
  return equal_bits(a.value, b.value) && a.index == b.index;
}

template <class T, class Op>
void order_is_free(const std::vector<T>& values, Op op) {
  for (const T& a : values) {
    for (const T& b : values) {
      EXPECT_TRUE(equal_bits(op(a, b), op(b, a)));
      for (const T& c : values) EXPECT_TRUE(equal_bits(op(op(a, b), c), op(a, op(b, c))));
    }
  }
}

template <class T>
void check_type() {
  const auto values = reference::special_values<T>();
  order_is_free(values, tutti::min{});
  order_is_free(values, tutti::max{});
  std::vector<value_at<T, int>> placed;
  for (const T& value : values) {
    placed.push_back({value, 3});
    placed.push_back({value, static_cast<int>(placed.size() % 5)});
  }
  order_is_free(placed, minloc{});
  order_is_free(placed, maxloc{});
}

TEST(extremes, order_and_grouping_are_free) {
  check_type<std::int32_t>();
  check_type<half>();
  check_type<bfloat16>();
  check_type<float>();
  check_type<double>();
  check_type<long double>();
}

TEST(extremes, negative_zero_is_below_positive_zero) {
  EXPECT_TRUE(std::signbit(tutti::min{}(0.0, -0.0)));
  EXPECT_FALSE(std::signbit(tutti::max{}(-0.0, 0.0)));
}

template <class T, class Op>
T fold_two(Op op, T a, T b) {
  core::bound_operator<T, Op> bound(op);
  const core::reducer reducer = bound.view();
  const void* const sources[] = {&a, &b};
  T result{};
  EXPECT_TRUE(reducer.fold(reducer.state, &result, sources, 2, 1));
  return result;
}

TEST(built_in_operators, types_that_share_kernels) {
  EXPECT_EQ(fold_two(std::logical_or<bool>{}, false, true), true);
  EXPECT_EQ(fold_two(std::bit_xor<>{}, true, true), false);
  EXPECT_EQ(fold_two(std::plus<>{}, 'a', static_cast<char>(1)), 'b');
  EXPECT_EQ(fold_two(tutti::max{}, L'a', L'b'), L'b');
  EXPECT_EQ(fold_two(std::plus<>{}, std::numeric_limits<long long>::max(), 1LL), std::numeric_limits<long long>::min());
  EXPECT_EQ(fold_two(std::multiplies<>{}, std::uint16_t{0xffff}, std::uint16_t{0xffff}), 1);
  EXPECT_EQ(fold_two(std::logical_and<>{}, 0.5, -7.0), 1.0);
  EXPECT_EQ(fold_two(std::plus<>{}, half(1.0F), half(0x1p-11F)), half(1.0F));
}

TEST(built_in_operators, the_sum_of_negative_zeros_is_negative_zero) {
  EXPECT_TRUE(std::signbit(fold_two(std::plus<>{}, -0.0, -0.0)));
  EXPECT_TRUE(std::signbit(fold_two(std::plus<>{}, std::complex<float>(-0.0F, -0.0F), {-0.0F, -0.0F}).imag()));
}

}  // namespace
