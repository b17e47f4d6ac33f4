// SPDX-License-Identifier: BSL-1.0
#include "observe/sample_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace tutti::observe {
namespace {

double median_of_sorted(std::span<const double> sorted) noexcept { return quantile_of_sorted(sorted, 0.5); }

/// Reorders `values`. Linear on average, which a bootstrap needs.
double median_of(std::vector<double>& values) noexcept {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  const double below = *std::max_element(values.begin(), middle);
  return below + (*middle - below) / 2;
}

status require_finite(std::span<const double> samples, const char* name) {
  if (samples.empty()) {
    return failure{errc::bad_argument, fmt::format("statistics of {}: there is no sample; take at least one", name)};
  }
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (std::isfinite(samples[i])) continue;
    return failure{errc::bad_argument,
                   fmt::format("statistics of {}: sample {} is {}, which is no time; find out what measured it", name,
                               i, samples[i])};
  }
  return {};
}

status require_ratio(std::span<const double> a, std::span<const double> b, const bootstrap& how) {
  if (auto fine = require_finite(a, "the numerator"); !fine) return fine;
  if (auto fine = require_finite(b, "the denominator"); !fine) return fine;
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (b[i] > 0) continue;
    return failure{errc::bad_argument,
                   fmt::format("ratio: sample {} of the denominator is {}; all must be positive", i, b[i])};
  }
  if (!(how.confidence > 0 && how.confidence < 1)) {
    return failure{errc::bad_argument, fmt::format("ratio: a confidence of {} is not between 0 and 1", how.confidence)};
  }
  if (how.resamples < 1) {
    return failure{errc::bad_argument, fmt::format("ratio: {} resamples; at least 1 is needed", how.resamples)};
  }
  return {};
}

using generator = std::mt19937_64;

double median_of_resample(std::span<const double> from, std::vector<double>& room, generator& random) {
  std::uniform_int_distribution<std::size_t> any(0, from.size() - 1);
  room.resize(from.size());
  for (double& one : room) one = from[any(random)];
  return median_of(room);
}

interval interval_of(double estimate, std::vector<double>& resampled, double confidence) {
  std::sort(resampled.begin(), resampled.end());
  const double outside = (1 - confidence) / 2;
  return {quantile_of_sorted(resampled, outside), estimate, quantile_of_sorted(resampled, 1 - outside)};
}

double median_of_copy(std::span<const double> samples) {
  std::vector<double> copy(samples.begin(), samples.end());
  return median_of(copy);
}

}  // namespace

double quantile_of_sorted(std::span<const double> sorted, double fraction) noexcept {
  const double place = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

result<summary> summarize(std::span<const double> samples) {
  if (auto fine = require_finite(samples, "a sample"); !fine) return std::move(fine).why();
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  summary made{.count = sorted.size(),
               .median = median_of_sorted(sorted),
               .p10 = quantile_of_sorted(sorted, 0.1),
               .p90 = quantile_of_sorted(sorted, 0.9),
               .least = sorted.front(),
               .most = sorted.back()};
  for (double& one : sorted) one = std::abs(one - made.median);
  made.mad = median_of(sorted);
  return made;
}

result<interval> ratio_of_medians(std::span<const double> a, std::span<const double> b, const bootstrap& how) {
  if (auto fine = require_ratio(a, b, how); !fine) return std::move(fine).why();
  generator random(how.seed);
  std::vector<double> room;
  std::vector<double> resampled(static_cast<std::size_t>(how.resamples));
  for (double& one : resampled) {
    const double above = median_of_resample(a, room, random);
    one = above / median_of_resample(b, room, random);
  }
  return interval_of(median_of_copy(a) / median_of_copy(b), resampled, how.confidence);
}

result<interval> paired_ratio(std::span<const double> a, std::span<const double> b, const bootstrap& how) {
  if (auto fine = require_ratio(a, b, how); !fine) return std::move(fine).why();
  if (a.size() != b.size()) {
    return failure{errc::bad_argument,
                   fmt::format("paired ratio: {} samples against {}; pairs need equally many", a.size(), b.size())};
  }
  std::vector<double> ratios(a.size());
  std::transform(a.begin(), a.end(), b.begin(), ratios.begin(), [](double x, double y) { return x / y; });
  generator random(how.seed);
  std::vector<double> room;
  std::vector<double> resampled(static_cast<std::size_t>(how.resamples));
  for (double& one : resampled) one = median_of_resample(ratios, room, random);
  return interval_of(median_of_copy(ratios), resampled, how.confidence);
}

}  // namespace tutti::observe
