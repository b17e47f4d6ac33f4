// SPDX-License-Identifier: BSL-1.0
// Stated costs that no short expression tells. Each follows from the numbers of ranks, groups and digits, not from a
// schedule; in parts, or for messages in rounds.
#pragma once

#include "schedule/builder.hpp"

namespace tutti::algorithms {

struct volumes {
  double sent = 0;     ///< by the rank that sends most
  double busiest = 0;  ///< sent plus received by the busiest rank
  double temporary = 0;
};

/// broadcast/scatter_all_gather, in blocks.
volumes scatter_all_gather_volumes(rank_id size, rank_id root);
/// broadcast/circulant, in pieces: what the busiest rank sends and receives.
double circulant_broadcast_busiest(rank_id size, int pieces);
/// reduce/rabenseifner, in vectors.
double rabenseifner_busiest(rank_id size, rank_id root);

/// reduce/dual_root, with the larger of its two sides.
double dual_root_rounds(rank_id size, rank_id root, int pieces);
double dual_root_busiest(rank_id size, rank_id root);
double dual_root_temporary(rank_id size, rank_id root, int pieces);

/// all_to_all/hierarchical, in pieces.
volumes hierarchical_all_to_all_volumes(rank_id size, int arity);

/// inclusive_scan/hierarchical and exclusive_scan/hierarchical.
double hierarchical_scan_rounds(rank_id size, int arity);
double hierarchical_scan_temporary(rank_id size, int arity);
/// The scans by recursive doubling: messages of the busiest rank.
double doubling_scan_busiest(rank_id size);
/// inclusive_scan/up_down_sweep: rounds, and messages of the busiest rank.
double sweep_rounds(rank_id size);

}  // namespace tutti::algorithms
