// SPDX-License-Identifier: BSL-1.0
// Executes the schedules of all ranks in one thread, with real data: the n-th send from a to b meets the n-th
// receive at b from a. Which of several ready steps runs first is up to the caller, so that a dependency
// that is missing shows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "schedule/schedule.hpp"

namespace tutti::tests {

enum class preference { earliest_step, latest_step };

/// `World` gives meaning to steps:
///   payload World::send(rank, schedule, step);  bool World::receive(rank, schedule, step, payload);
///   void World::local(rank, schedule, step);
/// Returns what went wrong, or an empty text.
template <class World>
std::string interpret(const std::vector<schedules::schedule>& ranks, World& world, preference first) {
  using payload = typename World::payload;
  using channel = std::tuple<rank_id, rank_id, std::size_t>;  // from, to, position in the lists of both
  std::map<channel, payload> flying;
  std::map<std::pair<rank_id, rank_id>, std::size_t> sends, receives;
  std::vector<std::vector<std::vector<channel>>> channels(ranks.size());
  std::vector<std::vector<bool>> done(ranks.size());
  std::vector<std::vector<std::size_t>> pending(ranks.size());  // in order of preference
  std::size_t left = 0;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const auto me = static_cast<rank_id>(r);
    for (const auto& s : ranks[r].steps) {
      auto& mine = channels[r].emplace_back();
      for (const rank_id peer : ranks[r].peers_of(s)) {
        const bool sends_it = s.kind == schedules::step_kind::send;
        const std::pair way = sends_it ? std::pair(me, peer) : std::pair(peer, me);
        mine.emplace_back(way.first, way.second, (sends_it ? sends : receives)[way]++);
      }
    }
    done[r].resize(ranks[r].steps.size());
    for (std::size_t i = 0; i < ranks[r].steps.size(); ++i) pending[r].push_back(i);
    if (first == preference::latest_step) std::reverse(pending[r].begin(), pending[r].end());
    left += ranks[r].steps.size();
  }
  if (sends != receives) return "the numbers of sends and receives differ";

  const auto run = [&](std::size_t r, std::size_t index) -> std::optional<std::string> {
    const auto& s = ranks[r].steps[index];
    for (const std::uint32_t earlier : ranks[r].after_of(s)) {
      if (!done[r][earlier]) return std::nullopt;
    }
    if (s.kind == schedules::step_kind::send) {
      for (const channel& to : channels[r][index]) flying.emplace(to, world.send(r, ranks[r], s));
    } else if (s.kind == schedules::step_kind::receive) {
      const auto message = flying.find(channels[r][index].front());
      if (message == flying.end()) return std::nullopt;
      if (!world.receive(r, ranks[r], s, message->second)) return "sizes differ at step " + std::to_string(index);
      flying.erase(message);
    } else {
      world.local(r, ranks[r], s);
    }
    done[r][index] = true;
    --left;
    return std::string();
  };
  for (bool progress = true; progress && left != 0;) {
    progress = false;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      std::string why;
      const auto finished = [&](std::size_t index) {
        auto outcome = why.empty() ? run(r, index) : std::nullopt;
        if (outcome) why = std::move(*outcome);
        return outcome.has_value();
      };
      progress = std::erase_if(pending[r], finished) != 0 || progress;
      if (!why.empty()) return why;
    }
  }
  return left == 0 ? "" : "deadlock";
}

}  // namespace tutti::tests
