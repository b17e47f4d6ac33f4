// SPDX-License-Identifier: BSL-1.0
#include "check/results.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "check/describe.hpp"
#include "check/expressions.hpp"
#include "check/memory.hpp"

namespace tutti::check {

using schedules::operand_order;
using schedules::place;
using schedules::schedule;
using schedules::slice;
using schedules::step;
using schedules::step_kind;

namespace {

using finding = std::optional<std::string>;

class evaluation {
 public:
  evaluation(std::span<const schedule> schedules, const schedules::matching& messages,
             const schedules::assignment& promised, bool in_place)
      : schedules_(schedules),
        messages_(messages),
        promised_(promised),
        in_place_(in_place),
        symbols_(static_cast<rank_id>(schedules.size()), schedules.front().blocks),
        in_flight_(messages.messages.size()) {
    for (const schedule& s : schedules) memories_.emplace_back(s, symbols_, promised.input(s.me), in_place);
  }

  finding run_step(place p) {
    const schedule& s = schedules_[static_cast<std::size_t>(p.rank)];
    const step& what = s.steps[p.step];
    memory& mine = memories_[static_cast<std::size_t>(p.rank)];
    if (what.kind == step_kind::receive) {
      auto& arrived = in_flight_[messages_.feeding[static_cast<std::size_t>(p.rank)][p.step]];
      std::size_t taken = 0;
      for_each_part(s, what, [&](const slice& part) {
        const auto count = static_cast<std::size_t>(part.count);
        mine.write(part, std::span(arrived).subspan(taken, count));
        taken += count;
      });
      arrived = {};
      return std::nullopt;
    }
    if (what.kind == step_kind::send) return send(p, s, what, mine);
    return combine(p, s, what, mine);
  }

  finding check_results(operand_order order) {
    for (const schedule& s : schedules_) {
      const schedules::holding held = promised_.output(s.me);
      for (std::int32_t i = 0; i < held.blocks(); ++i) {
        if (auto bad = check_block(s, held.block(i), order)) return bad;
      }
    }
    return std::nullopt;
  }

 private:
  /// The first value found for one promise, and who holds it.
  struct holder {
    expression value;
    rank_id rank;
  };

  finding check_block(const schedule& s, std::int32_t block, operand_order order) {
    const schedules::rank_range ranks = promised_.contributors(s.me, block);
    if (ranks.first == ranks.end) return std::nullopt;
    const expression value = memories_[static_cast<std::size_t>(s.me)].read(schedules::output(block)).front();
    if (value == undefined) return at_result(s, block, "it was never written");
    const auto [first, fresh] = first_.try_emplace({block, ranks.first, ranks.end}, holder{value, s.me});
    if (fresh) {
      const auto bad = find_wrong_value(value, block, ranks, order);
      return bad ? at_result(s, block, *bad) : finding();
    }
    if (value == first->second.value) return std::nullopt;
    return at_result(s, block,
                     fmt::format("it holds {}, but rank {} holds {}: not the same bits on all ranks",
                                 symbols_.text(value), first->second.rank, symbols_.text(first->second.value)));
  }

  finding send(place p, const schedule& s, const step& what, const memory& mine) {
    std::vector<expression> values;
    finding bad;
    for_each_part(s, what, [&](const slice& part) {
      const std::vector<expression> more = mine.read(part);
      if (!bad) bad = find_undefined(p, part, more);
      values.insert(values.end(), more.begin(), more.end());
    });
    if (bad) return bad;
    const schedules::run out = messages_.leaving[static_cast<std::size_t>(p.rank)][p.step];
    for (std::uint32_t i = 0; i < out.count; ++i) in_flight_[out.begin + i] = values;
    return std::nullopt;
  }

  finding combine(place p, const schedule& s, const step& what, memory& mine) {
    const auto operands = s.operands_of(what);
    std::vector<expression> total = mine.read(operands.front());
    if (const auto bad = find_undefined(p, operands.front(), total)) return bad;
    for (const slice& operand : operands.subspan(1)) {
      const std::vector<expression> values = mine.read(operand);
      if (const auto bad = find_undefined(p, operand, values)) return bad;
      for (std::size_t i = 0; i < total.size(); ++i) total[i] = symbols_.combine(total[i], values[i]);
    }
    mine.write(what.target, total);
    return std::nullopt;
  }

  finding find_undefined(place p, const slice& from, const std::vector<expression>& values) const {
    const auto at = std::find(values.begin(), values.end(), undefined);
    if (at == values.end()) return std::nullopt;
    return fmt::format(
        "{}: reads block {} of {}, which holds nothing at that point ({}); a slice must be written "
        "before it is read, in scratch through the same slot and first block",
        describe(schedules_[static_cast<std::size_t>(p.rank)], p.step), from.first + (at - values.begin()),
        describe(from), mode());
  }

