// SPDX-License-Identifier: BSL-1.0
// The floor under every small row: ranks that tell each other by bare flags that they are here, and nothing else.
#pragma once

#include "start_line.hpp"

namespace peers {

/// Microseconds that one exchange takes: each rank writes a cache line of its own and looks at all others until they
/// have come, waiting as at the start line. Median of batches, as rank 0 sees it. Collective.
double bare_exchange_microseconds(start_line& line);

}  // namespace peers
