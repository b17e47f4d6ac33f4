// SPDX-License-Identifier: BSL-1.0
// The smallest program that needs both the headers and the library.
#include <cstdio>
#include <string_view>
#include <tutti/core/error.hpp>

int main() {
  const std::string_view word = tutti::to_string(tutti::errc::mismatch);
  std::printf("tutti calls it a %s\n", word.data());
  return word == "mismatch" ? 0 : 1;
}
