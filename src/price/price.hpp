// SPDX-License-Identifier: BSL-1.0
// What a collective must cost, counted from the schedules of all ranks: nothing here is typed in
// beside an algorithm, so a stated cost can be held against it.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "base/status.hpp"
#include "schedule/block_lengths.hpp"
#include "schedule/schedule.hpp"

namespace tutti::price {

/// The four ledgers. Vectors are indexed by rank; bytes are payload.
struct ledger {
  double rounds = 0;             ///< messages on the critical path under the one-port model
  std::vector<byte_count> sent;  ///< a send to d destinations counts d times
  std::vector<byte_count> received;
  std::vector<byte_count> temporary;  ///< scratch and staging held

  byte_count sent_most() const { return sent.empty() ? 0 : *std::max_element(sent.begin(), sent.end()); }
  byte_count temporary_most() const {
    return temporary.empty() ? 0 : *std::max_element(temporary.begin(), temporary.end());
  }
  /// Sent plus received by the busiest rank.
  byte_count busiest() const {
    byte_count most = 0;
    for (std::size_t r = 0; r < sent.size(); ++r) most = std::max(most, sent[r] + received[r]);
    return most;
  }
};

/// Time in any one unit: a message of m bytes costs alpha + beta * m, combining m bytes with m others
/// costs gamma * m.
struct model {
  double alpha = 0;
  double beta = 0;
  double gamma = 0;
};

/// The ledgers for blocks of these lengths, of `element_bytes` bytes an element.
/// Preconditions: `schedules` are those of all ranks, accepted by check::prove; `lengths` are of as many blocks.
/// Errors: bad_argument (bytes leave 64 bits), internal (messages unmatched or a deadlock).
/// Thread safe. O(steps log steps + messages * P) in the worst case.
result<ledger> count(std::span<const schedules::schedule> schedules, const schedules::block_lengths& lengths,
                     byte_count element_bytes);

/// The ledgers where all blocks belong to one vector of `elements` elements.
result<ledger> count(std::span<const schedules::schedule> schedules, element_count elements, byte_count element_bytes);

/// Time until the last step of the last rank, in the unit of `costs`. The one-port, full-duplex model:
/// a rank sends one message and receives one message at a time and combines one pair at a time; a send
/// to d destinations is d messages in the order of its list; what is ready goes in program order; a
/// message needs both ports, and a receiver prefers the message that it lists first. Sends are
/// buffered: a message does not wait for its receive to be posted.
/// Preconditions, errors and complexity: as for count.
result<double> seconds(std::span<const schedules::schedule> schedules, const schedules::block_lengths& lengths,
                       byte_count element_bytes, const model& costs);
result<double> seconds(std::span<const schedules::schedule> schedules, element_count elements, byte_count element_bytes,
                       const model& costs);

}  // namespace tutti::price
