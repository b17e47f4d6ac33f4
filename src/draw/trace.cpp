// SPDX-License-Identifier: BSL-1.0
#include "draw/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "draw/stages.hpp"
#include "schedule/assignment.hpp"
#include "schedule/block_lengths.hpp"
#include "schedule/dataflow.hpp"

namespace tutti::draw {

using schedules::place;
using schedules::schedule;
using schedules::slice;
using schedules::step;
using schedules::step_kind;

namespace {

/// A number and whose contributions it includes, a bit for each rank; none: nothing was written.
struct element {
  double value = 0;
  std::uint64_t contributors = 0;
};

/// Real memory: slices become ranges of elements exactly as in the engine, but buffers have room for all blocks of
/// all ranks, so that a block lies at the same place everywhere. Called in place where that is possible.
class rank_memory {
 public:
  rank_memory(const schedule& s, const schedules::assignment& who, const schedules::block_lengths& lengths,
              const std::vector<double>& values)
      : lengths_(&lengths),
        in_place_(who.may_be_in_place()),
        input_(lengths.before(s.blocks)),
        output_(in_place_ ? 0 : input_.size()),
        staging_(input_.size()),
        is_input_(held_by(who.input(s.me))),
        is_output_(held_by(who.output(s.me))),
        has_output_(who.output(s.me).blocks() != 0),
        scratch_(static_cast<std::size_t>(s.scratch_slots) * lengths.largest()) {
    auto next = values.begin();
    for (std::size_t i = 0; i < input_.size(); ++i) {
      if (is_input_[i]) input_[i] = {*next++, std::uint64_t{1} << s.me};
    }
  }

  std::span<element> at(const slice& what) {
    const auto count = static_cast<std::size_t>(lengths_->elements(what.first, what.count));
    const auto first = static_cast<std::size_t>(lengths_->before(what.first));
    using schedules::buffer;
    if (what.where == buffer::scratch) {
      return std::span(scratch_).subspan(static_cast<std::size_t>(what.at) * lengths_->largest(), count);
    }
    if (what.where == buffer::staging) return std::span(staging_).subspan(first, count);
    return std::span(what.where == buffer::output && !in_place_ ? output_ : input_).subspan(first, count);
  }

  /// Whether a place is worth showing: at the start those of the input, at the end those of the output.
  bool shows(std::size_t place, bool at_start, bool at_end) const {
    if (at_start) return has_input() ? is_input_[place] : is_output_[place];
    if (at_end || !in_place_) return is_output_[place];
    return is_input_[place] || is_output_[place] || staging_[place].contributors != 0;
  }
  std::size_t places() const { return input_.size(); }
  bool has_output() const { return has_output_; }

  /// What lies at a place: the output's, else what is kept for others, else the input's.
  const element& value(std::size_t place, bool at_start) const {
    if (!in_place_) return at_start ? input_[place] : output_[place];
    return is_output_[place] || staging_[place].contributors == 0 ? input_[place] : staging_[place];
  }

 private:
  bool has_input() const { return std::find(is_input_.begin(), is_input_.end(), true) != is_input_.end(); }

  std::vector<bool> held_by(const schedules::holding& held) const {
    std::vector<bool> places(input_.size());
    for (std::int32_t i = 0; i < held.blocks(); ++i) {
      const std::int32_t block = held.block(i);
      for (element_count e = lengths_->before(block); e < lengths_->before(block + 1); ++e) places[e] = true;
    }
    return places;
  }

  const schedules::block_lengths* lengths_;
  bool in_place_;
  std::vector<element> input_;
  std::vector<element> output_;
  std::vector<element> staging_;
  std::vector<bool> is_input_;
  std::vector<bool> is_output_;
  bool has_output_;
  std::vector<element> scratch_;
};

class follower {
 public:
  follower(collective what, std::span<const schedule> schedules, const schedules::matching& messages,
           const schedules::assignment& who, const schedules::block_lengths& lengths,
           std::span<const std::vector<double>> inputs)
      : what_(what), schedules_(schedules), messages_(messages), in_flight_(messages.messages.size()) {
    for (std::size_t r = 0; r < schedules.size(); ++r) {
      memories_.emplace_back(schedules[r], who, lengths, inputs[r]);
      known_.emplace_back(schedules[r].steps.size(), std::uint64_t{1} << r);
      known_by_rank_.push_back(std::uint64_t{1} << r);
    }
  }

  void run_step(place p) {
    const auto r = static_cast<std::size_t>(p.rank);
    const step& what = schedules_[r].steps[p.step];
    learn(p, what);
    switch (what.kind) {
      case step_kind::send: {
        std::vector<element> values;
        for_each_part(schedules_[r], what, [&](const slice& part) {
          const std::span<element> more = memories_[r].at(part);
          values.insert(values.end(), more.begin(), more.end());
        });
        const schedules::run out = messages_.leaving[r][p.step];
        for (std::uint32_t i = 0; i < out.count; ++i) in_flight_[out.begin + i] = values;
        return;
      }
      case step_kind::receive: {
        auto next = in_flight_[messages_.feeding[r][p.step]].cbegin();
        for_each_part(schedules_[r], what, [&](const slice& part) {
          const std::span<element> target = memories_[r].at(part);
          std::copy_n(next, target.size(), target.begin());
          next += static_cast<std::ptrdiff_t>(target.size());
        });
        return;
      }
      case step_kind::reduce:
      case step_kind::copy: return combine(memories_[r], schedules_[r].operands_of(what), memories_[r].at(what.target));
    }
  }

