// SPDX-License-Identifier: BSL-1.0
// What stands beside a row's times: the ledgers of its schedule.
#pragma once

#include "bench/measure.hpp"
#include "price/price.hpp"

namespace tutti::benching {

/// Counted from the schedules of all ranks for the row's vector.
result<price::ledger> ledger_of(const plan& what, const row& of);

/// The row of the same size and buffers that ratios are formed with: that of the first candidate.
const row& reference_of(const findings& found, const row& of);

}  // namespace tutti::benching
