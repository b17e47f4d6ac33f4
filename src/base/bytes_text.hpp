// SPDX-License-Identifier: BSL-1.0
// Byte counts as people write and read them.
#pragma once

#include <string>
#include <string_view>

#include "base/ids.hpp"
#include "base/status.hpp"

namespace tutti {

/// "64", "64B", "8Ki", "8KiB", "1Mi", "2Gi" (powers of 1024); "2k", "2M", "2MB", "1G" (powers of 1000); upper or
/// lower case. Errors: bad_argument for anything else, and where the count leaves 64 bits. Thread safe.
result<byte_count> parse_bytes(std::string_view text);

/// "64 B", "8 KiB", "1.75 MiB": the largest binary unit not above it, at most three decimals.
std::string bytes_text(double bytes);

}  // namespace tutti
