// SPDX-License-Identifier: BSL-1.0
// What a set of measured times says: robust figures of one sample, and ratios of two with their uncertainty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/status.hpp"

namespace tutti::observe {

/// Robust figures of one sample, in the sample's unit.
struct summary {
  std::size_t count = 0;
  double median = 0;
  double mad = 0;  ///< median of the absolute deviations from the median, not scaled
  double p10 = 0;
  double p90 = 0;
  double least = 0;
  double most = 0;
};

/// An estimate and the ends of its confidence interval.
struct interval {
  double low = 0;
  double estimate = 0;
  double high = 0;
};

/// How an interval is found: by resampling with replacement (the percentile bootstrap; B. Efron, "Bootstrap
/// Methods: Another Look at the Jackknife", 1979, DOI 10.1214/aos/1176344552). Equal settings and samples give
/// equal intervals.
struct bootstrap {
  double confidence = 0.95;
  int resamples = 1000;
  std::uint64_t seed = 1;
};

/// The value below which `fraction` of a sorted sample lies, linear between neighbors: 0 gives the least, 0.5 the
/// median, 1 the most. Preconditions: `sorted` is ascending and not empty, 0 <= fraction <= 1. O(1).
double quantile_of_sorted(std::span<const double> sorted, double fraction) noexcept;

/// Errors: bad_argument if there is no sample, or one that is not finite. O(n log n).
result<summary> summarize(std::span<const double> samples);

/// median(a) / median(b) for samples that were taken independently.
/// Errors: bad_argument if either is empty, holds a value that is not finite, or b one that is not positive; if
/// confidence is not inside (0, 1) or resamples < 1. O(resamples * (|a| + |b|)).
result<interval> ratio_of_medians(std::span<const double> a, std::span<const double> b, const bootstrap& how = {});

/// The median of a[i] / b[i] for samples taken side by side, so that what slowed both cancels out.
/// Errors: as above, and bad_argument if the lengths differ.
result<interval> paired_ratio(std::span<const double> a, std::span<const double> b, const bootstrap& how = {});

}  // namespace tutti::observe
