// SPDX-License-Identifier: BSL-1.0
// What verbs share: algorithms by name, schedules of all ranks.
#pragma once

#include <string>
#include <vector>

#include "algorithms/registry.hpp"

namespace tutti::tools {

/// By id ("all_reduce/ring"), all of a collective ("barrier"), or every one (""). Throws CLI::ValidationError
/// with the nearest id if there is none.
std::vector<const algorithms::algorithm*> select_algorithms(const std::string& name);

/// By id, or CLI::ValidationError.
const algorithms::algorithm& select_algorithm(const std::string& id);

/// CLI::ValidationError unless 0 <= rank < size.
void require_rank(const char* option, rank_id rank, rank_id size);

std::vector<schedules::schedule> build_all_ranks(const algorithms::algorithm& which, const schedules::shape& s);

}  // namespace tutti::tools
