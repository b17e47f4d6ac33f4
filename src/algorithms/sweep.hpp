// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "schedule/builder.hpp"

namespace tutti::algorithms {

/// Scans the vectors of ranks first .. size-1 in rank order: partial results climb a binary tree, prefixes descend it.
/// `mine` is this rank's, and a different buffer than `prefix`; of the first rank the two become equal. Takes scratch
/// slot 0. Block 0 of one.
void sweep(schedules::builder& b, const schedules::slice& mine, const schedules::slice& prefix, rank_id first,
           rank_id size, rank_id me);

}  // namespace tutti::algorithms
