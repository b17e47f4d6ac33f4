// SPDX-License-Identifier: BSL-1.0
#include "tutti/core/type_identity.hpp"

#include <gtest/gtest.h>

#include <complex>

#include "tutti/operators.hpp"

namespace my_app {
struct cell {
  double mass;
  int kind;
};
}  // namespace my_app

namespace {

using tutti::core::datatype_of;

static_assert(datatype_of<double>().name == "double");
static_assert(datatype_of<std::complex<float>>().name == "std::complex<float>");
static_assert(datatype_of<tutti::bfloat16>().name == "tutti::bfloat16");
static_assert(datatype_of<my_app::cell>().name == "my_app::cell");
static_assert(datatype_of<my_app::cell>().bytes == sizeof(my_app::cell));

TEST(type_identity, differs_between_types_of_equal_size) {
  const std::uint64_t identities[] = {datatype_of<double>().identity,
                                      datatype_of<std::int64_t>().identity,
                                      datatype_of<std::uint64_t>().identity,
                                      datatype_of<long long>().identity,
                                      datatype_of<std::complex<float>>().identity,
                                      datatype_of<my_app::cell>().identity,
                                      datatype_of<tutti::value_at<float, int>>().identity};
  for (const auto& a : identities) {
    for (const auto& b : identities) EXPECT_EQ(a == b, &a == &b);
  }
}

}  // namespace
