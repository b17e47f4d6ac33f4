// SPDX-License-Identifier: BSL-1.0
#include "contest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <span>
#include <stdexcept>

#include "observe/sample_statistics.hpp"
#include "peer.hpp"
#include "tutti/tutti.hpp"

namespace peers {
namespace {

/// How long a batch shall last.
struct batch_bounds {
  double at_least;  // seconds, of the faster side
  double at_most;   // seconds, of the slower side; goes first: calls of MPICH last 8 to 110 ms when ranks share cores
  int calls;
};
/// A thousand times the clock's grain, and long against the skew with which ranks leave the start line.
constexpr batch_bounds usual_batch{20e-6, 0.12, 256};
/// Where ranks share cores they leave the start line one after the other, tens of microseconds apart.
constexpr batch_bounds batch_on_shared_cores{1e-3, 0.12, 256};
/// Ranks that slept at the start line are favored over strangers for a while. A lone call would live on that; only
/// calls back to back for longer than a time slice show what they cost beside strangers.
constexpr batch_bounds batch_beside_strangers{5e-3, 0.2, 4096};
constexpr std::size_t most_batch_bytes = std::size_t{128} << 10;  // inputs of a batch stay in the owner's cache
constexpr int warm_up_calls = 8;
constexpr int calibration_laps = 3;
constexpr double block_seconds = 2e-3;  // aim for the recorded laps of the slower side
constexpr int fewest_blocks = 5;
constexpr double polluted_with_own_cores = 0.02;
constexpr double polluted_with_shared_cores = 0.05;

batch_bounds bounds_of(const limits& given, int ranks) {
  if (given.strangers) return batch_beside_strangers;
  return ranks > cores_of_machine() ? batch_on_shared_cores : usual_batch;
}

int most_calls(const row& what, int bound) {
  if (what.what == operation::barrier) return bound;
  constexpr std::size_t line = 64;
  return static_cast<int>(
      std::clamp<std::size_t>(most_batch_bytes / std::max(what.bytes, line), 1, static_cast<std::size_t>(bound)));
}

}  // namespace

contest::contest(const row& what, const tutti::communicator& comm, start_line& line, limits at_most, std::uint64_t seed)
    : row_(what),
      comm_(comm),
      line_(line),
      limits_(at_most),
      seed_(seed),
      most_calls_(most_calls(what, bounds_of(at_most, line.size()).calls)),
      buffers_(what.what == operation::barrier ? 0 : most_calls_, what.bytes / sizeof(double)) {
  outcome_.of = row_;
}

/// Hands the row's call by one side to `use`, as a function of the index in the batch.
template <class Use>
auto contest::with_call(side by, const Use& use) {
  const std::size_t count = buffers_.count();
  if (row_.what == operation::barrier) {
    if (by == side::mpi) return use([](int) { peer::barrier(); });
    if (by == side::blocking) return use([&](int) { tutti::barrier(tutti::launch::sync, comm_); });
    return use([&](int) { tutti::barrier(comm_).get(); });
  }
  if (by == side::mpi) {
    return use([&](int i) { peer::all_reduce_sum(buffers_.input(i), buffers_.output(i), static_cast<int>(count)); });
  }
  if (by == side::blocking) {
    return use([&](int i) {
      tutti::all_reduce(tutti::launch::sync, comm_, std::span<const double>(buffers_.input(i), count),
                        std::span<double>(buffers_.output(i), count), std::plus{});
    });
  }
  return use([&](int i) { *buffers_.output(i) = tutti::all_reduce(comm_, *buffers_.input(i), std::plus{}).get(); });
}

lap contest::run_lap(side by, int calls) {
  ++round_;
  if (row_.what == operation::all_reduce) buffers_.rewrite(calls, line_.rank(), round_);
  const lap taken = with_call(by, [&](const auto& call) {
    lap measured;
    line_.wait();
    measured.start = now();
    for (int i = 0; i < calls; ++i) call(i);
    measured.stop = now();
    return measured;
  });
  if (row_.what == operation::barrier) return taken;
  const std::string wrong = buffers_.first_wrong(calls, line_.size(), round_);
  if (!wrong.empty()) {
    throw std::runtime_error(fmt::format("WRONG RESULT by {}: all_reduce of {} bytes on {} ranks: {}",
                                         side_names[static_cast<std::size_t>(by)], row_.bytes, line_.size(), wrong));
  }
  return taken;
}

/// Behind a barrier every rank must see what every other wrote before it. A different rank comes late each time.
void contest::check_barrier(side by) {
  const std::uint64_t token = ++round_;
  const bool late = token % static_cast<std::uint64_t>(line_.size()) == static_cast<std::uint64_t>(line_.rank());
  line_.wait();
  for (const double until = now() + (late ? 3e-6 : 0.0); now() < until;) {
  }
  line_.mine().token.store(token, std::memory_order_relaxed);
  with_call(by, [](const auto& call) { call(0); });
  for (int rank = 0; rank < line_.size(); ++rank) {
    if (line_.of(rank).token.load(std::memory_order_relaxed) >= token) continue;
    throw std::runtime_error(fmt::format("WRONG RESULT by {}: rank {} left a barrier of {} ranks before rank {} came",
                                         side_names[static_cast<std::size_t>(by)], line_.rank(), line_.size(), rank));
  }
}

/// Settles the batch and the laps of a block from a few laps of each side, with batches that grow until they last
/// long enough: a batch of one call is mostly start line.
void contest::calibrate() {
  constexpr int turns = 5;
  for (int turn = 0, batch = 0; turn < turns && batch != outcome_.batch; ++turn) {
    batch = outcome_.batch;
    for (const side by : row_.sides) {
      for (std::size_t i = 0; i < calibration_laps; ++i)
        line_.mine().laps[static_cast<std::size_t>(by)][i] = run_lap(by, batch);
    }
    line_.wait();
    if (line_.rank() == 0) plan_batch(batch);
    line_.wait();
    outcome_.batch = line_.plan().batch;
    outcome_.laps = line_.plan().laps;
  }
}

/// Rank 0, behind the start line that ends a turn of calibration.
void contest::plan_batch(int tried) {
  constexpr int fastest_growth = 8;
  double fastest = 1e9;
  double slowest = 0;
  for (const side by : row_.sides) {
    const std::vector<double> seconds = slowest_rank_seconds(by, calibration_laps);
    fastest = std::min(fastest, *std::min_element(seconds.begin(), seconds.end()) / tried);
    slowest = std::max(slowest, tutti::observe::summarize(seconds).value().median / tried);
  }
  const batch_bounds bounds = bounds_of(limits_, line_.size());
  const double wanted = std::ceil(std::min(bounds.at_least / fastest, bounds.at_most / slowest));
  const double most = std::min(most_calls_, fastest_growth * tried);
  const bool close_enough = wanted > 0.5 * tried && wanted < 2.0 * tried;
  const double batch = close_enough ? tried : std::clamp(wanted, 1.0, most);
  line_.plan().batch = static_cast<int>(batch);
  line_.plan().laps = static_cast<int>(std::clamp(block_seconds / (slowest * batch), 1.0, double{largest_block}));
}

/// Rank 0, behind the start line that ends a block.
std::vector<double> contest::slowest_rank_seconds(side by, int laps) {
  std::vector<double> seconds(static_cast<std::size_t>(laps), 0.0);
  for (int rank = 0; rank < line_.size(); ++rank) {
    const auto& taken = line_.of(rank).laps[static_cast<std::size_t>(by)];
    for (std::size_t i = 0; i < seconds.size(); ++i) seconds[i] = std::max(seconds[i], taken[i].stop - taken[i].start);
  }
  return seconds;
}

std::vector<double> contest::start_skews(side by, int laps) {
  std::vector<double> skews;
  for (std::size_t i = 0; i < static_cast<std::size_t>(laps); ++i) {
    double first = 1e300;
    double last = 0;
    for (int rank = 0; rank < line_.size(); ++rank) {
      const double start = line_.of(rank).laps[static_cast<std::size_t>(by)][i].start;
      first = std::min(first, start);
      last = std::max(last, start);
    }
    skews.push_back((last - first) * 1e6);
  }
  return skews;
}

void contest::run_block(const std::vector<side>& order) {
  const scheduled_time before = account_.read();
  for (const side by : order) {
    if (row_.what == operation::barrier) check_barrier(by);
    run_lap(by, std::min(outcome_.batch, warm_up_calls));
    for (std::size_t i = 0; i < static_cast<std::size_t>(outcome_.laps); ++i)
      line_.mine().laps[static_cast<std::size_t>(by)][i] = run_lap(by, outcome_.batch);
  }
  const scheduled_time after = account_.read();
  line_.mine().ran_nanoseconds = after.ran_nanoseconds - before.ran_nanoseconds;
  line_.mine().delayed_nanoseconds = after.delayed_nanoseconds - before.delayed_nanoseconds;
}

/// With a core for each rank: how long the worst rank was ready but waited for its core. With shared cores ranks
/// delay each other, so there: what is left of the cores' time when that of all ranks is taken off.
double contest::stolen_part(double wall_seconds) {
  double ran = 0;
  double delayed = 0;
  for (int rank = 0; rank < line_.size(); ++rank) {
    ran += 1e-9 * static_cast<double>(line_.of(rank).ran_nanoseconds);
    delayed = std::max(delayed, 1e-9 * static_cast<double>(line_.of(rank).delayed_nanoseconds));
  }
  const int cores = cores_of_machine();
  if (line_.size() <= cores) return delayed / wall_seconds;
  return std::max(0.0, 1 - ran / (wall_seconds * cores));
}

void contest::collect_block(const std::vector<side>& order, double wall_seconds) {
  block made;
  made.order = order;
  for (const side by : order) {
    auto& times = made.microseconds[static_cast<std::size_t>(by)];
    times = slowest_rank_seconds(by, outcome_.laps);
    for (double& time : times) time *= 1e6 / outcome_.batch;
    made.skews[static_cast<std::size_t>(by)] = start_skews(by, outcome_.laps);
  }
  made.stolen = stolen_part(wall_seconds);
  const double most = line_.size() <= cores_of_machine() ? polluted_with_own_cores : polluted_with_shared_cores;
  made.polluted = !limits_.strangers && made.stolen > most;
  outcome_.blocks.push_back(std::move(made));
}

bool contest::wants_more(double started) const {
  const double spent = now() - started;
  const auto blocks = static_cast<int>(outcome_.blocks.size());
  if (blocks < fewest_blocks) return spent < 4 * limits_.seconds;
  return blocks < limits_.most_blocks && spent < limits_.seconds;
}

outcome contest::run() {
  calibrate();
  const double started = now();
  std::mt19937_64 random(seed_);
  for (;;) {
    if (line_.rank() == 0) {
      line_.plan().go_on = wants_more(started);
      line_.plan().shuffle_seed = random();
    }
    line_.wait();
    if (!line_.plan().go_on) break;
    std::vector<side> order = row_.sides;
    std::mt19937_64 shuffler(line_.plan().shuffle_seed);
    std::shuffle(order.begin(), order.end(), shuffler);
    const double block_started = now();
    run_block(order);
    line_.wait();
    if (line_.rank() == 0) collect_block(order, now() - block_started);
  }
  return std::move(outcome_);
}

}  // namespace peers
