// SPDX-License-Identifier: BSL-1.0
// Ways to spoil one step of a good schedule. Each kind is limited to changes that always matter, for the
// reason given with it; none asks the checker which of its mutants count.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/registry.hpp"
#include "support/loose_schedule.hpp"

namespace tutti::test {

/// Whose and which step, and what is known of the algorithm.
struct target_step {
  const algorithms::algorithm& which;
  loose_schedule& schedule;
  std::uint32_t index;

  loose_step& step() const { return schedule.steps[index]; }
  bool reduces() const { return has_operator(which.what); }
  bool ordered() const { return reduces() && which.order != schedules::operand_order::any; }
  bool is(schedules::step_kind kind) const { return step().kind == kind; }
};

struct mutation {
  const char* name;
  const char* why_it_always_matters;
  /// Spoils the step; false where this kind does not apply to it.
  std::function<bool(const target_step&)> spoil;
};

/// The next blocks of the vector, as many; or fewer of them where there are no others.
inline bool change_blocks(schedules::slice& what, std::int32_t blocks) {
  if (blocks == 1) return false;
  if (what.count == blocks) {
    --what.count;
    return true;
  }
  what.first += what.first + what.count < blocks ? 1 : -1;
  if (what.where != schedules::buffer::scratch) what.at = what.first;
  return true;
}

inline std::vector<mutation> message_mutations() {
  using schedules::step_kind;
  return {
      {"drop a message end", "the other end stays alone",
       [](const target_step& t) {
         if (!t.step().moves()) return false;
         t.schedule.remove(t.index);
         return true;
       }},
      {"repeat a message end", "the pair then has more of one end than of the other",
       [](const target_step& t) {
         if (!t.step().moves()) return false;
         loose_step again = t.step();
         again.after = {static_cast<std::uint32_t>(t.schedule.steps.size() - 1)};
         t.schedule.steps.push_back(again);
         return true;
       }},
      {"change a peer", "one pair lacks an end and another has one too many",
       [](const target_step& t) {
         if (!t.step().moves() || t.schedule.frame.size < 3) return false;
         rank_id& peer = t.step().peers.back();
         const rank_id old = peer;
         do peer = (peer + 1) % t.schedule.frame.size;
         while (peer == t.schedule.frame.me || peer == old);
         return true;
       }},
      {"send to oneself", "no rank sends to itself or receives from itself",
       [](const target_step& t) {
         if (!t.step().moves()) return false;
         t.step().peers.front() = t.schedule.frame.me;
         return true;
       }},
      {"name a peer beyond the last", "there is no such rank",
       [](const target_step& t) {
         if (!t.step().moves()) return false;
         t.step().peers.front() = t.schedule.frame.size;
         return true;
       }},
      {"change the blocks of a message", "the other end still names the old blocks",
       [](const target_step& t) {
         return t.step().moves() && change_blocks(t.step().target, t.schedule.frame.blocks);
       }},
      {"exchange two messages of a pair", "they carry different blocks",
       [](const target_step& t) {
         for (std::uint32_t other = t.index + 1; t.step().moves() && other < t.schedule.steps.size(); ++other) {
           loose_step& second = t.schedule.steps[other];
           schedules::slice& mine = t.step().target;
           if (second.kind != t.step().kind || second.peers != t.step().peers) continue;
           if (mine.first == second.target.first && mine.count == second.target.count) continue;
           std::swap(mine, second.target);
           return true;
         }
         return false;
       }},
      {"exchange the sources of two receives", "in an ordered algorithm no two messages carry the same value",
       [](const target_step& t) {
         for (std::uint32_t other = t.index + 1; t.ordered() && other < t.schedule.steps.size(); ++other) {
           loose_step& second = t.schedule.steps[other];
           if (!t.is(step_kind::receive) || second.kind != step_kind::receive) continue;
           if (second.peers == t.step().peers) continue;
           std::swap(t.step().peers, second.peers);
           return true;
         }
         return false;
       }},
  };
}

inline std::vector<mutation> value_mutations() {
  using schedules::step_kind;
  return {
      {"drop a reduce or copy", "a good schedule computes nothing in vain",
       [](const target_step& t) {
         if (t.step().moves()) return false;
         t.schedule.remove(t.index);
         return true;
       }},
      {"swap operands", "operands hold different ranks, so rank order is lost",
       [](const target_step& t) {
         if (!t.ordered() || !t.is(step_kind::reduce)) return false;
         std::swap(t.step().operands.front(), t.step().operands.back());
         return true;
       }},
      {"repeat an operand", "its contributions count twice",
       [](const target_step& t) {
         if (!t.reduces() || !t.is(step_kind::reduce)) return false;
         t.step().operands.push_back(t.step().operands.front());
         return true;
       }},
      {"leave an operand out", "its contributions are missing",
       [](const target_step& t) {
         if (!t.reduces() || !t.is(step_kind::reduce)) return false;
         t.step().operands.pop_back();
         return true;
       }},
      {"change the blocks of an operand", "it no longer holds what the target holds",
       [](const target_step& t) {
         return !t.step().moves() && change_blocks(t.step().operands.back(), t.schedule.frame.blocks);
       }},
      {"write the input", "the input is the caller's",
       [](const target_step& t) {
         if (t.is(step_kind::send)) return false;
         t.step().target = schedules::input(t.step().target.first, t.step().target.count);
         return true;
       }},
      {"read what nobody wrote", "fresh scratch holds nothing",
       [](const target_step& t) {
         if (!t.reduces() || t.is(step_kind::receive)) return false;
         schedules::slice& source = t.is(step_kind::send) ? t.step().target : t.step().operands.back();
         source = t.schedule.fresh_scratch(source);
         return true;
       }},
      {"put a value where nobody looks", "what should have been replaced is used or returned",
       [](const target_step& t) {
         if (!t.reduces() || t.is(step_kind::send)) return false;
         t.step().target = t.schedule.fresh_scratch(t.step().target);
         return true;
       }},
      {"reach beyond the last block", "there is no such block",
       [](const target_step& t) {
         t.step().target.first = t.schedule.frame.blocks;
         if (t.step().target.where != schedules::buffer::scratch) t.step().target.at = t.step().target.first;
         return true;
       }},
      {"wait for oneself", "the step could never start",
       [](const target_step& t) {
         t.step().after.push_back(t.index);
         return true;
       }},
  };
}

}  // namespace tutti::test
