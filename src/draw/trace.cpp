// SPDX-License-Identifier: BSL-1.0
#include "draw/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "draw/stages.hpp"
#include "schedule/dataflow.hpp"

namespace tutti::draw {

using schedules::place;
using schedules::schedule;
using schedules::slice;
using schedules::step;
using schedules::step_kind;

namespace {

/// A number and whose contributions it includes, a bit for each rank.
struct element {
  double value = 0;
  std::uint64_t contributors = 0;
};

/// Real memory, called in place: slices become ranges of elements exactly as in the engine.
class rank_memory {
 public:
  rank_memory(const schedule& s, const std::vector<double>& values)
      : layout_(values.size(), s.blocks), scratch_(static_cast<std::size_t>(s.scratch_slots) * layout_.largest()) {
    for (const double value : values) vector_.push_back({value, std::uint64_t{1} << s.me});
  }

  std::span<element> at(const slice& what) {
    const auto count = static_cast<std::size_t>(layout_.elements(what.first, what.count));
    if (what.where == schedules::buffer::scratch) {
      return std::span(scratch_).subspan(static_cast<std::size_t>(what.at) * layout_.largest(), count);
    }
    return std::span(vector_).subspan(static_cast<std::size_t>(layout_.offset(what.first)), count);
  }
  const std::vector<element>& vector() const { return vector_; }

 private:
  schedules::block_layout layout_;
  std::vector<element> vector_;
  std::vector<element> scratch_;
};

class follower {
 public:
  follower(std::span<const schedule> schedules, const schedules::matching& messages,
           std::span<const std::vector<double>> inputs)
      : schedules_(schedules), messages_(messages), in_flight_(messages.messages.size()) {
    for (std::size_t r = 0; r < schedules.size(); ++r) {
      memories_.emplace_back(schedules[r], inputs[r]);
      known_.emplace_back(schedules[r].steps.size(), std::uint64_t{1} << r);
      known_by_rank_.push_back(std::uint64_t{1} << r);
    }
  }

  void run_step(place p) {
    const auto r = static_cast<std::size_t>(p.rank);
    const step& what = schedules_[r].steps[p.step];
    learn(p, what);
    const std::span<element> target = memories_[r].at(what.target);
    switch (what.kind) {
      case step_kind::send: {
        const schedules::run out = messages_.leaving[r][p.step];
        for (std::uint32_t i = 0; i < out.count; ++i) in_flight_[out.begin + i].assign(target.begin(), target.end());
        return;
      }
      case step_kind::receive: {
        const auto& arrived = in_flight_[messages_.feeding[r][p.step]];
        std::copy(arrived.begin(), arrived.end(), target.begin());
        return;
      }
      case step_kind::reduce:
      case step_kind::copy: return combine(memories_[r], schedules_[r].operands_of(what), target);
    }
  }

  frame take(collective what, std::string stage) const {
    frame made{std::move(stage), {}};
    for (std::size_t r = 0; r < schedules_.size(); ++r) {
      made.ranks.push_back(what == collective::barrier ? arrivals(r) : values(r));
    }
    return made;
  }

 private:
  void learn(place p, const step& what) {
    const auto r = static_cast<std::size_t>(p.rank);
    std::uint64_t& mine = known_[r][p.step];
    for (const std::uint32_t earlier : schedules_[r].after_of(what)) mine |= known_[r][earlier];
    if (what.kind == step_kind::receive) {
      const place sender = messages_.messages[messages_.feeding[r][p.step]].send;
      mine |= known_[static_cast<std::size_t>(sender.rank)][sender.step];
    }
    known_by_rank_[r] |= mine;
  }

  static void combine(rank_memory& memory, std::span<const slice> operands, std::span<element> target) {
    const std::span<element> first = memory.at(operands.front());
    std::vector<element> total(first.begin(), first.end());
    for (const slice& operand : operands.subspan(1)) {
      const std::span<element> more = memory.at(operand);
      for (std::size_t i = 0; i < total.size(); ++i) {
        total[i].value += more[i].value;
        total[i].contributors |= more[i].contributors;
      }
    }
    std::copy(total.begin(), total.end(), target.begin());
  }

