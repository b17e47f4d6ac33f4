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
constexpr auto patience_before_sleep = 2ms;
constexpr auto tick_distance = 10ms;
constexpr std::uint32_t first_probe_distance = 256;
constexpr std::uint32_t last_probe_distance = 65'536;

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
  if (text == nullptr || *text == '\0') return {};
  for (const auto policy : {wait_policy::adaptive, wait_policy::spin, wait_policy::yield, wait_policy::sleep}) {
    if (std::string_view(text) == to_string(policy)) return {policy, true};
  }
  return {wait_policy::adaptive, false};
}

waiter::waiter(int ranks_here) noexcept : waiter(ranks_here, wait_setting_from_environment().policy) {}

waiter::waiter(int ranks_here, wait_policy policy) noexcept
    : policy_(policy),
      spins_(policy == wait_policy::spin || (policy == wait_policy::adaptive && ranks_here <= usable_cores())) {}

void waiter::saw_stranger() noexcept {
  strangers_ = true;
  probe_distance_ = std::clamp(probe_distance_ * 2, first_probe_distance, last_probe_distance);
  waits_until_probe_ = probe_distance_;
}

/// While strangers compete, one wait in many tries a yield to learn whether they have gone.
bool waiter::probe_due() noexcept {
  if (waits_until_probe_ > 0) --waits_until_probe_;
  return waits_until_probe_ == 0;
}

bool wait::should_sleep() noexcept {
  const wait_policy policy = learned_->policy_;
  if (policy == wait_policy::sleep) return true;
  if (policy == wait_policy::spin) {
    spin_pause();
    return false;
  }
  const auto before = clock::now();
  if (since_ == clock::time_point{}) {
    since_ = before;
    next_tick_ = before + tick_distance;
    probing_ = learned_->strangers_ && learned_->probe_due();
  }
  if (policy == wait_policy::adaptive) {
    if (learned_->strangers_ && !probing_) return true;
    if (before - since_ > patience_before_sleep && !probing_) return true;
  }
  sched_yield();
  if (policy == wait_policy::adaptive) {
    const bool long_yield = clock::now() - before > stranger_slice;
    if (long_yield) {
      learned_->saw_stranger();
    } else if (probing_) {
      learned_->strangers_ = false;
    }
    probing_ = false;
  }
  return false;
}

bool wait::tick() noexcept {
  if (since_ == clock::time_point{}) {
    // The sleeping and spinning policies come here without a clock: count looks instead.
    if (learned_->policy_ == wait_policy::sleep || learned_->policy_ == wait_policy::spin) {
      if (looks_ == 1) return false;
      since_ = clock::now();
      next_tick_ = since_ + tick_distance;
    }
    return false;
  }
  const auto now = clock::now();
  if (now < next_tick_) return false;
  next_tick_ = now + tick_distance;
  return true;
}

std::chrono::nanoseconds wait::long_time() const noexcept {
  return since_ == clock::time_point{} ? 0ns : std::chrono::nanoseconds(clock::now() - since_);
}

}  // namespace tutti
