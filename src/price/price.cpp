// SPDX-License-Identifier: BSL-1.0
#include "price/price.hpp"

#include <fmt/format.h>

#include <cstddef>

#include "base/checked.hpp"
#include "price/timeline.hpp"
#include "schedule/dataflow.hpp"

namespace tutti::price {

using schedules::schedule;

namespace {

result<double> simulate(std::span<const schedule> schedules, element_count elements, byte_count element_bytes,
                        const model& costs) {
  const schedules::matching messages = match(schedules);
  timeline simulation(schedules, messages, elements, element_bytes, costs);
  if (!messages.unmatched.empty() || !simulation.run()) {
    return failure{errc::internal, fmt::format("price of a schedule for {} ranks: {}; prove the schedule first "
                                               "(tutti check names the step)",
                                               schedules.size(),
                                               messages.unmatched.empty() ? "it deadlocks" : "messages are unmatched")};
  }
  return simulation.end();
}

/// Whether every figure of the ledger stays within 64 bits.
bool fits(const schedule& s, element_count elements, byte_count element_bytes) {
  const auto vector_bytes = checked_multiply<byte_count>(elements, element_bytes);
  if (!vector_bytes) return false;
  // No step moves more than one vector to each peer; a slot is at most one vector.
  const auto most =
      static_cast<byte_count>(s.steps.size() + s.peers.size() + 1) + static_cast<byte_count>(s.scratch_slots);
  return checked_multiply<byte_count>(*vector_bytes, most).has_value();
}

}  // namespace

result<ledger> count(std::span<const schedule> schedules, element_count elements, byte_count element_bytes) {
  ledger made;
  for (const schedule& s : schedules) {
    if (!fits(s, elements, element_bytes)) {
      return failure{errc::bad_argument, fmt::format("ledger of {} elements of {} bytes: the bytes moved by rank {} "
                                                     "may exceed 64 bits; use a smaller vector",
                                                     elements, element_bytes, s.me)};
    }
    const schedules::block_layout layout(elements, s.blocks);
    byte_count sent = 0;
    byte_count received = 0;
    for (const schedules::step& step : s.steps) {
      const byte_count bytes = layout.elements(step.target.first, step.target.count) * element_bytes;
      if (step.kind == schedules::step_kind::send) sent += bytes * step.peers.count;
      if (step.kind == schedules::step_kind::receive) received += bytes;
    }
    made.sent.push_back(sent);
    made.received.push_back(received);
    made.temporary.push_back(static_cast<byte_count>(s.scratch_slots) * layout.largest() * element_bytes);
  }
  const result<double> rounds = simulate(schedules, elements, element_bytes, {.alpha = 1, .beta = 0, .gamma = 0});
  if (!rounds) return rounds.why();
  made.rounds = rounds.value();
  return made;
}

result<double> seconds(std::span<const schedule> schedules, element_count elements, byte_count element_bytes,
                       const model& costs) {
  return simulate(schedules, elements, element_bytes, costs);
}

}  // namespace tutti::price
