// SPDX-License-Identifier: BSL-1.0
// What exchanges between everyone and everyone have in common. What others send comes in the order in which they turn
// to this rank, first from its left, while `others` gives the order in which it turns to them.
#pragma once

#include "schedule/builder.hpp"

namespace tutti::algorithms {

/// Folds everyone's `block` from the left into the output's: the others' arrive in scratch, one slot each.
void fold_shares(schedules::builder& b, std::int32_t block, rank_id me, rank_id size);

/// Block r arrives from each other rank r, in the output.
void receive_parts(schedules::builder& b, rank_id me, rank_id size);

}  // namespace tutti::algorithms
