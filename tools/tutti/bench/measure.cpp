// SPDX-License-Identifier: BSL-1.0
#include "bench/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <stdexcept>

#include "base/bytes_text.hpp"
#include "bench/buffers.hpp"
#include "bench/strangers.hpp"
#include "observe/sample_statistics.hpp"
#include "tutti/all_reduce.hpp"
#include "tutti/barrier.hpp"

namespace tutti::benching {
namespace {

using clock = std::chrono::steady_clock;

constexpr double largest_grain_share = 0.02;
constexpr int most_calls_in_a_batch = 1000;
constexpr int rehearsals = 2;  // the first call of a kind prepares its schedule
constexpr int back_to_back_rounds = 3;
constexpr double back_to_back_seconds = 0.002;
constexpr byte_count back_to_back_bytes = byte_count{32} << 20;  // of inputs per rank

double seconds_of(clock::duration span) { return std::chrono::duration<double>(span).count(); }

/// How finely this clock tells times apart, its own reading included.
double grain_of_clock() {
  clock::duration least = clock::duration::max();
  for (int i = 0; i < 1000; ++i) {
    const auto first = clock::now();
    auto second = clock::now();
    while (second == first) second = clock::now();
    least = std::min(least, second - first);
  }
  return seconds_of(least);
}

/// When one rank entered and left a batch, in seconds of the clock that all ranks of a machine share.
struct visit {
  double entered = 0;
  double left = 0;
};

/// Everything of one size.
class stage {
 public:
  stage(const communicator& comm, const plan& what, byte_count bytes)
      : comm_(comm), plan_(what), bytes_(bytes), mine_(what, comm.rank(), bytes) {
    for (const std::string& candidate : what.candidates) {
      for (const bool dirty : what.dirty) {
        row& made = rows_.emplace_back();
        made.bytes = bytes;
        made.candidate = candidate;
        made.dirty = dirty;
        made.serves = serves(what, candidate, bytes);
      }
    }
  }

  void rehearse(double clock_grain);
  void measure(progress& shown, std::mt19937_64& random);
  double seconds_per_repetition() const noexcept { return seconds_per_repetition_; }
  std::vector<row>& rows() noexcept { return rows_; }

 private:
  void repeat(int batch, std::vector<std::vector<visit>>& visits);
  visit call_batch(const row& of, int batch);
  std::vector<std::vector<double>> maxima(const std::vector<std::vector<visit>>& visits) const;
  std::vector<double> collect(std::vector<double> values) const {
    all_reduce(tutti::launch::sync, comm_, in_place, values, tutti::max{});
    return values;
  }

