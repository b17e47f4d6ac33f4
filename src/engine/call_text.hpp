// SPDX-License-Identifier: BSL-1.0
// Calls in words, for errors.
#pragma once

#include <string>

#include "engine/activity.hpp"
#include "tutti/core/call.hpp"

namespace tutti::engine {

/// "all_reduce of 1000 x double with std::plus by all_reduce/ring in segments of 4096 bytes at main.cpp:12". All that
/// ranks must agree on, so that calls that differ read differently.
std::string describe(const core::call& call, const decision& how);

}  // namespace tutti::engine
