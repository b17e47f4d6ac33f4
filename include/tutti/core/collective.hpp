// SPDX-License-Identifier: BSL-1.0
// The collective operations by name.
#pragma once

#include <cstdint>

namespace tutti {

enum class collective : std::uint8_t { all_reduce, barrier };

/// "all_reduce", "barrier".
const char* to_string(collective what) noexcept;

}  // namespace tutti
