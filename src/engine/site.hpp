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
#include <mutex>
#include <string>
#include <vector>

#include "base/status.hpp"
#include "base/waiter.hpp"
#include "engine/activity.hpp"
#include "engine/operation.hpp"
#include "engine/surroundings.hpp"
#include "engine/tally.hpp"
#include "transport/port.hpp"

namespace tutti::engine {

class pending_sites;

/// Why a call failed: what everyone is told, and on the rank whose operator threw, its exception.
struct call_failure {
  failure why;
  std::exception_ptr thrown;
};

class site : public std::enable_shared_from_this<site> {
 public:
  /// `ranks_here`: how many ranks compete for this machine's cores. `others`: the sites of this rank that
  /// have calls in flight, moved on while this one waits; outlives the site.
  site(std::unique_ptr<port> transport, std::string name, rank_id me, rank_id size, int ranks_here,
       pending_sites& others);
  ~site();

  rank_id rank() const noexcept { return me_; }
  rank_id size() const noexcept { return size_; }
  const std::string& name() const noexcept { return name_; }

  /// Runs a call to its end on the calling thread. Does not allocate for calls that fit a line.
  bool run(const core::call& call, const decision& how, call_failure& why);

  /// An operation of this site, taken from its pool.
  intrusive<operation> new_operation();
  /// By the operation's last holder.
  void take_back(operation* spent) noexcept;

  /// Starts a call; `into` owns what the call needs, or borrows it, and nobody else knows it yet. Never waits.
  void start(const core::call& call, const decision& how, operation& into);

  /// A call that cannot be made, for a reason that other ranks may not share: it takes its place in the order
  /// and fails on every rank. Returns what everyone is told.
  failure run_refused(const core::call& call, failure complaint);
  void start_refused(const core::call& call, failure complaint, operation& into);

  /// Moves the calls in flight on as far as they go; false if another thread is at it. `awaited`: the operation that
  /// the calling thread waits for, whose end it will see by itself.
  bool poll(const operation* awaited = nullptr);

  /// Moves on until `of` is complete or `until` has passed. Progresses the rank's other communicators too.
  bool wait_for(const operation& of, std::chrono::steady_clock::time_point until);

  /// Makes an operation that has not ended independent of the caller's buffers. False if there is no memory for that.
  bool detach(operation& of) noexcept;

  /// Who asks again and again for a call to be ready must not keep its core from the peers that would make it so.
  void rest_after_vain_poll() noexcept;

  /// Never waits for a call to end.
  statistics report() const { return tally_.report(); }

  /// Keeps a plan for as long as the site, and any call in flight on it, lives.
  const prepared* keep(prepared plan);

 private:
  bool try_hold() noexcept { return held_.exchange(1, std::memory_order_acquire) == 0; }
  void let_go() noexcept { held_.store(0, std::memory_order_release); }
  bool hold_as_caller(failure& why) noexcept;
  void let_caller_go() noexcept;

  void begin(activity& a, const core::call& call, const decision& how);
  progress advance(activity& a);
  progress move_data(activity& a);
  progress wait_out(activity& a);
  void finish(activity& a, progress end);
  void settle_waiting();
  void count(const activity& a, progress end);
  void wake_other_threads(bool waits_itself) const noexcept;
  bool heed_alarm(activity& a);
  progress look_after_peers(activity& a);
  bool patience_is_over() noexcept;
  std::chrono::nanoseconds longest_sleep(bool not_alone) const noexcept;
  bool core_is_needed(const activity& a) noexcept;
  progress run_local(const activity& a) noexcept;
  bool run_behind_others(const core::call& call, const decision& how, call_failure& why);
  void enqueue(operation& next);
  surroundings& around() noexcept { return *around_; }

  std::unique_ptr<port> port_;
  std::string name_;
  rank_id me_;
  rank_id size_;
  pending_sites& others_;
  int ranks_here_;
  waiter learned_;

  std::atomic<std::uint32_t> held_{0};       ///< by whoever executes calls
  std::atomic<bool> caller_{false};          ///< a thread is inside an issuing function
  std::atomic<bool> misused_{false};         ///< two threads issued at once
  std::atomic<int> waiting_{0};              ///< threads inside wait_for(), which may sleep
  std::atomic<bool> misses_someone_{false};  ///< the foremost call in the queue waits for ranks that have not made it
  std::atomic<std::uint32_t> vain_polls_{0};

  std::uint64_t generation_ = 0;
  std::uint64_t spoken_for_ = 0;  ///< latest alarm that our record answers
  failure broken_{errc::success, {}};
  stage stage_;
  std::vector<peer_stage> peer_stages_;
  std::vector<std::byte> scratch_;
  std::vector<const void*> sources_;
  std::unique_ptr<surroundings> around_;
  activity current_;  ///< of calls that run on the caller's thread
  std::deque<intrusive<operation>> queue_;
  std::int64_t blocked_since_ = 0;  ///< of the foremost call, in coarse milliseconds; 0: not known to be blocked

  std::atomic<operation*> spare_;  ///< the one taken back last: most calls need no other
  std::mutex pool_mutex_;
  std::vector<operation*> pool_;

  std::vector<std::unique_ptr<prepared>> plans_;
  tally tally_;
};

}  // namespace tutti::engine
