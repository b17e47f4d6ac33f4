// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "base/ids.hpp"

namespace tutti::test {

inline constexpr byte_count mebibyte = byte_count{1} << 20;

}  // namespace tutti::test
