// SPDX-License-Identifier: BSL-1.0
// Schedules as text, for people, golden files and exchange. Grammar and meaning: docs/schedule.md.
#pragma once

#include <string>
#include <string_view>

#include "base/status.hpp"
#include "schedule/schedule.hpp"

namespace tutti::schedules {

/// "output[2]", "input[0..3]", "scratch@1[4..5]".
std::string to_text(const slice& what);

/// The canonical text. Preconditions: slices hold at least one block; stages ascend from step to step; the
/// pools are in the order of the steps (whatever the builder or `parse` made is like this).
/// parse(to_text(s)) equals s.
std::string to_text(const schedule& what);

/// Reads any bytes. What it accepts is well formed: every index, slot, block and rank in range, operands as
/// large as their target, dependencies ascending and earlier. Whether it computes anything is for
/// check::prove. Accepts CRLF, blank lines and extra spaces; to_text(parse(t)) == t for canonical t.
/// Errors: bad_argument with the line and the reason. O(length) time and memory.
result<schedule> parse(std::string_view text);

}  // namespace tutti::schedules