  const communicator& comm_;
  const plan& plan_;
  byte_count bytes_;
  buffers mine_;
  std::vector<row> rows_;
  int batch_ = 1;
  int back_to_back_ = 1;
  double seconds_per_repetition_ = 0;
  std::vector<std::size_t> order_;
};

visit stage::call_batch(const row& of, int batch) {
  const options wishes{.algorithm = of.candidate == library_choice ? std::string_view{} : of.candidate,
                       .segment_bytes = plan_.segment_bytes,
                       .arity = plan_.arity,
                       .pieces = plan_.pieces};
  mine_.reserve(batch);
  mine_.prepare(batch, of.dirty);
  barrier(tutti::launch::sync, comm_);
  const auto entered = clock::now();
  for (int call = 0; call < batch; ++call) mine_.run(call, comm_, wishes);
  const auto left = clock::now();
  if (const std::string wrong = mine_.first_error(batch); !wrong.empty()) {
    throw std::runtime_error(fmt::format("wrong result of {} at {}: {}; the run is void", of.serves.which->id,
                                         bytes_text(static_cast<double>(bytes_)), wrong));
  }
  return {seconds_of(entered.time_since_epoch()), seconds_of(left.time_since_epoch())};
}

/// Every row once, in the order of the moment.
void stage::repeat(int batch, std::vector<std::vector<visit>>& visits) {
  visits.resize(rows_.size());
  for (const std::size_t at : order_) visits[at].push_back(call_batch(rows_[at], batch));
}

/// The longest stay over ranks, by row and sample. No rank may leave before all have entered, since it needs all.
std::vector<std::vector<double>> stage::maxima(const std::vector<std::vector<visit>>& visits) const {
  std::vector<double> stays;
  std::vector<double> bounds;  // one reduction gives the last to enter and, negated, the first to leave
  for (const auto& of_row : visits) {
    for (const visit& one : of_row) {
      stays.push_back(one.left - one.entered);
      bounds.insert(bounds.end(), {one.entered, -one.left});
    }
  }
  stays = collect(std::move(stays));
  bounds = collect(std::move(bounds));
  std::vector<std::vector<double>> made(visits.size());
  std::size_t next = 0;
  for (std::size_t at = 0; at < visits.size(); ++at) {
    for (std::size_t i = 0; i < visits[at].size(); ++i, ++next) {
      if (bounds[2 * next] > -bounds[2 * next + 1]) {
        throw std::runtime_error(
            fmt::format("wrong result of {} at {}: a rank left before another had entered; the run "
                        "is void",
                        rows_[at].serves.which->id, bytes_text(static_cast<double>(bytes_))));
      }
      made[at].push_back(stays[next]);
    }
  }
  return made;
}

/// Finds what a repetition costs, and how many calls one sample needs so that the clock's grain does not count.
void stage::rehearse(double clock_grain) {
  order_.resize(rows_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  double fastest = 0;
  for (int round = 0; round < rehearsals; ++round) {
    std::vector<std::vector<visit>> visits;
    const auto start = clock::now();
    repeat(1, visits);
    seconds_per_repetition_ = collect({seconds_of(clock::now() - start)}).front();
    const auto times = maxima(visits);
    fastest = std::min_element(times.begin(), times.end())->front();
  }
  const double calls = std::ceil(clock_grain / (largest_grain_share * std::max(fastest, clock_grain / 1000)));
  batch_ = static_cast<int>(std::clamp<double>(calls, 1, most_calls_in_a_batch));
  const double by_time = std::clamp<double>(back_to_back_seconds / std::max(fastest, 1e-9), 4, most_calls_in_a_batch);
  const byte_count by_bytes =
      bytes_ == 0 ? most_calls_in_a_batch : std::max<byte_count>(1, back_to_back_bytes / bytes_);
  back_to_back_ = static_cast<int>(std::min(by_time, static_cast<double>(by_bytes)));
}

void stage::measure(progress& shown, std::mt19937_64& random) {
  const std::string name = plan_.moves_data() ? bytes_text(static_cast<double>(bytes_)) : to_string(plan_.what);
  std::vector<std::vector<visit>> visits;
  for (int repetition = 0; repetition < plan_.warmup + plan_.trials; ++repetition) {
    if (repetition == plan_.warmup) visits.clear();
    std::shuffle(order_.begin(), order_.end(), random);
    repeat(batch_, visits);
    shown.advance(name, seconds_per_repetition_);
  }
  const auto times = maxima(visits);
  for (std::size_t at = 0; at < rows_.size(); ++at) {
    rows_[at].batch = batch_;
    for (const double time : times[at]) rows_[at].samples.push_back(time / batch_);
  }
  if (back_to_back_ < 2) return;
  visits.clear();
  for (int round = 0; round < back_to_back_rounds; ++round) {
    std::shuffle(order_.begin(), order_.end(), random);
    repeat(back_to_back_, visits);
  }
  const auto runs = maxima(visits);
  for (std::size_t at = 0; at < rows_.size(); ++at) {
    rows_[at].back_to_back_calls = back_to_back_;
    rows_[at].back_to_back = observe::summarize(runs[at]).value().median / back_to_back_;
  }
}

}  // namespace

findings measure(const communicator& comm, const plan& what, progress& shown) {
  findings made;
  double grain = grain_of_clock();
  all_reduce(tutti::launch::sync, comm, in_place, std::span(&grain, 1), tutti::max{});
  made.clock_grain = grain;
  const auto start = clock::now();
  const strangers others(comm);
  std::vector<stage> stages;
  double expected = 0;
  for (const byte_count bytes : what.sizes) {
    stage& next = stages.emplace_back(comm, what, bytes);
    next.rehearse(grain);
    expected += next.seconds_per_repetition() * (what.warmup + what.trials);
  }
  shown.start(expected);
  std::mt19937_64 random(what.seed);
  for (stage& one : stages) {
    one.measure(shown, random);
    std::move(one.rows().begin(), one.rows().end(), std::back_inserter(made.rows));
  }
  shown.clear();
  made.others = others.cores();
  made.seconds = seconds_of(clock::now() - start);
  return made;
}

}  // namespace tutti::benching
