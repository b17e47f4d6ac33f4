// SPDX-License-Identifier: BSL-1.0
#include "transport/board.hpp"

namespace tutti {

void board::wake_if_complete(std::uint64_t epoch) const noexcept {
  // Two sites that come last together must not both miss the other's line.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  for (rank_id site = 0; site < sites_; ++site) {
    if (line_of(site, epoch / 2).epoch.load(std::memory_order_acquire) < epoch) return;
  }
  ring_sleepers(head_->bell);
}

}  // namespace tutti
