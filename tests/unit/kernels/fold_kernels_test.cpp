// SPDX-License-Identifier: BSL-1.0
// Every kernel of every instruction set against the plain reference, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/kernel_table.hpp"
#include "unit/kernels/reference.hpp"

namespace {

using namespace tutti;
using core::element_code_of;
using core::operator_code;
using kernels::instruction_set;

constexpr std::size_t longest = 1000;
constexpr std::size_t offsets = 8;
constexpr unsigned char guard_byte = 0x5a;

std::vector<std::size_t> lengths() {
  std::vector<std::size_t> all;
  for (std::size_t length = 0; length <= 67; ++length) all.push_back(length);
  all.push_back(longest);
  return all;
}

/// A fold of `sources` operands: their values, each at another alignment, and what must come out.
template <class T>
class fold_case {
 public:
  fold_case(operator_code code, std::size_t sources) : stored_(sources), expected_(longest + offsets) {
    for (std::size_t s = 0; s < sources; ++s) {
      stored_[s].resize(s % 5 + longest + offsets);
      for (std::size_t i = 0; i < expected_.size(); ++i) {
        const T value = reference::sample<T>(s, i);
        stored_[s][s % 5 + i] = value;
        expected_[i] = s == 0 ? value : reference::combine(code, expected_[i], value);
      }
    }
  }

  const T* operand(std::size_t source) const { return stored_[source].data() + source % 5; }
  std::size_t sources() const { return stored_.size(); }

  /// `alias`: the source that is also the target; none if it is no source.
  bool holds(core::reducer::fold_function fold, std::size_t length, std::size_t offset, std::size_t alias) const {
    std::vector<T> scratch(length + 2 * offsets);
    std::memset(static_cast<void*>(scratch.data()), guard_byte, scratch.size() * sizeof(T));
    T* const target = scratch.data() + (3 * offset) % offsets;
    std::vector<const void*> from;
    for (std::size_t s = 0; s < sources(); ++s) from.push_back(operand(s) + offset);
    if (alias < sources()) {
      std::copy_n(operand(alias) + offset, length, target);
      from[alias] = target;
    }
    if (!fold(nullptr, target, from.data(), from.size(), length)) return false;
    return reference::same_bits(target, expected_.data() + offset, length) && is_guard(scratch.data(), target) &&
           is_guard(target + length, scratch.data() + scratch.size());
  }

 private:
  static bool is_guard(const void* begin, const void* end) {
    return std::all_of(static_cast<const unsigned char*>(begin), static_cast<const unsigned char*>(end),
                       [](unsigned char byte) { return byte == guard_byte; });
  }

  std::vector<std::vector<T>> stored_;
  std::vector<T> expected_;
};

std::vector<const kernels::kernel_table*> tables() {
  std::vector<const kernels::kernel_table*> all;
  for (const auto set : {instruction_set::baseline, instruction_set::avx2, instruction_set::avx512}) {
    if (kernels::table_of(set) != nullptr) all.push_back(kernels::table_of(set));
  }
  return all;
}

template <class T>
void check_fold(const fold_case<T>& given, core::reducer::fold_function fold) {
  for (const std::size_t length : lengths()) {
    for (std::size_t offset = 0; offset < offsets; ++offset) {
      const bool chosen = offset == length % offsets;
      if (!chosen && given.sources() > 3) continue;
      const std::size_t last_alias = chosen ? given.sources() : 0;
      for (std::size_t alias = 0; alias <= last_alias; ++alias) {
        const std::size_t source = chosen ? alias : given.sources();
        ASSERT_TRUE(given.holds(fold, length, offset, source))
            << given.sources() << " sources, " << length << " elements at offset " << offset << ", target is source "
            << source;
      }
    }
  }
}

template <class T>
class fold_kernels : public testing::Test {};
using elements = testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                                std::uint32_t, std::uint64_t, half, bfloat16, float, double, long double,
                                std::complex<float>, std::complex<double>, std::complex<long double>>;
TYPED_TEST_SUITE(fold_kernels, elements);

TYPED_TEST(fold_kernels, agree_with_the_reference) {
  std::size_t checked = 0;
  for (std::size_t code = 0; code < core::operator_code_count; ++code) {
    const auto operation = static_cast<operator_code>(code);
    const bool exists = core::is_built_in<TypeParam>(operation);
    for (const auto* table : tables()) {
      const auto fold = (*table)[static_cast<std::size_t>(element_code_of<TypeParam>())][code];
      ASSERT_EQ(fold != nullptr, exists) << core::operator_name(operation);
    }
    if (!exists) continue;
    for (const std::size_t sources : {1U, 2U, 3U, 4U, 5U, 8U, 16U}) {
      const fold_case<TypeParam> given(operation, sources);
      for (std::size_t set = 0; set < tables().size(); ++set) {
        SCOPED_TRACE(std::string(core::operator_name(operation)) + ", instruction set " + std::to_string(set));
        check_fold(given, (*tables()[set])[static_cast<std::size_t>(element_code_of<TypeParam>())][code]);
        if (this->HasFatalFailure()) return;
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 0U);
}

TYPED_TEST(fold_kernels, results_do_not_depend_on_operand_order) {
  constexpr std::size_t count = 512;
  std::vector<TypeParam> a(count), b(count), one(count), other(count);
  for (std::size_t i = 0; i < count; ++i) {
    a[i] = reference::sample<TypeParam>(1, i);
    b[i] = reference::sample<TypeParam>(2, i);
  }
  const void* const forwards[] = {a.data(), b.data()};
  const void* const backwards[] = {b.data(), a.data()};
  for (std::size_t code = 0; code < core::operator_code_count; ++code) {
    const auto fold = core::kernel(element_code_of<TypeParam>(), static_cast<operator_code>(code));
    if (fold == nullptr) continue;
    ASSERT_TRUE(fold(nullptr, one.data(), forwards, 2, count));
    ASSERT_TRUE(fold(nullptr, other.data(), backwards, 2, count));
    EXPECT_TRUE(reference::same_bits(one.data(), other.data(), count)) << code;
  }
}

TEST(kernel_selection, a_wish_is_granted_or_the_reason_says_why_not) {
  const auto best = kernels::choose("");
  EXPECT_NE(kernels::table_of(best.set), nullptr);
  EXPECT_EQ(kernels::choose("baseline").set, instruction_set::baseline);
  EXPECT_EQ(kernels::choose("baseline").reason, "named by TUTTI_KERNELS");
  EXPECT_EQ(kernels::choose("AVX9").set, best.set);
  EXPECT_NE(kernels::choose("AVX9").reason, best.reason);
  for (const auto set : {instruction_set::avx2, instruction_set::avx512}) {
    const bool present = kernels::table_of(set) != nullptr;
    EXPECT_EQ(kernels::choose(kernels::to_string(set)).set, present ? set : best.set);
  }
  EXPECT_NE(kernels::table_of(kernels::active_selection().set), nullptr);
}

}  // namespace
