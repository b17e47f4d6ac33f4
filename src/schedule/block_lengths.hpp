// SPDX-License-Identifier: BSL-1.0
// How long each block of one call is, in elements. Data falls into parts (assignment.hpp); all have the same
// count, or a table gives each its own (the v-variants). Each part is split into equally many blocks whose
// sizes differ by at most one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "schedule/assignment.hpp"
#include "schedule/schedule.hpp"

namespace tutti::schedules {

class block_lengths {
 public:
  /// `parts` parts of `count` elements each. `blocks` is a multiple of `parts`.
  block_lengths(element_count count, std::int32_t parts, std::int32_t blocks)
      : per_part_(blocks / parts), count_(count) {}

  /// Part i has counts[i] elements, counts.size() >= 1. Parts whose blocks a rank's schedule does not name may be
  /// given as 0 there. Precondition: the sum fits 64 bits.
  block_lengths(std::span<const element_count> counts, std::int32_t blocks)
      : per_part_(blocks / static_cast<std::int32_t>(counts.size())), before_{0} {
    for (const element_count count : counts) before_.push_back(before_.back() + count);
  }

  /// Elements of all blocks before `block`, 0 <= block <= blocks.
  element_count before(std::int32_t block) const {
    const std::int32_t part = block / per_part_;
    const std::int32_t inside = block % per_part_;
    return start_of(part) + (inside == 0 ? 0 : block_layout(count_of(part), per_part_).offset(inside));
  }

  element_count elements(std::int32_t first, std::int32_t count) const { return before(first + count) - before(first); }

  /// Elements of the largest block: one scratch slot.
  element_count largest() const {
    if (before_.empty()) return block_layout(count_, per_part_).largest();
    element_count most = 0;
    for (std::size_t part = 0; part + 1 < before_.size(); ++part) {
      most = std::max(most, block_layout(before_[part + 1] - before_[part], per_part_).largest());
    }
    return most;
  }

  /// Elements before `block` in a buffer that holds `held`. Precondition: it is held. O(runs before it) with a
  /// table, else O(1).
  element_count offset(const holding& held, std::int32_t block) const {
    const std::int32_t row = held.runs > 1 ? (block - held.first) / held.stride : 0;
    const std::int32_t begin = held.first + row * held.stride;
    element_count rows = 0;
    if (before_.empty()) {
      rows = static_cast<element_count>(row) * elements(held.first, held.run);
    } else {
      for (std::int32_t r = 0; r < row; ++r) rows += elements(held.first + r * held.stride, held.run);
    }
    return rows + before(block) - before(begin);
  }

  /// Elements in a buffer that holds `held`.
  element_count total(const holding& held) const {
    if (held.blocks() == 0) return 0;
    const std::int32_t last = held.first + (held.runs - 1) * held.stride;
    return offset(held, last) + elements(last, held.run);
  }

 private:
  element_count count_of(std::int32_t part) const {
    if (before_.empty()) return count_;
    const auto at = static_cast<std::size_t>(part);
    return before_[at + 1] - before_[at];
  }
  element_count start_of(std::int32_t part) const {
    return before_.empty() ? static_cast<element_count>(part) * count_ : before_[static_cast<std::size_t>(part)];
  }

  std::int32_t per_part_;
  element_count count_ = 0;            // without a table
  std::vector<element_count> before_;  // with one: elements before each part, and of all
};

}  // namespace tutti::schedules
