// SPDX-License-Identifier: BSL-1.0
// Sums of doubles by each instruction set of this processor, from two vectors and from eight.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "kernels/kernel_table.hpp"

namespace {

using namespace tutti;

void fold(benchmark::State& state, kernels::instruction_set set) {
  const kernels::kernel_table* table = kernels::table_of(set);
  if (table == nullptr) {
    state.SkipWithError("not on this processor");
    return;
  }
  const auto kernel = (*table)[static_cast<std::size_t>(core::element_code::float64)]
                              [static_cast<std::size_t>(core::operator_code::plus)];
  const auto source_count = static_cast<std::size_t>(state.range(0));
  const auto count = static_cast<std::size_t>(state.range(1)) / sizeof(double);
  const std::vector<std::vector<double>> vectors(source_count, std::vector<double>(count, 1.0));
  std::vector<const void*> sources;
  for (const auto& vector : vectors) sources.push_back(vector.data());
  std::vector<double> target(count);
  for (auto _ : state) {
    benchmark::DoNotOptimize(kernel(nullptr, target.data(), sources.data(), source_count, count));
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * state.range(0) * state.range(1));
}

#define TUTTI_FOLD(set_)                                        \
  BENCHMARK_CAPTURE(fold, set_, kernels::instruction_set::set_) \
      ->ArgNames({"sources", "bytes"})                          \
      ->ArgsProduct({{2, 8}, {64, 16 << 10, 1 << 20}})
TUTTI_FOLD(baseline);
TUTTI_FOLD(avx2);
TUTTI_FOLD(avx512);
#undef TUTTI_FOLD

}  // namespace
