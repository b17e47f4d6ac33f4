// SPDX-License-Identifier: BSL-1.0
#include "bare_flags.hpp"

#include <immintrin.h>
#include <sched.h>

#include <algorithm>
#include <vector>

namespace peers {
namespace {

void exchange(start_line& line, std::uint64_t round) {
  line.mine().token.store(round, std::memory_order_release);
  for (int rank = 0; rank < line.size(); ++rank) {
    for (int looks = 0; line.of(rank).token.load(std::memory_order_acquire) < round; ++looks) {
      if (line.how() == waiting::yield) {
        sched_yield();
      } else if (looks > 0) {
        for (int i = 0; i < 3; ++i) _mm_pause();
      }
    }
  }
}

}  // namespace

double bare_exchange_microseconds(start_line& line) {
  constexpr int batches = 101;
  constexpr int batch = 100;
  std::vector<double> microseconds;
  std::uint64_t round = 0;
  for (int i = 0; i < batches; ++i) {
    line.wait();
    const double started = now();
    for (int j = 0; j < batch; ++j) exchange(line, ++round);
    microseconds.push_back((now() - started) * 1e6 / batch);
  }
  line.wait();
  line.mine().token.store(0, std::memory_order_relaxed);
  line.wait();
  const auto middle = microseconds.begin() + batches / 2;
  std::nth_element(microseconds.begin(), middle, microseconds.end());
  return *middle;
}

}  // namespace peers
