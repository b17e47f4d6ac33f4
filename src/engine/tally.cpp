// SPDX-License-Identifier: BSL-1.0
#include "engine/tally.hpp"

#include <algorithm>

namespace tutti::engine {

tally::use& tally::use_of(const prepared& plan) {
  for (use& known : uses_) {
    if (known.plan == &plan) return known;
  }
  const std::lock_guard lock(growing_);
  return uses_.emplace_back(&plan, nullptr, 0, 0);
}

void tally::add_call(const decision& how, std::uint64_t bytes, bool failed, std::chrono::duration<double> inside) {
  add(calls_, std::uint64_t{1});
  add(bytes_, bytes);
  if (failed) add(failures_, std::uint64_t{1});
  if (inside.count() > 0) add(seconds_inside_, inside.count());
  if (how.plan == nullptr) return;
  use& served = use_of(*how.plan);
  served.reason.store(how.reason, std::memory_order_relaxed);
  add(served.calls, std::uint64_t{1});
  add(served.bytes, bytes);
}

statistics tally::report() const {
  constexpr auto relaxed = std::memory_order_relaxed;
  statistics now;
  now.calls = calls_.load(relaxed);
  now.failures = failures_.load(relaxed);
  now.bytes = bytes_.load(relaxed);
  now.looks_for_late = looks_for_late_.load(relaxed) + looks_of_futures_.load(relaxed);
  now.seconds_for_late = seconds_for_late_.load(relaxed) + seconds_of_futures_.load(relaxed);
  now.seconds_inside = std::max(0.0, seconds_inside_.load(relaxed) - now.seconds_for_late);
  const std::lock_guard lock(growing_);
  for (const use& u : uses_) {
    const char* const reason = u.reason.load(relaxed);
    if (reason == nullptr) continue;  // about to be counted
    now.algorithms.push_back({u.plan->id, reason, u.calls.load(relaxed), u.bytes.load(relaxed)});
  }
  return now;
}

}  // namespace tutti::engine
