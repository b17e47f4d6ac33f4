// SPDX-License-Identifier: BSL-1.0
// What a rank reads from its environment (docs/settings.md), all of it before it joins: a value that is not understood
// is an error of whoever makes the world, never a silent default.
#pragma once

#include <chrono>

#include "base/status.hpp"

namespace tutti::core {

struct settings {
  bool progress_thread = false;
  std::chrono::duration<double> drain{10};
};

/// Reads and checks every variable, also those that other rooms read for themselves.
/// Errors: launch_failed naming the variable, its value and what is allowed.
result<settings> read_settings();

// One variable each, for those who show them. Errors as above.
result<bool> progress_thread_setting();                 ///< TUTTI_PROGRESS_THREAD, else false
result<std::chrono::duration<double>> drain_setting();  ///< TUTTI_DRAIN_SECONDS, else 10
status check_wait_setting();
status check_cores_setting();
status check_kernels_setting();

}  // namespace tutti::core
