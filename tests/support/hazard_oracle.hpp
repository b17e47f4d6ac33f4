// SPDX-License-Identifier: BSL-1.0
// Races found the slow and plain way, to judge both the builder and the checker: every pair of steps is
// compared, and reachability is a full matrix.
#pragma once

#include <span>
#include <vector>

#include "schedule/schedule.hpp"

namespace tutti::test {

inline bool same_memory(const schedules::slice& a, const schedules::slice& b) {
  using schedules::buffer;
  const auto memory = [](buffer where) { return where == buffer::input ? buffer::output : where; };
  return memory(a.where) == memory(b.where) && a.at < b.at + b.count && b.at < a.at + a.count;
}

/// Whether one of the two writes what the other touches; input and output are one place.
inline bool conflict(const schedules::schedule& s, const schedules::step& a, const schedules::step& b) {
  const auto all_of = [&](const schedules::step& of) {
    std::vector<schedules::slice> slices{of.target};
    for (const schedules::slice& operand : s.operands_of(of)) slices.push_back(operand);
    return slices;
  };
  const auto written = [&](const schedules::step& of) {
    if (of.kind == schedules::step_kind::send) return std::vector<schedules::slice>{};
    return of.kind == schedules::step_kind::receive ? all_of(of) : std::vector{of.target};
  };
  const auto writes_into = [&](const schedules::step& writer, const schedules::step& other) {
    for (const schedules::slice& target : written(writer)) {
      for (const schedules::slice& touched : all_of(other)) {
        if (same_memory(target, touched)) return true;
      }
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
