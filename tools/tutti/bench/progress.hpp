// SPDX-License-Identifier: BSL-1.0
// A line on standard error that says how far a measurement is; on a terminal only, and never among the results.
#pragma once

#include <chrono>
#include <string_view>

namespace tutti::benching {

/// Counts in expected seconds, and learns by how much the expectation is wrong.
class progress {
 public:
  /// A silent one draws nothing: that of every rank but the first.
  explicit progress(bool silent);
  ~progress();
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  void start(double expected_seconds);
  /// `seconds` of the expected ones are done. Draws at most ten times a second.
  void advance(std::string_view what, double seconds);
  void clear();

 private:
  using clock = std::chrono::steady_clock;
  bool on_terminal_;
  bool shown_ = false;
  double expected_ = 0;
  double done_ = 0;
  clock::time_point started_{};
  clock::time_point next_{};
};

}  // namespace tutti::benching
