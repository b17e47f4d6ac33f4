// SPDX-License-Identifier: BSL-1.0
#include "base/waiter.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/cores.hpp"

namespace tutti {
namespace {

using namespace std::chrono_literals;

/// A yield among our own ranks costs about a microsecond; a stranger keeps the core for a scheduler slice.
constexpr auto stranger_slice = 400us;
/// Past this a peer is late rather than busy: waiting must not burn the core that it may need.
constexpr auto patience_with_peers = 150us;
constexpr auto patience_on_own_core = 1ms;
constexpr auto tick_distance = 10ms;
constexpr std::uint32_t yields_of_a_probe = 8;
constexpr std::uint32_t first_probe_distance = 64;
constexpr std::uint32_t last_probe_distance = 4'096;
/// One long yield may be chance, two within a few waits are not; nor are several waits full of vain yields.
constexpr std::uint32_t long_yield = 64;
constexpr std::uint32_t vain_yields = 16;
constexpr std::uint32_t certainty = 96;
/// How often to look before the core is given away although no peer is known to need it. A tenth of a millisecond where
/// every rank has a core of its own; where ranks share cores about as long as handing one over takes, which is longest
/// through a sleep.
constexpr std::uint32_t spins_on_own_core = 2'000;
constexpr std::uint32_t spins_before_sleep = 384;
constexpr std::uint32_t spins_before_yield = 96;

}  // namespace

const char* to_string(wait_policy policy) noexcept {
  switch (policy) {
    case wait_policy::adaptive: return "adaptive";
    case wait_policy::spin: return "spin";
    case wait_policy::yield: return "yield";
    case wait_policy::sleep: return "sleep";
  }
  return "unknown";
}

wait_setting wait_setting_from_environment() noexcept {
  const char* const text = std::getenv("TUTTI_WAIT");
  if (text == nullptr) return {};
  for (const auto policy : {wait_policy::adaptive, wait_policy::spin, wait_policy::yield, wait_policy::sleep}) {
    if (std::string_view(text) == to_string(policy)) return {policy, true};
  }
  return {wait_policy::adaptive, false};
}

waiter::waiter(int ranks_here) noexcept : waiter(ranks_here, wait_setting_from_environment().policy) {}

waiter::waiter(int ranks_here, wait_policy policy) noexcept
    : policy_(policy),
      spins_(policy == wait_policy::spin || (policy == wait_policy::adaptive && ranks_here <= usable_cores())) {}

void waiter::learn_competitors(int competitors, int ranks_here) noexcept {
  if (policy_ != wait_policy::adaptive) return;
  spins_ = competitors <= usable_cores() && (core_quota() == 0 || ranks_here <= core_quota());
}

void waiter::suspect(std::uint32_t weight) noexcept {
  const std::uint32_t suspicion = std::min(suspicion_ + weight, certainty);
  suspicion_ = suspicion;
  if (suspicion < certainty) return;
  strangers_ = true;
  const std::uint32_t distance = std::clamp(probe_distance_ * 2, first_probe_distance, last_probe_distance);
  probe_distance_ = distance;
  waits_until_probe_ = distance;
}

void waiter::yields_served(bool was_probe) noexcept {
  if (was_probe) {
    strangers_ = false;
    suspicion_ = certainty / 2;
    probe_distance_ = probe_distance_ / 4;
  } else if (const std::uint32_t suspicion = suspicion_; suspicion > 0) {
    suspicion_ = suspicion - 1;
  }
}

/// While yields are believed vain, one wait in many tries them, to learn whether that is still so.
bool waiter::probe_due() noexcept {
  const std::uint32_t left = waits_until_probe_;
  if (left > 0) waits_until_probe_ = left - 1;
  return left <= 1;
}

bool wait::may_spin_on() const noexcept {
  switch (learned_->policy_) {
    case wait_policy::yield:
    case wait_policy::sleep: return false;
    case wait_policy::spin:
    case wait_policy::adaptive: break;
  }
  if (sleeps_ || learned_->strangers_) return spun_ < spins_before_sleep;
  return spun_ < (learned_->spins_ ? spins_on_own_core : spins_before_yield);
}

bool wait::sleep_from_now_on(std::uint32_t suspicion) noexcept {
  sleeps_ = true;
  if (suspicion != 0) learned_->suspect(suspicion);
  return true;
}

bool wait::should_sleep() noexcept {
  if (!learned_->spins_ || sleeps_) spun_ = 0;
  const auto before = clock::now();
  if (since_ == clock::time_point{}) {
    since_ = before;
    next_tick_ = before + tick_distance;
    probing_ = learned_->strangers_ && learned_->probe_due();
  }
  switch (learned_->policy_) {
    case wait_policy::sleep: return true;
    case wait_policy::spin: pause_between_looks(); return false;
    case wait_policy::yield: sched_yield(); return false;
    case wait_policy::adaptive: break;
  }
  if (sleeps_) return true;
  if (learned_->strangers_ && !probing_) return sleep_from_now_on(0);
  if (probing_ && yields_ == yields_of_a_probe) return sleep_from_now_on(long_yield);
  const auto patience = learned_->spins_ ? patience_on_own_core : patience_with_peers;
  if (before - since_ > patience) return sleep_from_now_on(vain_yields);
  ++yields_;
  sched_yield();
  if (clock::now() - before > stranger_slice) {
    learned_->suspect(long_yield);
    sleeps_ = probing_;
  }
  return false;
}

bool wait::tick() noexcept {
  if (since_ == clock::time_point{}) return false;
  const auto now = clock::now();
  if (now < next_tick_) return false;
  next_tick_ = now + tick_distance;
  return true;
}

std::chrono::nanoseconds wait::long_time() const noexcept {
  return since_ == clock::time_point{} ? 0ns : std::chrono::nanoseconds(clock::now() - since_);
}

}  // namespace tutti
