// SPDX-License-Identifier: BSL-1.0
#include "schedule/builder.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <string>
#include <utility>

#include "schedule/hazards.hpp"

namespace tutti::schedules {

struct builder::state {
  schedule made;
  hazards vector;   // input and output: one line of places
  hazards staging;  // blocks
  hazards scratch;  // slots
  std::string label;
  bool label_used = false;               // whether `label` is the last of made.stages
  std::vector<std::uint32_t> waits_for;  // of the step being added

  std::uint32_t next_index() const { return static_cast<std::uint32_t>(made.steps.size()); }

  void reads(const slice& what) {
    touch(what);
    line_of(what).read(what.at, what.at + what.count, next_index(), waits_for);
  }

  void writes(const slice& what) {
    touch(what);
    line_of(what).write(what.at, what.at + what.count, next_index(), waits_for);
  }

  hazards& line_of(const slice& what) {
    return what.where == buffer::scratch ? scratch : what.where == buffer::staging ? staging : vector;
  }

  void touch(const slice& what) {
    made.reserve_staging(what);
    if (what.where == buffer::scratch) made.scratch_slots = std::max(made.scratch_slots, what.at + what.count);
  }

  void add(step_kind kind, const slice& target, std::span<const rank_id> peers, std::span<const slice> operands) {
    if (!std::exchange(label_used, true)) made.stages.push_back(label);
    step s;
    s.kind = kind;
    s.stage = static_cast<std::uint32_t>(made.stages.size() - 1);
    s.target = target;
    s.peers = append(made.peers, peers);
    s.operands = append(made.operands, operands);
    s.after = append(made.after, std::span<const std::uint32_t>(dependencies()));
    made.steps.push_back(s);
    waits_for.clear();
  }

  template <class T>
  static run append(std::vector<T>& pool, std::span<const T> entries) {
    const run where{static_cast<std::uint32_t>(pool.size()), static_cast<std::uint32_t>(entries.size())};
    pool.insert(pool.end(), entries.begin(), entries.end());
    return where;
  }

  static std::vector<slice> filled(std::span<const slice> parts) {
    std::vector<slice> made;
    std::copy_if(parts.begin(), parts.end(), std::back_inserter(made), [](const slice& s) { return s.count != 0; });
    return made;
  }

  /// Ascending, unique, and without those that the latest of them already waits for: dropping more
  /// would cost more than waiting for a step that is long complete.
  const std::vector<std::uint32_t>& dependencies() {
    std::sort(waits_for.begin(), waits_for.end());
    waits_for.erase(std::unique(waits_for.begin(), waits_for.end()), waits_for.end());
    if (waits_for.size() > 1) {
      const auto implied = made.after_of(made.steps[waits_for.back()]);
      std::erase_if(waits_for,
                    [&](std::uint32_t index) { return std::binary_search(implied.begin(), implied.end(), index); });
    }
    return waits_for;
  }
};

builder::builder(rank_id size, rank_id me, std::int32_t blocks) : state_(std::make_unique<state>()) {
  state_->made.size = size;
  state_->made.me = me;
  state_->made.blocks = blocks;
}

builder::~builder() = default;
builder::builder(builder&&) noexcept = default;
builder& builder::operator=(builder&&) noexcept = default;

void builder::stage(std::string_view label) {
  state_->label = label;
  state_->label_used = false;
}

void builder::stage(std::string_view label, std::int64_t number) {
  stage(std::string(label) + ' ' + std::to_string(number));
}

void builder::send(slice what, rank_id to) { send(what, std::span(&to, 1)); }

void builder::send(slice what, std::span<const rank_id> to) {
  if (what.count == 0 || to.empty()) return;
  state_->reads(what);
  state_->add(step_kind::send, what, to, {});
}

void builder::receive(slice into, rank_id from) {
  if (into.count == 0) return;
  state_->writes(into);
  state_->add(step_kind::receive, into, std::span<const rank_id>(&from, 1), {});
}

void builder::send(std::span<const slice> parts, rank_id to) {
  const std::vector<slice> filled = state::filled(parts);
  if (filled.empty()) return;
  for (const slice& part : filled) state_->reads(part);
  state_->add(step_kind::send, filled.front(), std::span<const rank_id>(&to, 1), std::span(filled).subspan(1));
}

void builder::receive(std::span<const slice> parts, rank_id from) {
  const std::vector<slice> filled = state::filled(parts);
  if (filled.empty()) return;
  for (const slice& part : filled) state_->writes(part);
  state_->add(step_kind::receive, filled.front(), std::span<const rank_id>(&from, 1), std::span(filled).subspan(1));
}

void builder::reduce(slice target, std::initializer_list<slice> operands) {
  reduce(target, std::span(operands.begin(), operands.size()));
}

void builder::reduce(slice target, std::span<const slice> operands) {
  if (target.count == 0 || operands.empty()) return;
  if (operands.size() == 1) return copy(operands.front(), target);
  for (const slice& operand : operands) state_->reads(operand);
  state_->writes(target);
  state_->add(step_kind::reduce, target, {}, operands);
}

void builder::copy(slice from, slice target) {
  if (target.count == 0 || from == target) return;
  state_->reads(from);
  state_->writes(target);
  state_->add(step_kind::copy, target, {}, std::span<const slice>(&from, 1));
}

schedule builder::finish() && { return std::move(state_->made); }

}  // namespace tutti::schedules
