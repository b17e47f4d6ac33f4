// SPDX-License-Identifier: BSL-1.0
// How a rank waits for its peers. No fixed policy is right, so a waiter learns:
//   spin     while every rank of this machine can have a core of its own
//   yield    when only our own ranks compete: the core is handed to a peer that is not yet there
//   sleep    on a doorbell, when a yield shows that strangers compete or a wait has become long
// Before it gives the core away a rank asks whether one of those it waits for was last seen on it. If none was, they
// run elsewhere, and to spin for about as long as handing the core over and back takes is the better bet: of the ranks
// of one core the last to come thus finds the call complete, goes on to the next, and saves a change per call.
// The environment variable TUTTI_WAIT=adaptive|spin|yield|sleep fixes the policy.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/doorbell.hpp"
#include "base/relaxed.hpp"

namespace tutti {

enum class wait_policy : std::uint8_t { adaptive, spin, yield, sleep };

const char* to_string(wait_policy policy) noexcept;

/// TUTTI_WAIT, or adaptive; an unknown word counts as adaptive and `known` says so.
struct wait_setting {
  wait_policy policy = wait_policy::adaptive;
  bool known = true;
};
wait_setting wait_setting_from_environment() noexcept;

/// Hints to the core that we spin.
inline void spin_pause() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::atomic_signal_fence(std::memory_order_seq_cst);
#endif
}

/// The time between two looks, about a third of a cache-line hop: looking at a line more often than that only takes it
/// away from the peer that is about to write it.
inline void pause_between_looks() noexcept {
  spin_pause();
  spin_pause();
  spin_pause();
}

/// What one rank learned about waiting on this machine. Thread safe: the threads of a rank may wait at the same time,
/// and what one learns serves the others; where they learn at once, one lesson may get lost.
class waiter {
 public:
  /// `ranks_here` ranks compete for usable_cores() cores.
  explicit waiter(int ranks_here) noexcept;
  waiter(int ranks_here, wait_policy policy) noexcept;

  wait_policy policy() const noexcept { return policy_; }
  /// Every rank can have a core of its own.
  bool spins() const noexcept { return spins_; }
  /// Yields do not bring the peers on: strangers use the cores, or the scheduler keeps our ranks apart.
  bool strangers() const noexcept { return strangers_; }
  /// More is known now: `competitors` ranks, itself included, may run on the cores that this one may use.
  void learn_competitors(int competitors, int ranks_here) noexcept;

 private:
  friend class wait;
  void suspect(std::uint32_t weight) noexcept;
  void yields_served(bool was_probe) noexcept;
  bool probe_due() noexcept;

  const wait_policy policy_;
  relaxed<bool> spins_;
  relaxed<bool> strangers_ = false;
  relaxed<std::uint32_t> suspicion_ = 0;
  relaxed<std::uint32_t> waits_until_probe_ = 0;
  relaxed<std::uint32_t> probe_distance_ = 0;
};

/// One wait of one thread, from the first look that failed to the one that succeeds.
class wait {
 public:
  explicit wait(waiter& learned) noexcept : learned_(&learned), spins_left_(learned.spins_ ? spins_at_once : 0) {}
  ~wait() {
    if (yields_ != 0 && !sleeps_) learned_->yields_served(probing_);
  }
  wait(const wait&) = delete;
  wait& operator=(const wait&) = delete;

  /// Spins once, if spinning is still the thing to do.
  bool spin() noexcept {
    if (spins_left_ == 0) return false;
    --spins_left_;
    // A peer that comes together with us publishes while we do: the first look shall not be late.
    if (looks_++ == 0) {
      spin_pause();
    } else {
      pause_between_looks();
    }
    return true;
  }

  /// Lets time pass, in the way that fits. `needs_core`: whether a peer that is waited for may need this core; asked
  /// now and then. `ready` is asked again before any sleep; true ends the wait.
  template <class NeedsCore, class Ready>
  bool pause(doorbell& bell, NeedsCore needs_core, Ready ready,
             std::chrono::nanoseconds sleep_at_most = longest_sleep) {
    if (spin()) return false;
    if (may_spin_on() && !needs_core()) {
      spins_left_ = spins_at_once;
      spun_ += spins_at_once;
      return false;
    }
    ++looks_;
    if (!should_sleep()) return false;
    return sleep_unless(bell, sleep_at_most, ready);
  }

  /// True once for every 10 ms or so of waiting: time to ask whether the peers still live.
  bool tick() noexcept;

  std::uint64_t looks() const noexcept { return looks_; }
  /// Time since the wait became long; 0 for a short one, which reads no clock.
  std::chrono::nanoseconds long_time() const noexcept;

  static constexpr std::chrono::nanoseconds longest_sleep{5'000'000};
  /// While other doorbells than this one may bring work.
  static constexpr std::chrono::nanoseconds shared_sleep{200'000};

 private:
  using clock = std::chrono::steady_clock;
  static constexpr std::uint32_t spins_at_once = 48;  ///< some microseconds

  bool may_spin_on() const noexcept;
  bool should_sleep() noexcept;  ///< or has yielded
  bool sleep_from_now_on(std::uint32_t suspicion) noexcept;

  waiter* learned_;
  std::uint32_t spins_left_;
  std::uint32_t spun_ = 0;  ///< of those beyond the first, since the core was last given away
  std::uint32_t yields_ = 0;
  std::uint64_t looks_ = 0;
  bool probing_ = false;
  bool sleeps_ = false;
  clock::time_point since_{};
  clock::time_point next_tick_{};
};

}  // namespace tutti
