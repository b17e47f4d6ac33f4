// SPDX-License-Identifier: BSL-1.0
// The smallest program that needs both the headers and the library.
#include <tutti/core/error.hpp>

#include <cstdio>
#include <string_view>

int main() {
  const std::string_view word = tutti::to_string(tutti::errc::mismatch);
  std::printf("tutti calls it a %s\n", word.data());
  return word == "mismatch" ? 0 : 1;
}
