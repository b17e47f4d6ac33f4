// SPDX-License-Identifier: BSL-1.0
// A schedule taken apart, so that tests can change one step without minding the pools.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "schedule/schedule.hpp"

namespace tutti::test {

struct loose_step {
  schedules::step_kind kind;
  std::uint32_t stage;
  schedules::slice target;
  std::vector<rank_id> peers;
  std::vector<schedules::slice> operands;
  std::vector<std::uint32_t> after;

  bool moves() const { return kind == schedules::step_kind::send || kind == schedules::step_kind::receive; }
};

struct loose_schedule {
  schedules::schedule frame;  ///< everything but the steps
  std::vector<loose_step> steps;

  explicit loose_schedule(const schedules::schedule& s) : frame(s) {
    for (const schedules::step& what : s.steps) {
      const auto peers = s.peers_of(what);
      const auto operands = s.operands_of(what);
      const auto after = s.after_of(what);
      steps.push_back({what.kind,
                       what.stage,
                       what.target,
                       {peers.begin(), peers.end()},
                       {operands.begin(), operands.end()},
                       {after.begin(), after.end()}});
    }
  }

  schedules::schedule tighten() const {
    schedules::schedule made = frame;
    made.steps.clear();
    made.peers.clear();
    made.operands.clear();
    made.after.clear();
    for (const loose_step& what : steps) {
      made.steps.push_back({what.kind, what.stage, what.target, append(made.peers, what.peers),
                            append(made.operands, what.operands), append(made.after, what.after)});
    }
    return made;
  }

  /// Removes a step; who waited for it waits for what it waited for.
  void remove(std::uint32_t index) {
    const std::vector<std::uint32_t> inherited = steps[index].after;
    steps.erase(steps.begin() + index);
    for (loose_step& what : steps) {
      if (std::erase(what.after, index) != 0) what.after.insert(what.after.end(), inherited.begin(), inherited.end());
      for (std::uint32_t& earlier : what.after) earlier -= earlier > index ? 1U : 0U;
      std::sort(what.after.begin(), what.after.end());
      what.after.erase(std::unique(what.after.begin(), what.after.end()), what.after.end());
    }
  }

  /// Room for `blocks` in scratch that no step uses yet.
  schedules::slice fresh_scratch(const schedules::slice& blocks) {
    const std::int32_t at = frame.scratch_slots;
    frame.scratch_slots += blocks.count;
    return schedules::scratch(at, blocks.first, blocks.count);
  }

 private:
  template <class T>
  static schedules::run append(std::vector<T>& pool, const std::vector<T>& entries) {
    const schedules::run where{static_cast<std::uint32_t>(pool.size()), static_cast<std::uint32_t>(entries.size())};
    pool.insert(pool.end(), entries.begin(), entries.end());
    return where;
  }
};

}  // namespace tutti::test
