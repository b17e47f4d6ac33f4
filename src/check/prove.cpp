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
#include "schedule/assignment.hpp"
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
finding find_disagreement(collective what, std::span<const schedule> schedules, rank_id root) {
  if (schedules.empty()) return "there is no schedule: a collective has at least one rank";
  const auto size = static_cast<rank_id>(schedules.size());
  const rank_id most = schedules::most_ranks(what);
  if (size > most) return fmt::format("the blocks of at most {} ranks can be numbered", most);
  if (root < 0 || root >= size) return fmt::format("its root {} is no rank", root);
  const std::int32_t blocks = schedules.front().blocks;
  for (rank_id r = 0; r < size; ++r) {
    const schedule& s = schedules[static_cast<std::size_t>(r)];
    if (s.me != r) return fmt::format("the schedule in place {} is rank {}'s", r, s.me);
    if (s.size != size) return fmt::format("rank {}: made for {} ranks, but {} ranks take part", r, s.size, size);
    if (s.blocks != blocks) {
      return fmt::format("rank {}: splits the data into {} blocks, rank 0 into {}", r, s.blocks, blocks);
    }
  }
  const std::int32_t parts = schedules::assignment::parts(what, size);
  if (blocks < 1 || blocks % parts != 0) {
    return fmt::format("{} blocks; a multiple of {} is needed, at least one for each part", blocks, parts);
  }
  return std::nullopt;
}

bool same_blocks(const schedules::slice& a, const schedules::slice& b) {
  return a.first == b.first && a.count == b.count;
}

/// Slice by slice, so that the two ends may also be moved one slice at a time.
bool same_message(const schedule& from, const schedules::step& sent, const schedule& to, const schedules::step& kept) {
  const auto parts = from.operands_of(sent);
  const auto places = to.operands_of(kept);
  return same_blocks(sent.target, kept.target) &&
         std::equal(parts.begin(), parts.end(), places.begin(), places.end(), same_blocks);
}

finding find_mismatch(std::span<const schedule> schedules, const schedules::matching& messages) {
  if (!messages.unmatched.empty()) {
    const schedules::lone_end& lone = messages.unmatched.front();
    const bool sends = schedules[static_cast<std::size_t>(lone.at.rank)].steps[lone.at.step].kind == step_kind::send;
    return fmt::format("{}: rank {} has no {} for it", describe_place(schedules, lone.at), lone.peer,
                       sends ? "receive" : "send");
  }
  for (const schedules::message& m : messages.messages) {
    const schedule& from = schedules[static_cast<std::size_t>(m.send.rank)];
    const schedule& to = schedules[static_cast<std::size_t>(m.receive.rank)];
    if (same_message(from, from.steps[m.send.step], to, to.steps[m.receive.step])) continue;
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

finding find_fault(collective what, schedules::operand_order order, std::span<const schedule> schedules, rank_id root) {
  if (auto bad = find_disagreement(what, schedules, root)) return bad;
  const schedules::assignment held(what, static_cast<rank_id>(schedules.size()), root, schedules.front().blocks);
  for (const schedule& s : schedules) {
    if (auto bad = find_malformed(s, held)) return bad;
  }
  for (const schedule& s : schedules) {
    if (auto bad = find_race(s)) return bad;
  }
  const schedules::matching messages = match(schedules);
  if (auto bad = find_mismatch(schedules, messages)) return bad;
  const schedules::execution run = execute(schedules, messages);
  if (auto bad = find_deadlock(schedules, messages, run)) return bad;
  if (what == collective::barrier) return find_early_exit(schedules, messages, run);
  if (auto bad = find_wrong_result(schedules, messages, run, held, order, false)) return bad;
  return held.may_be_in_place() ? find_wrong_result(schedules, messages, run, held, order, true) : std::nullopt;
}

}  // namespace

verdict prove(collective what, schedules::operand_order order, std::span<const schedule> schedules, rank_id root) {
  if (auto bad = find_fault(what, order, schedules, root)) {
    const std::string rooted = has_root(what) ? fmt::format(" with root {}", root) : "";
    return verdict::refuted(fmt::format("{} of {} ranks{}: {}", to_string(what), schedules.size(), rooted, *bad));
  }
  return verdict::proved();
}

}  // namespace tutti::check
