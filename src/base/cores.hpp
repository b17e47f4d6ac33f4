// SPDX-License-Identifier: BSL-1.0
// How many cores this process may really use.
#pragma once

#include <string_view>

namespace tutti {

/// The smaller of the affinity mask and the CPU bandwidth quota of the process's control group (version 1
/// or 2, every level up to the root), at least 1. TUTTI_CORES overrides. Measured at the first call,
/// remembered afterwards; thread safe.
int usable_cores() noexcept;

/// The largest number of cores that is believed.
inline constexpr int most_cores = 1 << 20;

/// The quota alone, 0 if there is none: it holds for all processes of the group together.
int core_quota() noexcept;

/// The core that runs the caller just now, -1 if it cannot be told. Costs a load where the kernel shares it.
int current_core() noexcept;

/// Cores granted by a cgroup v2 `cpu.max` text ("max 100000", "150000 100000"), rounded up; 0: no limit or
/// no such text.
int cores_of_cpu_max(std::string_view text) noexcept;

}  // namespace tutti
