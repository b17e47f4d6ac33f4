// SPDX-License-Identifier: BSL-1.0
// Calls in words, for errors.
#pragma once

#include <string>

#include "tutti/core/call.hpp"

namespace tutti::engine {

/// "all_reduce of 1000 x double with plus by all_reduce/ring at main.cpp:12". `algorithm` may be empty.
std::string describe(const core::call& call, const std::string& algorithm);

}  // namespace tutti::engine
