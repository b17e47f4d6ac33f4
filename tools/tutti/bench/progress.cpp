// SPDX-License-Identifier: BSL-1.0
#include "bench/progress.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <iostream>

namespace tutti::benching {

progress::progress(bool silent) : on_terminal_(!silent && isatty(STDERR_FILENO) == 1) {}

progress::~progress() { clear(); }

void progress::start(double expected_seconds) {
  expected_ = expected_seconds;
  done_ = 0;
  started_ = clock::now();
}

void progress::advance(std::string_view what, double seconds) {
  done_ += seconds;
  if (!on_terminal_ || done_ <= 0) return;
  const auto now = clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  const double passed = std::chrono::duration<double>(now - started_).count();
  const double left = std::max(0.0, passed / done_ * (expected_ - done_));
  std::cerr << fmt::format("\r\033[K{}: {:.0f} %, about {:.0f} s left", what, std::min(100.0, 100 * done_ / expected_),
                           left)
            << std::flush;
  shown_ = true;
}

void progress::clear() {
  if (shown_) std::cerr << "\r\033[K" << std::flush;
  shown_ = false;
}

}  // namespace tutti::benching
