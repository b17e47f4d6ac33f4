// SPDX-License-Identifier: BSL-1.0
#include "check/prove.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "check/describe.hpp"
#include "check/results.hpp"
#include "check/structure.hpp"
#include "schedule/dataflow.hpp"

namespace tutti::check {

using schedules::place;
using schedules::schedule;
using schedules::step_kind;

namespace {

using finding = std::optional<std::string>;

std::string describe_place(std::span<const schedule> schedules, place p) {
  return describe(schedules[static_cast<std::size_t>(p.rank)], p.step);
}

/// All ranks speak of the same collective: as many schedules as ranks, equally many blocks.
finding find_disagreement(std::span<const schedule> schedules) {
  if (schedules.empty()) return "there is no schedule: a collective has at least one rank";
  for (std::size_t r = 0; r < schedules.size(); ++r) {
    const schedule& s = schedules[r];
    if (s.me != static_cast<rank_id>(r)) return fmt::format("the schedule in place {} is rank {}'s", r, s.me);
    if (static_cast<std::size_t>(s.size) != schedules.size()) {
      return fmt::format("rank {}: made for {} ranks, but {} ranks take part", r, s.size, schedules.size());
    }
    if (s.blocks != schedules.front().blocks) {
      return fmt::format("rank {}: splits the vector into {} blocks, rank 0 into {}", r, s.blocks,
                         schedules.front().blocks);
    }
  }
  return std::nullopt;
}

finding find_mismatch(std::span<const schedule> schedules, const schedules::matching& messages) {
  if (!messages.unmatched.empty()) {
    const schedules::lone_end& lone = messages.unmatched.front();
    const bool sends = schedules[static_cast<std::size_t>(lone.at.rank)].steps[lone.at.step].kind == step_kind::send;
    return fmt::format("{}: rank {} has no {} for it", describe_place(schedules, lone.at), lone.peer,
                       sends ? "receive" : "send");
  }
  for (const schedules::message& m : messages.messages) {
    const schedules::slice& sent = schedules[static_cast<std::size_t>(m.send.rank)].steps[m.send.step].target;
    const schedules::slice& kept = schedules[static_cast<std::size_t>(m.receive.rank)].steps[m.receive.step].target;
    if (sent.first == kept.first && sent.count == kept.count) continue;
    return fmt::format("{}: is fed with other blocks by {}", describe_place(schedules, m.receive),
                       describe_place(schedules, m.send));
  }
  return std::nullopt;
}

/// One thing that a blocked step waits for and that is blocked itself.
place cause_of(place p, std::span<const schedule> schedules, const schedules::matching& messages,
               const std::vector<std::vector<bool>>& is_blocked) {
  const auto r = static_cast<std::size_t>(p.rank);
  const schedule& s = schedules[r];
  for (const std::uint32_t earlier : s.after_of(s.steps[p.step])) {
    if (is_blocked[r][earlier]) return {p.rank, earlier};
  }
  return messages.messages[messages.feeding[r][p.step]].send;
}

/// Follows causes from a blocked step until one comes back, and tells that circle.
finding find_deadlock(std::span<const schedule> schedules, const schedules::matching& messages,
                      const schedules::execution& run) {
  if (run.blocked.empty()) return std::nullopt;
  constexpr std::size_t most_told = 8;
  std::vector<std::vector<bool>> is_blocked;
  for (const schedule& s : schedules) is_blocked.emplace_back(s.steps.size());
  for (const place p : run.blocked) is_blocked[static_cast<std::size_t>(p.rank)][p.step] = true;
  std::vector<place> path;
  place next = run.blocked.front();
  auto seen = path.end();
  while (seen == path.end()) {
    path.push_back(next);
    next = cause_of(next, schedules, messages, is_blocked);
    seen = std::find(path.begin(), path.end(), next);
  }
  path.erase(path.begin(), seen);
  std::string text = "deadlock: ";
  for (std::size_t i = 0; i < std::min(path.size(), most_told); ++i)
    text += describe_place(schedules, path[i]) + "; waits for ";
  return text + (path.size() > most_told
                     ? fmt::format("{} more steps, the last of which waits for the first", path.size() - most_told)
                     : std::string("the first of these"));
}

finding find_fault(collective what, schedules::operand_order order, std::span<const schedule> schedules) {
  if (auto bad = find_disagreement(schedules)) return bad;
  for (const schedule& s : schedules) {
    if (auto bad = find_malformed(s)) return bad;
  }
  for (const schedule& s : schedules) {
    if (auto bad = find_race(s)) return bad;
  }
  const schedules::matching messages = match(schedules);
  if (auto bad = find_mismatch(schedules, messages)) return bad;
  const schedules::execution run = execute(schedules, messages);
  if (auto bad = find_deadlock(schedules, messages, run)) return bad;
  switch (what) {
    case collective::barrier: return find_early_exit(schedules, messages, run);
    case collective::all_reduce:
      for (const bool in_place : {false, true}) {
        if (auto bad = find_wrong_result(schedules, messages, run, order, in_place)) return bad;
      }
      return std::nullopt;
  }
  return "no rule says what this collective promises";
}

}  // namespace

verdict prove(collective what, schedules::operand_order order, std::span<const schedule> schedules) {
  if (auto bad = find_fault(what, order, schedules)) {
    return verdict::refuted(fmt::format("{} of {} ranks: {}", to_string(what), schedules.size(), *bad));
  }
  return verdict::proved();
}

}  // namespace tutti::check
