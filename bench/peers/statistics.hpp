// SPDX-License-Identifier: BSL-1.0
// Robust figures of samples.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace peers {

struct summary {
  double median = 0, mad = 0, p10 = 0, p90 = 0, min = 0, max = 0;
};

/// Precondition: not empty.
summary summarize(std::vector<double> samples);
double median_of(std::vector<double> samples);

/// 95 % interval of median(a) / median(b) when whole blocks are drawn anew with replacement.
/// a[i] and b[i] are the samples of one block. Precondition: equally many, not empty.
std::pair<double, double> ratio_interval(const std::vector<std::vector<double>>& a,
                                         const std::vector<std::vector<double>>& b, std::uint64_t seed);

}  // namespace peers
