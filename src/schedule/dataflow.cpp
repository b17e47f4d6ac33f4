// SPDX-License-Identifier: BSL-1.0
#include "schedule/dataflow.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>

namespace tutti::schedules {
namespace {

/// One end of a message, as its own rank lists it.
struct end_of_message {
  rank_id from;
  rank_id to;
  place at;
};

bool same_pair(const end_of_message& a, const end_of_message& b) { return a.from == b.from && a.to == b.to; }
bool pair_before(const end_of_message& a, const end_of_message& b) {
  return std::tie(a.from, a.to) < std::tie(b.from, b.to);
}

std::vector<end_of_message> ends_of(std::span<const schedule> schedules, step_kind kind) {
  std::vector<end_of_message> ends;
  for (const schedule& s : schedules) {
    for (std::uint32_t i = 0; i < s.steps.size(); ++i) {
      if (s.steps[i].kind != kind) continue;
      for (const rank_id peer : s.peers_of(s.steps[i])) {
        const bool sending = kind == step_kind::send;
        ends.push_back({sending ? s.me : peer, sending ? peer : s.me, {s.me, i}});
      }
    }
  }
  std::stable_sort(ends.begin(), ends.end(), pair_before);
  return ends;
}

/// Pairs the two sorted lists; what has no partner goes to `unmatched`.
void pair_up(const std::vector<end_of_message>& sends, const std::vector<end_of_message>& receives, matching& made) {
  auto send = sends.begin();
  auto receive = receives.begin();
  while (send != sends.end() || receive != receives.end()) {
    if (send != sends.end() && receive != receives.end() && same_pair(*send, *receive)) {
      made.messages.push_back({send++->at, receive++->at});
    } else if (receive == receives.end() || (send != sends.end() && pair_before(*send, *receive))) {
      made.unmatched.push_back({send->at, send->to});
      ++send;
    } else {
      made.unmatched.push_back({receive->at, receive->from});
      ++receive;
    }
  }
}

}  // namespace

matching match(std::span<const schedule> schedules) {
  matching made;
  pair_up(ends_of(schedules, step_kind::send), ends_of(schedules, step_kind::receive), made);
  // A step's messages were listed by destination; its own list of peers is the order in which they leave.
  const auto place_in_list = [&](const message& m) {
    const schedule& s = schedules[static_cast<std::size_t>(m.send.rank)];
    const auto peers = s.peers_of(s.steps[m.send.step]);
    return std::find(peers.begin(), peers.end(), m.receive.rank) - peers.begin();
  };
  std::vector<std::pair<std::tuple<rank_id, std::uint32_t, std::ptrdiff_t>, message>> keyed;
  keyed.reserve(made.messages.size());
  for (const message& m : made.messages) keyed.push_back({{m.send.rank, m.send.step, place_in_list(m)}, m});
  std::stable_sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::transform(keyed.begin(), keyed.end(), made.messages.begin(), [](const auto& k) { return k.second; });

  for (const schedule& s : schedules) {
    made.feeding.emplace_back(s.steps.size(), no_message);
    made.leaving.emplace_back(s.steps.size());
  }
  for (std::uint32_t i = 0; i < made.messages.size(); ++i) {
    const message& m = made.messages[i];
    made.feeding[static_cast<std::size_t>(m.receive.rank)][m.receive.step] = i;
    run& out = made.leaving[static_cast<std::size_t>(m.send.rank)][m.send.step];
    if (out.count++ == 0) out.begin = i;
  }
  return made;
}

execution execute(std::span<const schedule> schedules, const matching& messages) {
  std::vector<std::vector<std::uint32_t>> missing(schedules.size());  // what each step still waits for
  std::vector<std::vector<std::vector<std::uint32_t>>> waiters(schedules.size());
  execution made;
  for (std::size_t r = 0; r < schedules.size(); ++r) {
    const schedule& s = schedules[r];
    waiters[r].resize(s.steps.size());
    for (std::uint32_t i = 0; i < s.steps.size(); ++i) {
      for (const std::uint32_t earlier : s.after_of(s.steps[i])) waiters[r][earlier].push_back(i);
      missing[r].push_back(s.steps[i].after.count + (s.steps[i].kind == step_kind::receive ? 1U : 0U));
      if (missing[r][i] == 0) made.order.push_back({static_cast<rank_id>(r), i});
    }
  }
  const auto satisfy = [&](place p) {
    if (--missing[static_cast<std::size_t>(p.rank)][p.step] == 0) made.order.push_back(p);
  };
  for (std::size_t next = 0; next < made.order.size(); ++next) {
    const place done = made.order[next];
    const auto r = static_cast<std::size_t>(done.rank);
    for (const std::uint32_t later : waiters[r][done.step]) satisfy({done.rank, later});
    const run out = messages.leaving[r][done.step];
    for (std::uint32_t i = 0; i < out.count; ++i) satisfy(messages.messages[out.begin + i].receive);
  }
  for (std::size_t r = 0; r < schedules.size(); ++r) {
    for (std::uint32_t i = 0; i < missing[r].size(); ++i) {
      if (missing[r][i] != 0) made.blocked.push_back({static_cast<rank_id>(r), i});
    }
  }
  return made;
}

}  // namespace tutti::schedules
