// SPDX-License-Identifier: BSL-1.0
// What the user asked of `tutti run`.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.hpp"

namespace tutti::launching {

struct run_options {
  rank_id ranks = 0;
  std::vector<std::string> command;      ///< program and arguments
  std::vector<std::string> environment;  ///< NAME=VALUE, for the ranks
  bool label = false;
  bool progress_thread = false;
  std::optional<double> timeout_seconds;
  std::chrono::milliseconds grace{5000};  ///< between a failure and SIGTERM, and between SIGTERM and SIGKILL
  std::string json_path;                  ///< empty: no report
};

}  // namespace tutti::launching