  finding find_wrong_value(expression value, std::int32_t block, schedules::rank_range ranks, operand_order order) {
    if (symbols_.block(value) != block) return "it mixes different blocks: " + symbols_.text(value);
    const auto size = static_cast<std::uint64_t>(ranks.end - ranks.first);
    if (symbols_.leaf_count(value) != size) {
      return fmt::format("it holds {} contributions instead of {}: {}", symbols_.leaf_count(value), size,
                         symbols_.text(value));
    }
    std::vector<rank_id> leaves = symbols_.leaves(value);
    if (order == operand_order::any) std::sort(leaves.begin(), leaves.end());
    for (rank_id rank = ranks.first; rank < ranks.end; ++rank) {
      if (leaves[static_cast<std::size_t>(rank - ranks.first)] == rank) continue;
      if (order == operand_order::any || size == 1) {
        return fmt::format("rank {}'s contribution is missing or another's is there twice: {}", rank,
                           symbols_.text(value));
      }
      return fmt::format("its contributions are in the order {}, not in rank order", fmt::join(leaves, ", "));
    }
    if (order != operand_order::left_fold) return std::nullopt;
    expression fold = symbols_.leaf(ranks.first, block);
    for (rank_id rank = ranks.first + 1; rank < ranks.end; ++rank) {
      fold = symbols_.combine(fold, symbols_.leaf(rank, block));
    }
    if (fold != value) return "it is not folded from the left: " + symbols_.text(value);
    return std::nullopt;
  }

  std::string at_result(const schedule& s, std::int32_t block, std::string_view bad) const {
    std::string writer = "no step writes it";
    for (std::uint32_t i = 0; i < s.steps.size(); ++i) {
      if (s.steps[i].kind == step_kind::send) continue;
      const auto note = [&](const slice& target) {
        if (target.where != schedules::buffer::output) return;
        if (target.first <= block && block < target.first + target.count) writer = "last written by " + describe(s, i);
      };
      note(s.steps[i].target);
      if (s.steps[i].kind != step_kind::receive) continue;
      for (const slice& part : s.operands_of(s.steps[i])) note(part);
    }
    return fmt::format("rank {}, result {}: {} ({}; {})", s.me, describe(schedules::output(block)), bad, writer,
                       mode());
  }

  const char* mode() const { return in_place_ ? "called in place" : "called with separate buffers"; }

  std::span<const schedule> schedules_;
  const schedules::matching& messages_;
  const schedules::assignment& promised_;
  bool in_place_;
  expressions symbols_;
  std::vector<memory> memories_;
  std::vector<std::vector<expression>> in_flight_;                      // by message
  std::map<std::tuple<std::int32_t, rank_id, rank_id>, holder> first_;  // by block and contributors
};

}  // namespace

finding find_wrong_result(std::span<const schedule> schedules, const schedules::matching& messages,
                          const schedules::execution& run, const schedules::assignment& promised, operand_order order,
                          bool in_place) {
  evaluation all(schedules, messages, promised, in_place);
  for (const place p : run.order) {
    if (auto bad = all.run_step(p)) return bad;
  }
  return all.check_results(order);
}

finding find_early_exit(std::span<const schedule> schedules, const schedules::matching& messages,
                        const schedules::execution& run) {
  const std::size_t words = (schedules.size() + 63) / 64;
  using knowledge = std::vector<std::uint64_t>;  // a bit for each rank known to have arrived
  const auto merge = [](knowledge& into, const knowledge& from) {
    for (std::size_t w = 0; w < into.size(); ++w) into[w] |= from[w];
  };
  std::vector<std::vector<knowledge>> known;
  std::vector<knowledge> at_exit;
  for (const schedule& s : schedules) {
    knowledge own(words);
    own[static_cast<std::size_t>(s.me) / 64] |= std::uint64_t{1} << (s.me % 64);
    known.emplace_back(s.steps.size(), own);
    at_exit.push_back(std::move(own));
  }
  for (const place p : run.order) {
    const auto r = static_cast<std::size_t>(p.rank);
    const schedule& s = schedules[r];
    knowledge& mine = known[r][p.step];
    for (const std::uint32_t earlier : s.after_of(s.steps[p.step])) merge(mine, known[r][earlier]);
    if (s.steps[p.step].kind == step_kind::receive) {
      const place sender = messages.messages[messages.feeding[r][p.step]].send;
      merge(mine, known[static_cast<std::size_t>(sender.rank)][sender.step]);
    }
    merge(at_exit[r], mine);
  }
  for (std::size_t r = 0; r < schedules.size(); ++r) {
    for (std::size_t other = 0; other < schedules.size(); ++other) {
      if ((at_exit[r][other / 64] >> (other % 64) & 1U) != 0) continue;
      const auto steps = static_cast<std::uint32_t>(schedules[r].steps.size());
      return fmt::format("rank {} can leave the barrier before rank {} has arrived ({})", r, other,
                         steps == 0 ? "it has no step" : "its last is " + describe(schedules[r], steps - 1));
    }
  }
  return std::nullopt;
}

}  // namespace tutti::check
