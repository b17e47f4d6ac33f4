// SPDX-License-Identifier: BSL-1.0
// The parts of a proof that follow symbols or knowledge through all ranks.
// Preconditions of both: every schedule is well-formed, messages match, `run` blocks nothing.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "schedule/assignment.hpp"
#include "schedule/dataflow.hpp"
#include "schedule/operand_order.hpp"
#include "schedule/schedule.hpp"

namespace tutti::check {

/// Why some rank's output is not the promised combination of contributions, or nothing.
std::optional<std::string> find_wrong_result(std::span<const schedules::schedule> schedules,
                                             const schedules::matching& messages, const schedules::execution& run,
                                             const schedules::assignment& promised, schedules::operand_order order,
                                             bool in_place);

/// Which rank can leave before it learned of which other rank's arrival, or nothing. A step knows what
/// the steps it waits for know; a receive also knows what its sender knew.
std::optional<std::string> find_early_exit(std::span<const schedules::schedule> schedules,
                                           const schedules::matching& messages, const schedules::execution& run);

}  // namespace tutti::check