  cell arrivals(std::size_t r) const {
    cell made;
    for (std::size_t other = 0; other < schedules_.size(); ++other) {
      if ((known_by_rank_[r] >> other & 1U) != 0) made.values.push_back(static_cast<double>(other));
    }
    made.owned.assign(made.values.size(), true);
    return made;
  }

  cell values(std::size_t r) const {
    cell made;
    for (std::size_t i = 0; i < memories_[r].vector().size(); ++i) {
      const element mine = memories_[r].vector()[i];
      const bool superseded = std::any_of(memories_.begin(), memories_.end(), [&](const rank_memory& other) {
        const std::uint64_t theirs = other.vector()[i].contributors;
        return theirs != mine.contributors && (theirs & mine.contributors) == mine.contributors;
      });
      made.values.push_back(mine.value);
      made.owned.push_back(!superseded);
    }
    return made;
  }

  std::span<const schedule> schedules_;
  const schedules::matching& messages_;
  std::vector<rank_memory> memories_;
  std::vector<std::vector<element>> in_flight_;    // by message
  std::vector<std::vector<std::uint64_t>> known_;  // [rank][step]: ranks known to have arrived
  std::vector<std::uint64_t> known_by_rank_;
};

status check_inputs(std::span<const schedule> schedules, std::span<const std::vector<double>> inputs) {
  if (schedules.empty() || schedules.size() > static_cast<std::size_t>(most_ranks_drawn)) {
    return failure{errc::bad_argument,
                   fmt::format("drawing {} ranks: from 1 to {} can be drawn", schedules.size(), most_ranks_drawn)};
  }
  if (inputs.size() != schedules.size()) {
    return failure{errc::bad_argument,
                   fmt::format("drawing {} ranks: {} input vectors are given; give one for each rank", schedules.size(),
                               inputs.size())};
  }
  for (std::size_t r = 0; r < inputs.size(); ++r) {
    if (inputs[r].size() == inputs[0].size()) continue;
    return failure{errc::bad_argument,
                   fmt::format("drawing {} ranks: rank {} has {} values and rank 0 has {}; give all "
                               "ranks equally many",
                               schedules.size(), r, inputs[r].size(), inputs[0].size())};
  }
  return {};
}

}  // namespace

result<trace> follow(collective what, std::span<const schedule> schedules,
                     std::span<const std::vector<double>> inputs) {
  if (status fits = check_inputs(schedules, inputs); !fits) return std::move(fits).why();
  const schedules::matching messages = match(schedules);
  schedules::execution run = execute(schedules, messages);
  if (!messages.unmatched.empty() || !run.blocked.empty()) {
    return failure{errc::internal, fmt::format("drawing {} ranks: the schedule cannot run to its end; prove it first "
                                               "(tutti check names the step)",
                                               schedules.size())};
  }
  const staging stages = merge_stages(schedules, messages, run);
  const auto stage_of = [&](place p) { return stages.stage[static_cast<std::size_t>(p.rank)][p.step]; };
  std::stable_sort(run.order.begin(), run.order.end(), [&](place a, place b) { return stage_of(a) < stage_of(b); });

  trace made{what, {}, {}};
  follower ranks(schedules, messages, inputs);
  made.frames.push_back(ranks.take(what, "initial"));
  auto next = run.order.begin();
  for (std::size_t stage = 0; stage < stages.labels.size(); ++stage) {
    for (; next != run.order.end() && stage_of(*next) == stage; ++next) ranks.run_step(*next);
    made.frames.push_back(ranks.take(what, stages.labels[stage]));
  }
  for (const schedules::message& m : messages.messages) {
    const slice& sent = schedules[static_cast<std::size_t>(m.send.rank)].steps[m.send.step].target;
    made.arrows.push_back({stage_of(m.receive) + 1, m.send.rank, m.receive.rank, sent});
  }
  return made;
}

}  // namespace tutti::draw
