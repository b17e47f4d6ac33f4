// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "schedule/pattern.hpp"
#include "schedule/schedule.hpp"

namespace tutti::check {

/// The shape that one rank's schedule has; for barriers (`moves_nothing`) the one its messages have. A schedule of
/// two ranks may have a shape by chance on one of them only.
schedules::pattern recognise(const schedules::schedule& plan, bool moves_nothing);

}  // namespace tutti::check
