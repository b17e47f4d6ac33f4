// SPDX-License-Identifier: BSL-1.0
// The schedules of all ranks taken together: which send feeds which receive, and in which order the
// steps can run. Every reading that follows values or time through all ranks starts here.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "schedule/schedule.hpp"

namespace tutti::schedules {

/// One step of one rank.
struct place {
  rank_id rank = 0;
  std::uint32_t step = 0;

  friend bool operator==(const place&, const place&) = default;
};

/// One send to one destination and the receive that it feeds.
struct message {
  place send;
  place receive;
};

/// One end of a message whose other end does not exist.
struct lone_end {
  place at;
  rank_id peer = 0;
};

inline constexpr std::uint32_t no_message = std::numeric_limits<std::uint32_t>::max();

/// Messages matched pair by pair in the order in which both ranks list them.
/// Precondition: schedules[r].me == r and every peer is a rank. O(messages log messages).
struct matching {
  std::vector<message> messages;                    ///< by sender, send step and place in its list of peers
  std::vector<lone_end> unmatched;                  ///< empty in a good set of schedules
  std::vector<std::vector<std::uint32_t>> feeding;  ///< [rank][step]: message that feeds a receive, or no_message
  std::vector<std::vector<run>> leaving;            ///< [rank][step]: messages of a send, a run of `messages`
};
matching match(std::span<const schedule> schedules);

/// The steps of all ranks in an order that respects `after` and messages (sends are buffered).
struct execution {
  std::vector<place> order;
  std::vector<place> blocked;  ///< steps that can never run: a deadlock, or a receive that nothing feeds
};
execution execute(std::span<const schedule> schedules, const matching& messages);

}  // namespace tutti::schedules
