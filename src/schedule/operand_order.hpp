// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace tutti::schedules {

/// In which order a schedule combines the ranks' contributions.
enum class operand_order : std::uint8_t {
  any,        ///< permuted: only for commutative operators
  rank,       ///< rank order, freely parenthesised: for every associative operator
  left_fold,  ///< ((x0 op x1) op x2) op ..: for every operator
};

/// "any", "rank", "left_fold".
constexpr const char* to_string(operand_order order) noexcept {
  switch (order) {
    case operand_order::any: return "any";
    case operand_order::rank: return "rank";
    case operand_order::left_fold: return "left_fold";
  }
  return "unknown";
}

}  // namespace tutti::schedules
