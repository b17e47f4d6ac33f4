// SPDX-License-Identifier: BSL-1.0
// Where and with what a measurement was made.
#pragma once

#include <string>

namespace tutti::benching {

struct machine {
  std::string processor;
  std::string kernel;    ///< "Linux 6.1.0-18-amd64"
  std::string compiler;  ///< that built the command
  bool optimized = false;
  std::string kernels;  ///< instruction set of the fold kernels
  std::string waiting;  ///< policy, see base/waiter.hpp
  int processors = 0;   ///< that are online
  int usable_cores = 0;
  double load = 0;     ///< average over one minute, now; negative: unknown
  std::string moment;  ///< UTC, ISO 8601
};

/// Reads it all from the system; what cannot be read stays "unknown".
machine this_machine();

}  // namespace tutti::benching
