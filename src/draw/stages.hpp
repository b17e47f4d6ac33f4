// SPDX-License-Identifier: BSL-1.0
// One line of stages for all ranks, although each rank names only those that it takes part in.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "schedule/dataflow.hpp"

namespace tutti::draw {

struct staging {
  std::vector<std::string> labels;              ///< in order
  std::vector<std::vector<std::size_t>> stage;  ///< [rank][step]: index into labels, never before what it needs
};

/// Precondition: `run` blocks nothing.
staging merge_stages(std::span<const schedules::schedule> schedules, const schedules::matching& messages,
                     const schedules::execution& run);

}  // namespace tutti::draw
