// SPDX-License-Identifier: BSL-1.0
// One row of the race: one operation at one size, by two sides in turn, in the same processes.
//
// A lap: rewrite the inputs, start line, clock, a batch of calls, clock, check every element. Its time is the
// maximum over the ranks. A block: for each side, in an order drawn anew, a warm-up lap and then the recorded laps.
// The batch, laps and waiting at the start line are the same for all sides.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "dirty_buffers.hpp"
#include "start_line.hpp"
#include "stolen_time.hpp"
#include "tutti/communicator.hpp"

namespace peers {

enum class operation { barrier, all_reduce };

/// Ways to make a call.
enum class side {
  mpi,
  blocking,  // tutti, on spans, complete on return
  future,    // tutti, on a value, .get() on the future
};
constexpr std::array<const char*, 3> side_names{"mpi", "tutti", "tutti future"};

struct row {
  operation what = operation::barrier;
  std::size_t bytes = 0;
  std::vector<side> sides{side::mpi, side::blocking};  // the first is what the others are compared with
};

struct limits {
  double seconds = 2;  // for one row
  int most_blocks = 400;
  bool strangers = false;  // on purpose: then no block is polluted
};

struct block {
  std::vector<side> order;
  std::array<std::vector<double>, 3> microseconds;  // per call, by side
  std::array<std::vector<double>, 3> skews;         // microseconds between the first and the last start, by side
  double stolen = 0;                                // part of the time that others had of the cores
  bool polluted = false;
};

/// What rank 0 learned of a row.
struct outcome {
  row of;
  int batch = 1;
  int laps = 1;
  std::vector<block> blocks;
};

class contest {
 public:
  contest(const row& what, const tutti::communicator& comm, start_line& line, limits at_most, std::uint64_t seed);
  /// Collective. The outcome is complete on rank 0 only. Throws std::runtime_error at a wrong result.
  outcome run();

 private:
  template <class Use>
  auto with_call(side by, const Use& use);
  void calibrate();
  void plan_batch(int tried);
  lap run_lap(side by, int calls);
  void check_barrier(side by);
  void run_block(const std::vector<side>& order);
  void collect_block(const std::vector<side>& order, double wall_seconds);
  std::vector<double> slowest_rank_seconds(side by, int laps);
  std::vector<double> start_skews(side by, int laps);
  double stolen_part(double wall_seconds);
  bool wants_more(double started) const;

  row row_;
  tutti::communicator comm_;
  start_line& line_;
  limits limits_;
  std::uint64_t seed_;
  int most_calls_;
  dirty_buffers buffers_;
  scheduler_account account_;
  std::uint64_t round_ = 0;
  outcome outcome_;
};

}  // namespace peers
