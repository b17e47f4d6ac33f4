// SPDX-License-Identifier: BSL-1.0
#include "price/price.hpp"

#include <fmt/format.h>

#include <cstddef>

#include "base/checked.hpp"
#include "price/timeline.hpp"
#include "schedule/dataflow.hpp"

namespace tutti::price {

using schedules::block_lengths;
using schedules::schedule;

namespace {

result<double> simulate(std::span<const schedule> schedules, const block_lengths& lengths, byte_count element_bytes,
                        const model& costs) {
  const schedules::matching messages = match(schedules);
  timeline simulation(schedules, messages, lengths, element_bytes, costs);
  if (!messages.unmatched.empty() || !simulation.run()) {
    return failure{errc::internal, fmt::format("price of a schedule for {} ranks: {}; prove the schedule first "
                                               "(tutti check names the step)",
                                               schedules.size(),
                                               messages.unmatched.empty() ? "it deadlocks" : "messages are unmatched")};
  }
  return simulation.end();
}

/// Whether every figure of the ledger stays within 64 bits.
bool fits(const schedule& s, const block_lengths& lengths, byte_count element_bytes) {
  const auto all_bytes = checked_multiply<byte_count>(lengths.before(s.blocks), element_bytes);
  if (!all_bytes) return false;
  // No slice holds more than all blocks; nor does a slot.
  const auto most = static_cast<byte_count>(s.steps.size() + s.peers.size() + s.operands.size() + 2) +
                    static_cast<byte_count>(s.scratch_slots);
  return checked_multiply<byte_count>(*all_bytes, most).has_value();
}

block_lengths one_vector(std::span<const schedule> schedules, element_count elements) {
  return {elements, 1, schedules.empty() ? 1 : schedules.front().blocks};
}

}  // namespace

result<ledger> count(std::span<const schedule> schedules, const block_lengths& lengths, byte_count element_bytes) {
  ledger made;
  for (const schedule& s : schedules) {
    if (!fits(s, lengths, element_bytes)) {
      return failure{errc::bad_argument, fmt::format("ledger of {} elements of {} bytes: the bytes moved by rank {} "
                                                     "may exceed 64 bits; use a smaller vector",
                                                     lengths.before(s.blocks), element_bytes, s.me)};
    }
    byte_count sent = 0;
    byte_count received = 0;
    for (const schedules::step& step : s.steps) {
      if (step.kind != schedules::step_kind::send && step.kind != schedules::step_kind::receive) continue;
      byte_count bytes = 0;
      for_each_part(s, step, [&](const schedules::slice& part) {
        bytes += lengths.elements(part.first, part.count) * element_bytes;
      });
      if (step.kind == schedules::step_kind::send) sent += bytes * step.peers.count;
      if (step.kind == schedules::step_kind::receive) received += bytes;
    }
    made.sent.push_back(sent);
    made.received.push_back(received);
    const element_count staged = lengths.elements(s.staging_first, s.staging_end - s.staging_first);
    made.temporary.push_back((static_cast<byte_count>(s.scratch_slots) * lengths.largest() + staged) * element_bytes);
  }
  const result<double> rounds = simulate(schedules, lengths, element_bytes, {.alpha = 1, .beta = 0, .gamma = 0});
  if (!rounds) return rounds.why();
  made.rounds = rounds.value();
  return made;
}

result<ledger> count(std::span<const schedule> schedules, element_count elements, byte_count element_bytes) {
  return count(schedules, one_vector(schedules, elements), element_bytes);
}

result<double> seconds(std::span<const schedule> schedules, const block_lengths& lengths, byte_count element_bytes,
                       const model& costs) {
  return simulate(schedules, lengths, element_bytes, costs);
}

result<double> seconds(std::span<const schedule> schedules, element_count elements, byte_count element_bytes,
                       const model& costs) {
  return simulate(schedules, one_vector(schedules, elements), element_bytes, costs);
}

}  // namespace tutti::price
