// SPDX-License-Identifier: BSL-1.0
// The measurement itself, run by every rank alike.
//
// For each size and each repetition the candidates are shuffled, by the seed and so equally on all ranks. For each
// candidate: buffers are made ready, all ranks meet in a barrier, each reads its clock, calls, and reads its clock
// again. A figure is the maximum over ranks. After each call, outside of the timed part, every element is checked.
#pragma once

#include <string>
#include <vector>

#include "bench/plan.hpp"
#include "bench/progress.hpp"
#include "tutti/communicator.hpp"

namespace tutti::benching {

inline constexpr double microseconds_per_second = 1e6;  ///< tables and JSON speak of microseconds

/// One candidate at one size with one kind of buffers. Times are seconds, maxima over ranks.
struct row {
  byte_count bytes = 0;
  std::string candidate;
  bool dirty = true;
  select::choice serves;
  int batch = 1;                ///< calls, on as many buffers, that one sample is the mean of
  std::vector<double> samples;  ///< in order of time
  double back_to_back = 0;      ///< mean of a run of calls without barrier, rewriting or check between them
  int back_to_back_calls = 0;
};

struct findings {
  double clock_grain = 0;  ///< seconds between two readings that differ, at least
  double others = 0;       ///< cores that processes other than the ranks kept busy meanwhile; negative: unknown
  double seconds = 0;      ///< that it took
  std::vector<row> rows;
};

/// Collective over `comm`; every rank gets the same rows. Throws std::runtime_error on the rank that got a wrong
/// result, with index, got and wanted; tutti::error if a call fails.
findings measure(const communicator& comm, const plan& what, progress& shown);

}  // namespace tutti::benching