  frame take(std::string stage, bool at_start, bool at_end) const {
    frame made{std::move(stage), {}};
    for (std::size_t r = 0; r < schedules_.size(); ++r) {
      made.ranks.push_back(what_ == collective::barrier ? arrivals(r) : values(r, at_start, at_end));
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
    made.defined = made.owned;
    return made;
  }

  cell values(std::size_t r, bool at_start, bool at_end) const {
    cell made;
    made.holds = !at_end || at_start || memories_[r].has_output();
    for (std::size_t place = 0; place < memories_[r].places(); ++place) {
      if (!memories_[r].shows(place, at_start, at_end)) continue;
      const element& mine = memories_[r].value(place, at_start);
      made.values.push_back(mine.value);
      // In place the first rank of an exclusive scan still holds its input, which is no result.
      const bool is_promised = !at_end || at_start || what_ != collective::exclusive_scan || r != 0;
      made.defined.push_back(mine.contributors != 0 && is_promised);
      made.owned.push_back(!is_superseded(mine, place, at_start));
    }
    return made;
  }

  bool is_superseded(const element& mine, std::size_t place, bool at_start) const {
    const bool is_scan = what_ == collective::inclusive_scan || what_ == collective::exclusive_scan;
    if (!has_operator(what_) || is_scan || mine.contributors == 0) return false;
    return std::any_of(memories_.begin(), memories_.end(), [&](const rank_memory& other) {
      const std::uint64_t theirs = other.value(place, at_start).contributors;
      return theirs != mine.contributors && (theirs & mine.contributors) == mine.contributors;
    });
  }

  collective what_;
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
  return {};
}

/// How many elements each part has, from the first rank with an input; every rank's must fit that.
result<element_count> elements_per_part(const schedules::assignment& who, std::span<const std::vector<double>> inputs) {
  const auto parts_of = [&](std::size_t r) {
    return static_cast<std::size_t>(who.input(static_cast<rank_id>(r)).blocks() / who.blocks_per_part());
  };
  std::size_t first = 0;
  while (first + 1 < inputs.size() && parts_of(first) == 0) ++first;
  const std::size_t parts = std::max<std::size_t>(1, parts_of(first));
  const std::size_t count = inputs[first].size() / parts;
  for (std::size_t r = 0; r < inputs.size(); ++r) {
    if (inputs[r].size() == parts_of(r) * count) continue;
    return failure{
        errc::bad_argument,
        fmt::format("drawing {} ranks: rank {} has {} values, but {} are needed beside rank {}'s {}; give "
                    "all ranks equally many for each of their {} parts",
                    inputs.size(), r, inputs[r].size(), parts_of(r) * count, first, inputs[first].size(), parts)};
  }
  return static_cast<element_count>(count);
}

}  // namespace

result<trace> follow(collective what, std::span<const schedule> schedules, std::span<const std::vector<double>> inputs,
                     rank_id root) {
  if (status fits = check_inputs(schedules, inputs); !fits) return std::move(fits).why();
  const schedules::matching messages = match(schedules);
  schedules::execution run = execute(schedules, messages);
  if (!messages.unmatched.empty() || !run.blocked.empty()) {
    return failure{errc::internal, fmt::format("drawing {} ranks: the schedule cannot run to its end; prove it first "
                                               "(tutti check names the step)",
                                               schedules.size())};
  }
  const auto size = static_cast<rank_id>(schedules.size());
  const std::int32_t blocks = schedules.front().blocks;
  const schedules::assignment who(what, size, root, blocks);
  const auto count = elements_per_part(who, inputs);
  if (!count) return count.why();
  const schedules::block_lengths lengths(count.value(), schedules::assignment::parts(what, size), blocks);

  const staging stages = merge_stages(schedules, messages, run);
  const auto stage_of = [&](place p) { return stages.stage[static_cast<std::size_t>(p.rank)][p.step]; };
  std::stable_sort(run.order.begin(), run.order.end(), [&](place a, place b) { return stage_of(a) < stage_of(b); });

  trace made{what, {}, {}};
  follower ranks(what, schedules, messages, who, lengths, inputs);
  made.frames.push_back(ranks.take("initial", true, stages.labels.empty()));
  auto next = run.order.begin();
  for (std::size_t stage = 0; stage < stages.labels.size(); ++stage) {
    for (; next != run.order.end() && stage_of(*next) == stage; ++next) ranks.run_step(*next);
    made.frames.push_back(ranks.take(stages.labels[stage], false, stage + 1 == stages.labels.size()));
  }
  for (const schedules::message& m : messages.messages) {
    const slice& sent = schedules[static_cast<std::size_t>(m.send.rank)].steps[m.send.step].target;
    made.arrows.push_back({stage_of(m.receive) + 1, m.send.rank, m.receive.rank, sent});
  }
  return made;
}

}  // namespace tutti::draw
