// SPDX-License-Identifier: BSL-1.0
// A schedule made ready to run: what can be known before there are buffers. Immutable, so one serves any
// number of calls; cached by communicator and shape.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/pattern.hpp"
#include "schedule/schedule.hpp"
#include "tutti/core/collective.hpp"

namespace tutti::engine {

using schedules::pattern;

/// What the step-by-step execution needs to know of one step.
struct step_plan {
  std::uint32_t waits_for = 0;        ///< steps that must be complete first, message order included
  std::uint32_t first_successor = 0;  ///< into prepared::successors
  std::uint32_t successor_count = 0;
  std::uint32_t ordinal = 0;       ///< first message number of a send (one per peer, see ordinals), of a receive
  std::int32_t streams_into = -1;  ///< receive: the reduce that alone reads it and may take it as it comes
};

struct prepared {
  std::string id;              ///< "all_reduce/ring"
  std::string shape;           ///< in words, if it is not the usual one: " with arity 3"
  std::uint32_t identity = 0;  ///< equal on two ranks exactly if algorithm and shape are
  collective what = collective::barrier;
  pattern fused = pattern::stepwise;
  schedules::schedule plan;
  std::vector<step_plan> steps;
  std::vector<std::uint32_t> successors;
  std::vector<std::uint32_t> ordinals;  ///< parallel to plan.peers: the message's number to that peer
};

/// `plan` as built for this rank. `variant` tells shapes of one algorithm apart (root, arity); `fused` is what the
/// algorithm's registry line states, equal on all ranks.
prepared prepare(std::string id, collective what, std::uint64_t variant, pattern fused, schedules::schedule plan);

}  // namespace tutti::engine
