// SPDX-License-Identifier: BSL-1.0
// The parts of a proof that look at one rank alone.
#pragma once

#include <optional>
#include <string>

#include "schedule/assignment.hpp"
#include "schedule/schedule.hpp"

namespace tutti::check {

/// What is malformed in one schedule (ranges, blocks that the rank does not hold, shapes, peers, a written input),
/// or nothing. Everything else in this room may assume that this found nothing.
std::optional<std::string> find_malformed(const schedules::schedule& s, const schedules::assignment& held);

/// Two steps that touch the same memory in conflict and that `after` leaves unordered, or nothing. Hazards
/// are derived here from the slices alone, not taken from the builder. O(steps^2 / 64 + steps * blocks).
std::optional<std::string> find_race(const schedules::schedule& s);

}  // namespace tutti::check
