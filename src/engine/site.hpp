// SPDX-License-Identifier: BSL-1.0
// One rank's end of one communicator: the order of its calls, their execution, their failure.
//
// Invariants
//  1. Calls of one communicator run one after the other, in the order in which they were issued; calls of
//     different communicators run side by side.
//  2. Every call enters by publishing its generation and signature, whatever algorithm serves it, and no
//     site reports success before it has compared the signatures of all sites.
//  3. A call that fails here for a reason that others cannot see raises the alarm; everyone then tells what
//     it called, and all compose the same error from the same records.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/status.hpp"
#include "base/waiter.hpp"
#include "engine/activity.hpp"
#include "engine/operation.hpp"
#include "transport/port.hpp"
#include "tutti/core/statistics.hpp"

namespace tutti::engine {

class pending_sites;

class site : public std::enable_shared_from_this<site> {
 public:
  /// `ranks_here`: how many ranks compete for this machine's cores. `others`: the sites of this rank that
  /// have calls in flight, moved on while this one waits; outlives the site.
  site(std::unique_ptr<port> transport, std::string name, rank_id me, rank_id size, int ranks_here, pending_sites& others);
  ~site();

  rank_id rank() const noexcept { return me_; }
  rank_id size() const noexcept { return size_; }
  const std::string& name() const noexcept { return name_; }

  /// Runs a call to its end on the calling thread. False: `why` tells, and `call.combine.state` may hold the
  /// operator's own exception. Does not allocate for calls that fit a line.
  bool run(const core::call& call, const decision& how, failure& why);

  /// Starts a call; `into` holds what it needs until it is complete. Never waits.
  void start(const core::call& call, const decision& how, intrusive<operation> into);

  /// A call that cannot be made, for a reason of this rank alone: it takes its place in the order and fails
  /// on every rank. Returns what everyone is told.
  failure run_refused(const core::call& call, const decision& how, failure complaint);

  /// Moves the calls in flight on as far as they go; false if another thread is at it.
  bool poll();

  /// Moves on until `of` is complete or `until` has passed. Progresses the rank's other communicators too.
  bool wait_for(const operation& of, std::chrono::steady_clock::time_point until);

  /// Makes an operation that has not ended independent of the caller's buffers.
  void detach(operation& of);

  statistics report();

  /// The engine's part of a communicator's signature: how pieces are cut.
  static constexpr std::uint64_t largest_piece_bytes = std::uint64_t{256} << 10;

 private:
  friend struct execution;

  class hold;
  struct use {
    const prepared* plan;
    const char* reason;
    std::uint64_t calls;
    std::uint64_t bytes;
  };

  bool try_hold() noexcept;
  void acquire() noexcept;
  void let_go() noexcept;
  bool claim_for_caller(failure& why) noexcept;
  void release_caller() noexcept;

  void begin(activity& a, const core::call& call, const decision& how);
  progress advance(activity& a);
  bool run_alone(const core::call& call, const decision& how, failure& why);
  bool run_queued(const core::call& call, const decision& how, failure& why);
  progress wait_through(activity& a);
  void finish(activity& a, progress end) noexcept;
  void count_use(const decision& how, std::uint64_t bytes) noexcept;
  void look_after_peers(activity& a);
  void move_queue();
  void retire_stage() noexcept;

  std::unique_ptr<port> port_;
  const board* lines_ = nullptr;
  std::string name_;
  rank_id me_;
  rank_id size_;
  pending_sites& others_;
  waiter learned_;

  std::atomic<std::uint32_t> held_{0};    ///< whoever executes calls
  std::atomic<std::uint32_t> caller_{0};  ///< a thread is inside an issuing function
  std::atomic<bool> misused_{false};      ///< two threads issued at once
  std::atomic<std::uint32_t> queued_{0};

  std::uint64_t generation_ = 0;
  std::uint64_t spoken_for_ = 0;  ///< latest alarm that our record answers
  failure broken_{errc::success, {}};
  stage stage_;
  std::vector<std::byte> scratch_;
  activity current_;  ///< of calls that run on the caller's thread
  std::deque<intrusive<operation>> queue_;

  std::vector<use> uses_;
  statistics counts_;
};

}  // namespace tutti::engine
