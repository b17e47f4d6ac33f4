// SPDX-License-Identifier: BSL-1.0
// Races found the slow and plain way, to judge both the builder and the checker: every pair of steps is
// compared, and reachability is a full matrix.
#pragma once

#include <span>
#include <vector>

#include "schedule/schedule.hpp"

namespace tutti::test {

inline bool same_memory(const schedules::slice& a, const schedules::slice& b) {
  const bool a_scratch = a.where == schedules::buffer::scratch;
  const bool b_scratch = b.where == schedules::buffer::scratch;
  return a_scratch == b_scratch && a.at < b.at + b.count && b.at < a.at + a.count;
}

/// Whether one of the two writes what the other touches; input and output are one place.
inline bool conflict(const schedules::schedule& s, const schedules::step& a, const schedules::step& b) {
  const auto writes_into = [&](const schedules::step& writer, const schedules::step& other) {
    if (writer.kind == schedules::step_kind::send) return false;
    if (same_memory(writer.target, other.target)) return true;
    for (const schedules::slice& operand : s.operands_of(other)) {
      if (same_memory(writer.target, operand)) return true;
    }
    return false;
  };
  return writes_into(a, b) || writes_into(b, a);
}

/// Whether some two conflicting steps may run in either order.
inline bool has_race(const schedules::schedule& s) {
  const std::size_t count = s.steps.size();
  std::vector<std::vector<bool>> before(count, std::vector<bool>(count));  // [later][earlier]
  for (std::size_t later = 0; later < count; ++later) {
    for (const std::uint32_t earlier : s.after_of(s.steps[later])) {
      before[later][earlier] = true;
      for (std::size_t i = 0; i < earlier; ++i) before[later][i] = before[later][i] || before[earlier][i];
    }
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      if (!before[later][earlier] && conflict(s, s.steps[earlier], s.steps[later])) return true;
    }
  }
  return false;
}

}  // namespace tutti::test
