// SPDX-License-Identifier: BSL-1.0
// What `tutti bench` is asked to measure, checked. Equal on all ranks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/registry.hpp"
#include "base/ids.hpp"
#include "base/status.hpp"
#include "select/choose.hpp"

namespace tutti::benching {

using element = double;

/// The candidate that leaves the choice to the library.
inline constexpr const char* library_choice = "default";

/// The command line as it was written.
struct request {
  std::string collective;
  rank_id ranks = 0;
  std::string sizes = "64,8Ki,1Mi";
  std::string algorithms = "all";
  int warmup = 5;
  int trials = 31;
  std::uint64_t seed = 1;
  std::string buffers = "dirty";
  bool in_place = false;
  std::string segment_bytes = "0";
  int arity = 2;
  int pieces = 8;
  rank_id root = 0;
  std::string transport = "processes";
  std::string json;  ///< path, "-" for standard output, empty for none
};

struct plan {
  tutti::collective what = tutti::collective::barrier;
  rank_id ranks = 0;
  std::vector<byte_count> sizes;        ///< of a part of the data: of one vector, or of the block of or
                                        ///< for one rank; a barrier has the one size 0
  std::vector<std::string> candidates;  ///< ids, or library_choice
  std::vector<bool> dirty;              ///< the kinds of buffers, in the order of their rows
  int warmup = 0;
  int trials = 0;
  std::uint64_t seed = 0;
  bool in_place = false;
  byte_count segment_bytes = 0;
  int arity = 2;
  int pieces = 8;
  rank_id root = 0;
  bool threads = false;

  bool moves_data() const noexcept { return what != tutti::collective::barrier; }
};

/// Errors: bad_argument, unknown_name, not_applicable, no_space; the text names the option.
result<plan> make_plan(const request& asked);

/// What serves a candidate at a size, and why. Precondition: a candidate of the plan.
select::choice serves(const plan& of, const std::string& candidate, byte_count bytes);

}  // namespace tutti::benching
