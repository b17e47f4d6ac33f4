// SPDX-License-Identifier: BSL-1.0
#include "tutti/core/make_reducer.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <stdexcept>
#include <vector>

namespace {

using namespace tutti;

struct affine {  // x -> a x + b under composition: associative, not commutative
  std::int64_t a;
  std::int64_t b;
  friend bool operator==(const affine&, const affine&) = default;
};

constexpr auto compose = [](const affine& f, const affine& g) noexcept { return affine{f.a * g.a, f.b * g.a + g.b}; };

struct only_built {  // trivially copyable, no operator=, no default constructor
  explicit only_built(int v) : value(v) {}
  const int value;
};

template <class T, class Op>
bool fold(core::bound_operator<T, Op>& bound, T* target, const std::vector<std::vector<T>>& operands) {
  std::vector<const void*> sources;
  for (const auto& operand : operands) sources.push_back(operand.data());
  const core::reducer reducer = bound.view();
  return reducer.fold(reducer.state, target, sources.data(), sources.size(), operands[0].size());
}

std::vector<std::vector<affine>> affine_operands(std::size_t sources, std::size_t count) {
  std::vector<std::vector<affine>> operands(sources, std::vector<affine>(count));
  for (std::size_t s = 0; s < sources; ++s) {
    for (std::size_t i = 0; i < count; ++i) {
      operands[s][i] = {static_cast<std::int64_t>(s + 2), static_cast<std::int64_t>(100 * s + i)};
    }
  }
  return operands;
}

TEST(make_reducer, user_callable_folds_from_the_left) {
  for (const std::size_t sources : {1U, 2U, 3U, 9U}) {
    const auto operands = affine_operands(sources, 13);
    std::vector<affine> expected = operands[0];
    for (std::size_t s = 1; s < sources; ++s) {
      for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = compose(expected[i], operands[s][i]);
    }
    core::bound_operator<affine, decltype(compose)> bound(compose);
    EXPECT_FALSE(bound.view().may_throw);
    EXPECT_FALSE(bound.view().commutative);
    EXPECT_TRUE(bound.view().associative);
    std::vector<affine> target(13);
    ASSERT_TRUE(fold(bound, target.data(), operands));
    EXPECT_EQ(target, expected) << sources << " sources";
    for (std::size_t alias = 0; alias < sources; ++alias) {
      auto in_place = operands;
      ASSERT_TRUE(fold(bound, in_place[alias].data(), in_place));
      EXPECT_EQ(in_place[alias], expected) << sources << " sources, target is source " << alias;
    }
  }
}

TEST(make_reducer, keeps_state_and_move_only_callables) {
  auto counted = [calls = 0, step = std::make_unique<int>(7)](int a, int b) mutable { return a + b + *step * ++calls; };
  core::bound_operator<int, decltype(counted)> bound(std::move(counted));
  std::array<int, 1> target{};
  ASSERT_TRUE(fold(bound, target.data(), {{1}, {2}}));
  EXPECT_EQ(target[0], 1 + 2 + 7);
  ASSERT_TRUE(fold(bound, target.data(), {{1}, {2}}));
  EXPECT_EQ(target[0], 1 + 2 + 14);
}

TEST(make_reducer, an_exception_is_kept_and_the_next_fold_works) {
  auto picky = [](int a, int b) { return b < 0 ? throw std::runtime_error("negative") : a + b; };
  core::bound_operator<int, decltype(picky)> bound(picky);
  EXPECT_TRUE(bound.view().may_throw);
  std::array<int, 2> target{};
  EXPECT_FALSE(fold(bound, target.data(), {{1, 2}, {3, -4}}));
  EXPECT_THROW(std::rethrow_exception(bound.take_exception()), std::runtime_error);
  EXPECT_EQ(bound.take_exception(), nullptr);
  EXPECT_TRUE(fold(bound, target.data(), {{1, 2}, {3, 4}}));
  EXPECT_EQ(target, (std::array{4, 6}));
}

TEST(make_reducer, types_without_assignment) {
  auto add = [](const only_built& a, const only_built& b) { return only_built(a.value + b.value); };
  core::bound_operator<only_built, decltype(add)> bound(add);
  std::vector<only_built> target{only_built(0)};
  using one = std::vector<only_built>;
  ASSERT_TRUE(fold(bound, target.data(), {one{only_built(1)}, one{only_built(2)}, one{only_built(4)}}));
  EXPECT_EQ(target[0].value, 7);
}

TEST(make_reducer, left_fold_admits_minus) {
  auto minus = left_fold(std::minus{});
  core::bound_operator<double, decltype(minus)> bound(minus);
  EXPECT_FALSE(bound.view().associative);
  EXPECT_FALSE(bound.view().commutative);
  EXPECT_FALSE(bound.view().may_throw);
  std::array<double, 1> target{};
  ASSERT_TRUE(fold(bound, target.data(), {{10}, {1}, {2}}));
  EXPECT_EQ(target[0], 7);
}

TEST(make_reducer, minloc_takes_the_lowest_index_and_propagates_nan) {
  using entry = value_at<double>;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  core::bound_operator<entry, minloc> bound(minloc{});
  std::array<entry, 3> target{};
  ASSERT_TRUE(fold(bound, target.data(), {{{1, 5}, {0.0, 1}, {nan, 9}}, {{1, 3}, {-0.0, 2}, {-7, 1}}}));
  EXPECT_EQ(target[0], (entry{1, 3}));
  EXPECT_EQ(target[1].index, 2);
  EXPECT_TRUE(target[2].value != target[2].value);
  EXPECT_EQ(target[2].index, 9);
}

template <class T, class Op>
constexpr std::uint64_t identity = core::bound_operator<T, Op>::identity();

TEST(make_reducer, identities_tell_operators_apart_and_only_operators) {
  EXPECT_EQ((identity<double, std::plus<>>), (identity<double, std::plus<double>>));
  EXPECT_EQ((identity<double, commutative_operator<std::plus<>>>), (identity<double, std::plus<double>>));
  EXPECT_NE((identity<double, std::plus<>>), (identity<double, std::multiplies<>>));
  EXPECT_NE((identity<double, std::plus<>>), (identity<double, left_fold_operator<std::plus<>>>));
  auto one = [](int a, int b) { return a + b; };
  auto other = [](int a, int b) { return a * b; };
  const core::bound_operator<int, decltype(one)> first(one);
  const core::bound_operator<int, decltype(other)> second(other);
  EXPECT_NE(first.identity(), second.identity());
}

TEST(make_reducer, built_in_pairs_are_commutative_and_others_only_when_declared) {
  auto add = [](int a, int b) { return a + b; };
  auto declared = commutative(add);
  EXPECT_TRUE((core::bound_operator<int, std::bit_xor<>>({}).view().commutative));
  EXPECT_FALSE((core::bound_operator<int, decltype(add)>(add).view().commutative));
  EXPECT_TRUE((core::bound_operator<int, decltype(declared)>(declared).view().commutative));
}

static_assert(reducible<float, tutti::min>);
static_assert(reducible<half, std::plus<>>);
static_assert(reducible<std::complex<double>, std::multiplies<>>);
static_assert(!reducible<std::complex<double>, tutti::max>);
static_assert(!reducible<double, std::bit_and<>>);
static_assert(!reducible<bool, std::plus<>>);
static_assert(!reducible<int, std::minus<>>);
static_assert(!reducible<int, decltype(commutative(std::minus<>{}))>);
static_assert(!reducible<std::vector<int>, std::plus<>>);

}  // namespace
