// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace tutti::schedules {

/// Shapes of which a transport with shared lines may know a faster execution: the same data movement and the same
/// operand order, without a message for each pair. An algorithm's registry line states its shape, so that all
/// ranks agree on it; check::recognise proves the statement.
enum class pattern : std::uint8_t {
  stepwise,         ///< no known shape: step by step over the port
  exchange,         ///< everyone's whole vector to everyone, one fold of all in rank order
  exchange_slices,  ///< block q to rank q, one fold of all in rank order, the result to everyone
};

}  // namespace tutti::schedules
