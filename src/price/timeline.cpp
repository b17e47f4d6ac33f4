// SPDX-License-Identifier: BSL-1.0
#include "price/timeline.hpp"

#include <cstddef>

namespace tutti::price {

using schedules::place;
using schedules::step_kind;

timeline::timeline(std::span<const schedules::schedule> schedules, const schedules::matching& messages,
                   const schedules::block_lengths& lengths, byte_count element_bytes, const model& costs)
    : schedules_(schedules),
      matching_(messages),
      lengths_(lengths),
      element_bytes_(static_cast<double>(element_bytes)),
      costs_(costs),
      ranks_(schedules.size()),
      waiters_(schedules.size()) {
  for (const schedules::schedule& s : schedules) {
    const auto r = static_cast<std::size_t>(s.me);
    missing_.emplace_back();
    unsent_.emplace_back();
    waiters_[r].resize(s.steps.size());
    for (std::uint32_t i = 0; i < s.steps.size(); ++i) {
      const schedules::step& step = s.steps[i];
      for (const std::uint32_t earlier : s.after_of(step)) waiters_[r][earlier].push_back(i);
      missing_[r].push_back(step.after.count + (step.kind == step_kind::receive ? 1U : 0U));
      unsent_[r].push_back(step.kind == step_kind::send ? step.peers.count : 0U);
    }
    steps_left_ += s.steps.size();
  }
}

bool timeline::run() {
  for (const schedules::schedule& s : schedules_) {
    for (std::uint32_t i = 0; i < s.steps.size(); ++i) {
      if (missing_[static_cast<std::size_t>(s.me)][i] == 0) start({s.me, i});
    }
  }
  start_messages();
  while (!events_.empty()) {
    now_ = events_.top().time;
    // Sums of the same costs in another order differ in the last bits; they are one instant all the same.
    const double instant_end = now_ * (1 + 1e-12);
    while (!events_.empty() && events_.top().time <= instant_end) {
      const event next = events_.top();
      events_.pop();
      handle(next);
    }
    start_messages();
  }
  return steps_left_ == 0;
}

void timeline::handle(const event& e) {
  if (e.kind == what::combined) {
    rank_at(e.at.rank).combining = false;
    finish(e.at);
    return start_combining(e.at.rank);
  }
  if (e.kind == what::step_done) return finish(e.at);
  const schedules::message& m = matching_.messages[e.message];
  rank_at(m.send.rank).sending = false;
  rank_at(m.receive.rank).receiving = false;
  if (--unsent_[static_cast<std::size_t>(m.send.rank)][m.send.step] == 0) finish(m.send);
  satisfy(m.receive);
}

void timeline::satisfy(place p) {
  if (--missing_[static_cast<std::size_t>(p.rank)][p.step] == 0) start(p);
}

void timeline::start(place p) {
  rank_state& me = rank_at(p.rank);
  switch (step_at(p).kind) {
    case step_kind::send: {
      const schedules::run out = matching_.leaving[static_cast<std::size_t>(p.rank)][p.step];
      for (std::uint32_t i = 0; i < out.count; ++i) me.ready_messages.insert(out.begin + i);
      return;
    }
    case step_kind::reduce: me.ready_reduces.insert(p.step); return start_combining(p.rank);
    case step_kind::receive:
    case step_kind::copy: return add_event(0, what::step_done, p, schedules::no_message);
  }
}

void timeline::finish(place p) {
  --steps_left_;
  for (const std::uint32_t later : waiters_[static_cast<std::size_t>(p.rank)][p.step]) satisfy({p.rank, later});
}

void timeline::start_combining(rank_id r) {
  rank_state& me = rank_at(r);
  if (me.combining || me.ready_reduces.empty()) return;
  const place p{r, *me.ready_reduces.begin()};
  me.ready_reduces.erase(me.ready_reduces.begin());
  me.combining = true;
  const double pairs = step_at(p).operands.count - 1.0;
  add_event(costs_.gamma * pairs * bytes_of(step_at(p).target), what::combined, p, schedules::no_message);
}

/// Free senders propose their ready messages in program order, free receivers keep the one that they
/// list first (stable matching, so the outcome does not depend on who is asked first).
void timeline::start_messages() {
  std::vector<std::uint32_t> kept(ranks_.size(), schedules::no_message);
  std::vector<std::set<std::uint32_t>::const_iterator> next(ranks_.size());
  std::vector<std::size_t> asking;
  for (std::size_t r = ranks_.size(); r-- > 0;) {
    next[r] = ranks_[r].ready_messages.begin();
    if (!ranks_[r].sending && !ranks_[r].ready_messages.empty()) asking.push_back(r);
  }
  while (!asking.empty()) {
    const std::size_t sender = asking.back();
    if (next[sender] == ranks_[sender].ready_messages.end()) {
      asking.pop_back();
      continue;
    }
    const std::uint32_t offer = *next[sender]++;
    const place target = matching_.messages[offer].receive;
    if (rank_at(target.rank).receiving) continue;
    std::uint32_t& held = kept[static_cast<std::size_t>(target.rank)];
    if (held != schedules::no_message && matching_.messages[held].receive.step <= target.step) continue;
    asking.pop_back();
    if (held != schedules::no_message) {
      asking.push_back(static_cast<std::size_t>(matching_.messages[held].send.rank));
    }
    held = offer;
  }
  for (const std::uint32_t index : kept) {
    if (index == schedules::no_message) continue;
    const schedules::message& m = matching_.messages[index];
    rank_at(m.send.rank).ready_messages.erase(index);
    rank_at(m.send.rank).sending = true;
    rank_at(m.receive.rank).receiving = true;
    double bytes = 0;
    for_each_part(schedules_[static_cast<std::size_t>(m.send.rank)], step_at(m.send),
                  [&](const schedules::slice& part) { bytes += bytes_of(part); });
    add_event(costs_.alpha + costs_.beta * bytes, what::message_done, m.send, index);
  }
}

void timeline::add_event(double delay, what kind, place at, std::uint32_t message) {
  events_.push({now_ + delay, events_made_++, kind, at, message});
}

double timeline::bytes_of(const schedules::slice& s) const {
  return static_cast<double>(lengths_.elements(s.first, s.count)) * element_bytes_;
}

const schedules::step& timeline::step_at(place p) const {
  return schedules_[static_cast<std::size_t>(p.rank)].steps[p.step];
}

}  // namespace tutti::price
