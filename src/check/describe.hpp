// SPDX-License-Identifier: BSL-1.0
// Words for counterexamples.
#pragma once

#include <cstdint>
#include <string>

#include "schedule/schedule.hpp"

namespace tutti::check {

/// "output block 3", "input blocks 0..3", "scratch slot 2 holding blocks 4..7".
std::string describe(const schedules::slice& what);

/// "rank 3, step 7 (stage "ring step 1"): send output block 2 to rank 0". Precondition: `step` exists; the
/// pools may be malformed.
std::string describe(const schedules::schedule& s, std::uint32_t step);

}  // namespace tutti::check
