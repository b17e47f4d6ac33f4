// SPDX-License-Identifier: BSL-1.0
// The findings, for people and for programs.
#pragma once

#include <string>

#include "bench/machine.hpp"
#include "bench/measure.hpp"
#include "bench/plan.hpp"

namespace tutti::benching {

/// Everything that a report draws on.
struct report {
  const plan& what;
  const machine& before;  ///< as it was when the measurement began
  const findings& found;
  std::string origin;  ///< who started the ranks
};

/// One table per size and kind of buffers, with what a reader must know to trust it.
std::string table_of(const report& all);

/// With every sample. docs/bench.md tells the fields.
std::string json_of(const report& all);

}  // namespace tutti::benching
