// SPDX-License-Identifier: BSL-1.0
#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace peers {
namespace {

/// Linear between neighbors. Precondition: sorted, not empty.
double quantile(const std::vector<double>& sorted, double q) {
  const double place = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

}  // namespace

double median_of(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return quantile(samples, 0.5);
}

summary summarize(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  summary s{quantile(samples, 0.5), 0, quantile(samples, 0.1), quantile(samples, 0.9), samples.front(), samples.back()};
  for (double& sample : samples) sample = std::abs(sample - s.median);
  s.mad = median_of(std::move(samples));
  return s;
}

std::pair<double, double> ratio_interval(const std::vector<std::vector<double>>& a,
                                         const std::vector<std::vector<double>>& b, std::uint64_t seed) {
  constexpr int draws = 200;
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<std::size_t> any_block(0, a.size() - 1);
  std::vector<double> ratios;
  std::vector<double> drawn_a;
  std::vector<double> drawn_b;
  for (int draw = 0; draw < draws; ++draw) {
    drawn_a.clear();
    drawn_b.clear();
    for (std::size_t i = 0; i < a.size(); ++i) {
      const std::size_t block = any_block(random);
      drawn_a.insert(drawn_a.end(), a[block].begin(), a[block].end());
      drawn_b.insert(drawn_b.end(), b[block].begin(), b[block].end());
    }
    ratios.push_back(median_of(drawn_a) / median_of(drawn_b));
  }
  std::sort(ratios.begin(), ratios.end());
  return {quantile(ratios, 0.025), quantile(ratios, 0.975)};
}

}  // namespace peers
