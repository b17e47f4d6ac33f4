// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>

namespace tutti::conformance {

struct verdict {
  std::uint64_t cases = 0;
  std::uint64_t wrong = 0;
  std::string first_mismatch;  ///< empty: none
};

inline void note(verdict& in, std::string mismatch) {
  ++in.wrong;
  if (in.first_mismatch.empty()) in.first_mismatch = std::move(mismatch);
}

inline verdict operator+(verdict a, const verdict& b) {
  a.cases += b.cases;
  a.wrong += b.wrong;
  if (a.first_mismatch.empty()) a.first_mismatch = b.first_mismatch;
  return a;
}

}  // namespace tutti::conformance
