// SPDX-License-Identifier: BSL-1.0
#include "check/describe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

namespace tutti::check {

using schedules::buffer;
using schedules::slice;
using schedules::step;
using schedules::step_kind;

namespace {

std::string operands_text(const schedules::schedule& s, const step& what) {
  if (!what.operands.within(s.operands.size())) return "operands outside the schedule";
  std::string text;
  for (const slice& operand : s.operands_of(what)) {
    text += (text.empty() ? "" : " with ") + describe(operand);
  }
  return text;
}

std::string parts_text(const schedules::schedule& s, const step& what) {
  if (!what.operands.within(s.operands.size())) return "slices outside the schedule";
  std::string text;
  for_each_part(s, what, [&](const slice& part) { text += (text.empty() ? "" : " and ") + describe(part); });
  return text;
}

std::string action(const schedules::schedule& s, const step& what) {
  const bool peers_known = what.peers.within(s.peers.size());
  const std::string peers = peers_known ? fmt::format("{}", fmt::join(s.peers_of(what), ", ")) : "outside the schedule";
  switch (what.kind) {
    case step_kind::send: return fmt::format("send {} to rank {}", parts_text(s, what), peers);
    case step_kind::receive: return fmt::format("receive {} from rank {}", parts_text(s, what), peers);
    case step_kind::reduce: return fmt::format("reduce {} into {}", operands_text(s, what), describe(what.target));
    case step_kind::copy: return fmt::format("copy {} to {}", operands_text(s, what), describe(what.target));
  }
  return "a step of no known kind";
}

}  // namespace

std::string describe(const slice& what) {
  const std::string blocks = what.count == 1
                                 ? fmt::format("block {}", what.first)
                                 : fmt::format("blocks {}..{}", what.first, std::int64_t{what.first} + what.count - 1);
  switch (what.where) {
    case buffer::input: return "input " + blocks;
    case buffer::output: return "output " + blocks;
    case buffer::staging: return "staging " + blocks;
    case buffer::scratch: return fmt::format("scratch slot {} holding {}", what.at, blocks);
  }
  return "unknown buffer " + blocks;
}

std::string describe(const schedules::schedule& s, std::uint32_t index) {
  const step& what = s.steps[index];
  const std::string_view stage = what.stage < s.stages.size() ? std::string_view(s.stages[what.stage]) : "";
  return fmt::format("rank {}, step {} (stage \"{}\"): {}", s.me, index, stage, action(s, what));
}

}  // namespace tutti::check
