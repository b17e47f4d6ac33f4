// SPDX-License-Identifier: BSL-1.0
#include "selection.hpp"

#include <CLI/Error.hpp>
#include <fmt/format.h>

namespace tutti::tools {

const algorithms::algorithm& select_algorithm(const std::string& id) {
  const auto found = algorithms::require(id);
  if (!found) throw CLI::ValidationError("algorithm", found.why().text);
  return *found.value();
}

std::vector<const algorithms::algorithm*> select_algorithms(const std::string& name) {
  std::vector<const algorithms::algorithm*> chosen;
  for (const algorithms::algorithm& which : algorithms::all()) {
    if (name.empty() || name == which.id || name == to_string(which.what)) chosen.push_back(&which);
  }
  if (chosen.empty()) chosen.push_back(&select_algorithm(name));
  return chosen;
}

void require_rank(const char* option, rank_id rank, rank_id size) {
  if (rank >= 0 && rank < size) return;
  throw CLI::ValidationError(option, fmt::format("rank {} of {}: ranks count from 0", rank, size));
}

std::vector<schedules::schedule> build_all_ranks(const algorithms::algorithm& which, const schedules::shape& s) {
  std::vector<schedules::schedule> made;
  made.reserve(static_cast<std::size_t>(s.size));
  for (rank_id me = 0; me < s.size; ++me) made.push_back(algorithms::build(which, s, me));
  return made;
}

}  // namespace tutti::tools
