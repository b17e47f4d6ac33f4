// SPDX-License-Identifier: BSL-1.0
#include "engine/prepared.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/hash.hpp"

namespace tutti::engine {
namespace {

using namespace schedules;

std::uint32_t identity_of(const std::string& id, std::uint64_t variant) {
  std::uint64_t hash = variant;
  for (const char c : id) hash = mix(hash, static_cast<unsigned char>(c));
  return static_cast<std::uint32_t>(hash);
}

/// Messages between two ranks keep their order: each waits for its predecessor in the same direction.
class message_order {
 public:
  /// The step before `index` in that direction, or -1; and the message's number.
  std::pair<std::int64_t, std::uint32_t> next(step_kind direction, rank_id peer, std::uint32_t index) {
    auto& last = last_[{direction, peer}];
    const std::pair<std::int64_t, std::uint32_t> before{last.first, last.second};
    last = {index, last.second + 1};
    return before;
  }

 private:
  struct latest {
    std::int64_t first = -1;
    std::uint32_t second = 0;
    latest() = default;
    latest(std::int64_t step, std::uint32_t number) : first(step), second(number) {}
  };
  std::map<std::pair<step_kind, rank_id>, latest> last_;
};

bool overlaps(const slice& a, const slice& b) {
  return a.where == b.where && a.at < b.at + b.count && b.at < a.at + a.count;
}

/// Receives into scratch that one reduce alone reads, before anything else writes there.
void find_streams(prepared& made) {
  const schedule& plan = made.plan;
  std::map<std::int32_t, std::vector<std::uint32_t>> readers_of;  // by scratch slot
  for (std::uint32_t i = 0; i < plan.steps.size(); ++i) {
    const step& s = plan.steps[i];
    const auto note = [&](const slice& read) {
      if (read.where != buffer::scratch) return;
      for (std::int32_t slot = read.at; slot < read.at + read.count; ++slot) readers_of[slot].push_back(i);
    };
    if (s.kind == step_kind::send) note(s.target);
    if (s.kind == step_kind::receive) continue;
    for (const slice& operand : plan.operands_of(s)) note(operand);
  }
  for (std::uint32_t i = 0; i < plan.steps.size(); ++i) {
    const step& s = plan.steps[i];
    if (s.kind != step_kind::receive || s.target.where != buffer::scratch || s.target.count == 0) continue;
    if (s.operands.count != 0) continue;  // a message of several slices
    // The next writer of the slots ends the life of what was received.
    std::uint32_t end = static_cast<std::uint32_t>(plan.steps.size());
    for (std::uint32_t j = i + 1; j < end; ++j) {
      const step& later = plan.steps[j];
      bool writes = later.kind != step_kind::send && overlaps(later.target, s.target);
      if (later.kind == step_kind::receive) {
        for (const slice& part : plan.operands_of(later)) writes = writes || overlaps(part, s.target);
      }
      if (writes) end = j + 1;
    }
    std::vector<std::uint32_t> readers;
    for (std::int32_t slot = s.target.at; slot < s.target.at + s.target.count; ++slot) {
      for (const std::uint32_t reader : readers_of[slot]) {
        if (reader > i && reader < end && std::find(readers.begin(), readers.end(), reader) == readers.end()) {
          readers.push_back(reader);
        }
      }
    }
    if (readers.size() != 1) continue;
    const step& reader = plan.steps[readers.front()];
    const auto operands = plan.operands_of(reader);
    const auto uses = std::count(operands.begin(), operands.end(), s.target);
    const bool alone =
        std::count_if(operands.begin(), operands.end(), [](const slice& o) { return o.where == buffer::scratch; }) == 1;
    if (reader.kind == step_kind::reduce && uses == 1 && alone && reader.target.where != buffer::scratch) {
      made.steps[i].streams_into = static_cast<std::int32_t>(readers.front());
    }
  }
}

void link(prepared& made) {
  const schedule& plan = made.plan;
  made.steps.resize(plan.steps.size());
  made.ordinals.resize(plan.peers.size());
  std::vector<std::vector<std::uint32_t>> successors(plan.steps.size());
  message_order order;
  for (std::uint32_t i = 0; i < plan.steps.size(); ++i) {
    const step& s = plan.steps[i];
    std::vector<std::uint32_t> before(plan.after_of(s).begin(), plan.after_of(s).end());
    for (std::uint32_t k = 0; k < s.peers.count; ++k) {
      const auto [previous, number] = order.next(s.kind, plan.peers[s.peers.begin + k], i);
      made.ordinals[s.peers.begin + k] = number;
      if (previous >= 0) before.push_back(static_cast<std::uint32_t>(previous));
    }
    std::sort(before.begin(), before.end());
    before.erase(std::unique(before.begin(), before.end()), before.end());
    made.steps[i].waits_for = static_cast<std::uint32_t>(before.size());
    for (const std::uint32_t earlier : before) successors[earlier].push_back(i);
  }
  for (std::uint32_t i = 0; i < plan.steps.size(); ++i) {
    made.steps[i].first_successor = static_cast<std::uint32_t>(made.successors.size());
    made.steps[i].successor_count = static_cast<std::uint32_t>(successors[i].size());
    made.successors.insert(made.successors.end(), successors[i].begin(), successors[i].end());
  }
}

}  // namespace

prepared prepare(std::string id, collective what, std::uint64_t variant, pattern fused, schedule plan) {
  prepared made;
  made.identity = identity_of(id, variant);
  made.id = std::move(id);
  made.what = what;
  made.fused = fused;
  made.plan = std::move(plan);
  link(made);
  find_streams(made);
  return made;
}

}  // namespace tutti::engine
