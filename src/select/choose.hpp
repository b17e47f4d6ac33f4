// SPDX-License-Identifier: BSL-1.0
// Which algorithm serves a call. The choice looks only at facts that are equal on all ranks.
#pragma once

#include <string_view>

#include "algorithms/registry.hpp"
#include "base/ids.hpp"
#include "base/status.hpp"

namespace tutti::select {

struct facts {
  collective what = collective::barrier;
  rank_id size = 1;
  byte_count bytes = 0;     ///< of one part of the data: one vector, or one block for each rank
  bool commutative = true;  ///< the operator
  bool associative = true;
};

struct choice {
  const algorithms::algorithm* which = nullptr;
  const char* reason = "";  ///< static storage
};

/// The library's own choice. Complexity: O(1).
choice choose(const facts& call);

/// The caller's wish. Errors: unknown_name; not_applicable if it is for another collective, or the operator's
/// properties forbid its operand order.
result<choice> force(std::string_view id, const facts& call);

}  // namespace tutti::select
