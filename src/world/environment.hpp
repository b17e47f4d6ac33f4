// SPDX-License-Identifier: BSL-1.0
// Settings from environment variables, read strictly: a value that is not understood is an error, never
// a silent default.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/ids.hpp"
#include "base/status.hpp"

namespace tutti::worlds {

/// The text of a variable; std::nullopt if it is not set. Thread safety: none against setenv.
std::optional<std::string_view> variable(const char* name) noexcept;

/// launch_failed: a variable that is set has no value that is `allowed` ("a number from 1 to 9").
failure bad_variable(const char* name, std::string_view allowed);

/// A decimal integer in [least, most]; std::nullopt if not set.
/// Errors: launch_failed naming variable, value and domain.
result<std::optional<std::int64_t>> integer_variable(const char* name, std::int64_t least, std::int64_t most);

/// Address space for a job of `size` ranks: TUTTI_SEGMENT_BYTES, else 1 GiB and 64 MiB per rank. Physical
/// memory is taken only as communicators need it. Errors: launch_failed for a malformed value.
result<byte_count> segment_bytes(rank_id size);

/// How long ranks wait for each other at the start: TUTTI_START_TIMEOUT in seconds, else 60.
/// Errors: launch_failed for a malformed value.
result<std::chrono::seconds> start_timeout();

}  // namespace tutti::worlds
