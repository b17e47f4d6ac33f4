// SPDX-License-Identifier: BSL-1.0
// Who a process is: a pid alone may be used again by a stranger.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace tutti::memory {

/// What the kernel says about a pid. Source: proc(5), /proc/pid/stat fields 3 and 22.
struct process_facts {
  bool ended = false;  ///< a zombie: it runs no code any more
  pid_t parent = 0;
  std::uint64_t start_time = 0;  ///< clock ticks since boot
};

/// std::nullopt if there is no such process or /proc cannot be read.
std::optional<process_facts> look_up_process(pid_t pid) noexcept;

/// False only if it is certain that the process that started at `start_time` runs no more.
bool may_be_running(pid_t pid, std::uint64_t start_time) noexcept;

}  // namespace tutti::memory
