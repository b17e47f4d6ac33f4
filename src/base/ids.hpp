// SPDX-License-Identifier: BSL-1.0
// The small vocabulary of numbers. Ranks are signed, as in MPI, so that differences are safe.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tutti {

using rank_id = std::int32_t;
using element_count = std::uint64_t;
using byte_count = std::uint64_t;

inline constexpr std::size_t cache_line_bytes = 64;

}  // namespace tutti
