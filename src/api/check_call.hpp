// SPDX-License-Identifier: BSL-1.0
// What a call must be, as far as this rank alone can tell.
#pragma once

#include "base/ids.hpp"
#include "base/status.hpp"
#include "tutti/core/call.hpp"
#include "tutti/options.hpp"

namespace tutti::core {

/// Root, counts, sizes and buffers. Errors: bad_argument.
status check_call(const call& wanted, rank_id size, rank_id me);

/// Errors: bad_argument.
status check_options(const options& wishes);

}  // namespace tutti::core
