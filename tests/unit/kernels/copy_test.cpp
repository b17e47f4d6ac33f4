// SPDX-License-Identifier: BSL-1.0
#include "kernels/copy.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

TEST(copy, copies_exactly_the_bytes_asked_for) {
  constexpr std::size_t margin = 80;
  for (std::size_t bytes = 0; bytes < 400; ++bytes) {
    for (const std::size_t offset : {0U, 1U, 15U, 16U, 63U, 64U}) {
      std::vector<unsigned char> source(bytes + margin);
      for (std::size_t i = 0; i < source.size(); ++i) {
        source[i] = static_cast<unsigned char>(1 + (i * 37 + bytes) % 251);
      }
      std::vector<unsigned char> target(bytes + 2 * margin);
      tutti::kernels::copy_bytes(target.data() + offset, source.data() + offset / 3, bytes);
      for (std::size_t i = 0; i < target.size(); ++i) {
        const bool inside = i >= offset && i < offset + bytes;
        ASSERT_EQ(target[i], inside ? source[i - offset + offset / 3] : 0) << bytes << " bytes at " << offset;
      }
    }
  }
  tutti::kernels::copy_bytes(nullptr, nullptr, 0);
}

}  // namespace
