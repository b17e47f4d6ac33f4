// SPDX-License-Identifier: BSL-1.0
// What a communicator knows about its own past.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tutti {

/// How often one algorithm served, and why it was chosen the last time.
struct algorithm_statistics {
  std::string id;      ///< "all_reduce/direct"
  std::string reason;  ///< of the latest choice, e.g. "forced by the caller"
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;  ///< of the vectors contributed by this rank
};

/// Counted on this rank since the communicator was made.
struct statistics {
  std::uint64_t calls = 0;           ///< finished, well or badly
  std::uint64_t failures = 0;        ///< of these, the ones that ended in an error
  std::uint64_t bytes = 0;           ///< of the vectors contributed by this rank
  std::uint64_t looks_for_late = 0;  ///< looks at lines of peers that had not arrived yet
  double seconds_for_late = 0;       ///< waiting for peers to arrive, from about 0.1 ms per wait on
  double seconds_inside = 0;         ///< in calls of 16 KiB and more after everyone had arrived: moving data
  std::vector<algorithm_statistics> algorithms;
};

}  // namespace tutti
