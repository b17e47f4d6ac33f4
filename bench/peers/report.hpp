// SPDX-License-Identifier: BSL-1.0
// Outcomes as JSON: every sample, and the figures drawn from those of the blocks that were kept.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>

#include "contest.hpp"

namespace peers {

nlohmann::json as_json(const outcome& of, int ranks, std::uint64_t seed);

}  // namespace peers
