// SPDX-License-Identifier: BSL-1.0
// Building one rank's schedule: what the first call of a kind pays.
#include <benchmark/benchmark.h>

#include <string>

#include "algorithms/registry.hpp"

namespace {

using namespace tutti;

void build(benchmark::State& state, const algorithms::algorithm* which) {
  const auto size = static_cast<rank_id>(state.range(0));
  const schedules::shape shape{.size = size, .root = 0, .arity = 2};
  for (auto _ : state) benchmark::DoNotOptimize(algorithms::build(*which, shape, size - 1));
}

[[maybe_unused]] const bool registered = [] {
  for (const algorithms::algorithm& which : algorithms::all()) {
    benchmark::RegisterBenchmark(("build/" + std::string(which.id)).c_str(), build, &which)
        ->ArgName("ranks")
        ->Arg(8)
        ->Arg(256);
  }
  return true;
}();

}  // namespace
