// SPDX-License-Identifier: BSL-1.0
#include "check/structure.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "check/describe.hpp"

namespace tutti::check {

using schedules::buffer;
using schedules::schedule;
using schedules::slice;
using schedules::step;
using schedules::step_kind;

namespace {

/// One rank's schedule and what it may name.
struct subject {
  const schedule& plan;
  schedules::holding input;
  schedules::holding output;
};

/// Indices are widened so that no sum of a malformed slice can overflow.
bool slice_fits(const subject& s, const slice& what) {
  const std::int64_t first = what.first;
  const std::int64_t at = what.at;
  if (first < 0 || what.count < 1 || first + what.count > s.plan.blocks) return false;
  switch (what.where) {
    case buffer::input: return what.at == what.first && s.input.holds(what.first, what.count);
    case buffer::output: return what.at == what.first && s.output.holds(what.first, what.count);
    case buffer::staging:
      return what.at == what.first && first >= s.plan.staging_first && first + what.count <= s.plan.staging_end;
    case buffer::scratch: return at >= 0 && at + what.count <= s.plan.scratch_slots;
  }
  return false;
}

/// The reduction kernel takes operands that are the target or apart from it, nothing in between.
bool partly_overlaps(const slice& a, const slice& b) {
  const bool both_scratch = a.where == buffer::scratch && b.where == buffer::scratch;
  if (!both_scratch || a == b) return false;
  return a.at < b.at + b.count && b.at < a.at + a.count;
}

bool same_place(const slice& a, const slice& b) {
  return a.where == b.where && a.at < b.at + b.count && b.at < a.at + a.count;
}

const char* find_bad_peer(const schedule& s, const step& what) {
  const bool moves = what.kind == step_kind::send || what.kind == step_kind::receive;
  if (!what.peers.within(s.peers.size())) return "its peers lie outside the schedule's pool";
  if (moves != (what.peers.count > 0)) return moves ? "it names no peer" : "it names a peer, yet moves nothing";
  if (what.kind == step_kind::receive && what.peers.count != 1) return "a receive has exactly one peer";
  for (const rank_id peer : s.peers_of(what)) {
    if (peer < 0 || peer >= s.size) return "a peer is not a rank";
    if (peer == s.me) return "a rank does not send to itself or receive from itself";
  }
  return nullptr;
}

const char* find_bad_part(const subject& s, const step& what) {
  for (const slice& part : s.plan.operands_of(what)) {
    if (!slice_fits(s, part)) return "a slice of the message is out of range";
    if (what.kind == step_kind::receive && part.where == buffer::input) return "it writes the caller's input";
  }
  if (what.kind == step_kind::send) return nullptr;
  const auto parts = s.plan.operands_of(what);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (same_place(parts[i], what.target)) return "two slices of the message go to the same place";
    for (std::size_t j = 0; j < i; ++j) {
      if (same_place(parts[i], parts[j])) return "two slices of the message go to the same place";
    }
  }
  return nullptr;
}

const char* find_bad_operand(const subject& s, const step& what) {
  if (!what.operands.within(s.plan.operands.size())) return "its operands lie outside the schedule's pool";
  if (what.kind == step_kind::send || what.kind == step_kind::receive) return find_bad_part(s, what);
  if (what.kind == step_kind::copy && what.operands.count != 1) return "a copy has exactly one operand";
  if (what.operands.count == 0) return "it has no operand";
  for (const slice& operand : s.plan.operands_of(what)) {
    if (!slice_fits(s, operand)) return "an operand is out of range";
    if (operand.first != what.target.first || operand.count != what.target.count) {
      return "an operand does not hold the blocks of the target";
    }
    if (partly_overlaps(operand, what.target)) return "an operand overlaps the target without being it";
  }
  return nullptr;
}

const char* find_bad_order(const schedule& s, const step& what, std::uint32_t index) {
  if (!what.after.within(s.after.size())) return "its dependencies lie outside the schedule's pool";
  for (const std::uint32_t earlier : s.after_of(what)) {
    if (earlier >= index) return "it waits for itself or for a later step";
  }
  return nullptr;
}

const char* find_bad_step(const subject& s, const step& what, std::uint32_t index) {
  if (what.stage >= s.plan.stages.size()) return "its stage has no label";
  if (!slice_fits(s, what.target)) return "its slice is out of range";
  if (what.kind != step_kind::send && what.target.where == buffer::input) return "it writes the caller's input";
  if (const char* bad = find_bad_peer(s.plan, what)) return bad;
  if (const char* bad = find_bad_operand(s, what)) return bad;
  return find_bad_order(s.plan, what, index);
}

}  // namespace

std::optional<std::string> find_malformed(const schedule& s, const schedules::assignment& held) {
  if (s.scratch_slots < 0) return fmt::format("rank {}: {} scratch slots", s.me, s.scratch_slots);
  const subject whole{s, held.input(s.me), held.output(s.me)};
  for (std::uint32_t i = 0; i < s.steps.size(); ++i) {
    if (const char* bad = find_bad_step(whole, s.steps[i], i)) return fmt::format("{}: {}", describe(s, i), bad);
  }
  return std::nullopt;
}

}  // namespace tutti::check
