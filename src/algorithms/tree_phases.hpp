// SPDX-License-Identifier: BSL-1.0
// Data on its way up or down a tree of ranks (rank_tree.hpp): what the tree algorithms are composed of.
#pragma once

#include "algorithms/rank_tree.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms {

/// The root's `held` reaches everyone else's `wanted`: slices of the same blocks.
void broadcast_down(schedules::builder& b, const rank_tree& tree, rank_id me, const schedules::slice& held,
                    const schedules::slice& wanted);

/// Folds everyone's block 0 in rank order into the root's output. Others fold in `room`, staging or output, and all
/// through scratch slot 0.
void reduce_up(schedules::builder& b, const rank_tree& tree, rank_id me, schedules::buffer room);

/// Block r of rank r's input reaches the root's output; on its way it waits in `room`: staging or output.
void gather_up(schedules::builder& b, const rank_tree& tree, rank_id me, schedules::buffer room);

/// Block r of the root's input reaches rank r's output; on its way it waits in staging.
void scatter_down(schedules::builder& b, const rank_tree& tree, rank_id me);

/// What lies before me, folded in rank order: returns where it is, on every rank but the first. The root is rank 0.
/// Sums of groups climb through scratch slots, one each, prefixes descend through two more and staging.
schedules::slice scan_groups(schedules::builder& b, const rank_tree& tree, rank_id me);

}  // namespace tutti::algorithms
