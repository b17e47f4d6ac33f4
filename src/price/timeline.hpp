// SPDX-License-Identifier: BSL-1.0
// The one-port simulation behind price::seconds and the ledger of rounds.
#pragma once

#include <cstdint>
#include <queue>
#include <set>
#include <span>
#include <vector>

#include "price/price.hpp"
#include "schedule/dataflow.hpp"

namespace tutti::price {

class timeline {
 public:
  timeline(std::span<const schedules::schedule> schedules, const schedules::matching& messages,
           const schedules::block_lengths& lengths, byte_count element_bytes, const model& costs);

  /// Runs to the end. False: some step could never run.
  bool run();
  double end() const { return now_; }

 private:
  enum class what : std::uint8_t { step_done, message_done, combined };
  struct event {
    double time;
    std::uint64_t order;  // of creation: makes the simulation deterministic
    what kind;
    schedules::place at;
    std::uint32_t message;
    bool operator>(const event& other) const { return time != other.time ? time > other.time : order > other.order; }
  };
  struct rank_state {
    bool sending = false;
    bool receiving = false;
    bool combining = false;
    std::set<std::uint32_t> ready_messages;  // by index, which is program order
    std::set<std::uint32_t> ready_reduces;
  };

  void satisfy(schedules::place p);
  void start(schedules::place p);
  void finish(schedules::place p);
  void handle(const event& e);
  void start_combining(rank_id r);
  void start_messages();
  void add_event(double delay, what kind, schedules::place at, std::uint32_t message);
  double bytes_of(const schedules::slice& s) const;
  const schedules::step& step_at(schedules::place p) const;
  rank_state& rank_at(rank_id r) { return ranks_[static_cast<std::size_t>(r)]; }

  std::span<const schedules::schedule> schedules_;
  const schedules::matching& matching_;
  const schedules::block_lengths& lengths_;
  double element_bytes_;
  model costs_;
  std::vector<rank_state> ranks_;
  std::vector<std::vector<std::uint32_t>> missing_;               // [rank][step]: what it still waits for
  std::vector<std::vector<std::vector<std::uint32_t>>> waiters_;  // [rank][step]: later steps of that rank
  std::vector<std::vector<std::uint32_t>> unsent_;                // [rank][step]: messages of a send under way
  std::priority_queue<event, std::vector<event>, std::greater<>> events_;
  std::uint64_t events_made_ = 0;
  std::size_t steps_left_ = 0;
  double now_ = 0;
};

}  // namespace tutti::price
