// SPDX-License-Identifier: BSL-1.0
#include "algorithms/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "algorithms/rank_arithmetic.hpp"
#include "algorithms/rank_tree.hpp"
#include "algorithms/stated_costs.hpp"

namespace tutti::algorithms {

#define TUTTI_ALGORITHM(collective_, name_, ...)                            \
  namespace collective_ {                                                   \
  void name_(schedules::builder& b, const schedules::shape& s, rank_id me); \
  }
#include "algorithms/registry.def"
#undef TUTTI_ALGORITHM

namespace {

enum class parameter : std::uint8_t { nothing, arity, pieces };

#define TUTTI_ALGORITHM(collective_, name_, order_, takes_, shape_, counts_, blocks_, summary_, rounds_, sent_, \
                        busiest_, temporary_)                                                                   \
  algorithm{collective::collective_,                                                                            \
            #name_,                                                                                             \
            #collective_ "/" #name_,                                                                            \
            summary_,                                                                                           \
            operand_order::order_,                                                                              \
            parameter::takes_ == parameter::arity,                                                              \
            parameter::takes_ == parameter::pieces,                                                             \
            schedules::pattern::shape_,                                                                         \
            knowledge::counts_,                                                                                 \
            []([[maybe_unused]] const schedules::shape& s) -> std::int32_t { return blocks_; },                 \
            collective_::name_,                                                                                 \
            [](const schedules::shape& s) -> stated_cost {                                                      \
              [[maybe_unused]] const double P = s.size;                                                         \
              return {static_cast<double>(rounds_), static_cast<double>(sent_), static_cast<double>(busiest_),  \
                      static_cast<double>(temporary_)};                                                         \
            }},
constexpr algorithm list[] = {
#include "algorithms/registry.def"
};
#undef TUTTI_ALGORITHM

/// Insertions, deletions and replacements that turn one word into the other (Levenshtein).
std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j + 1] + 1, row[j] + 1});
    }
  }
  return row.back();
}

/// By whole id, or by the name alone where the collective was left out.
const algorithm& nearest(std::string_view id) {
  const auto distance = [&](const algorithm& a) {
    return std::min(edit_distance(id, a.id), edit_distance(id, a.name));
  };
  return *std::min_element(std::begin(list), std::end(list),
                           [&](const algorithm& a, const algorithm& b) { return distance(a) < distance(b); });
}

}  // namespace

std::span<const algorithm> all() { return list; }

const algorithm* find(std::string_view id) {
  const auto found = std::find_if(std::begin(list), std::end(list), [&](const algorithm& a) { return a.id == id; });
  return found == std::end(list) ? nullptr : found;
}

result<const algorithm*> require(std::string_view id) {
  if (const algorithm* found = find(id)) return found;
  constexpr std::size_t longest_quoted = 64;  // ids are far shorter, and distances cost the product of the lengths
  const std::string_view asked = id.substr(0, longest_quoted);
  const std::string_view what = id.substr(0, id.find('/'));
  std::vector<std::string_view> kin;  // of the collective that was named, if it was
  for (const algorithm& a : list) {
    if (to_string(a.what) == what) kin.push_back(a.id);
  }
  return failure{errc::unknown_name, fmt::format("no algorithm is called \"{}\"{}: the nearest is \"{}\"; {}", asked,
                                                 asked.size() < id.size() ? ".." : "", nearest(asked).id,
                                                 kin.empty() ? "`tutti list` shows all"
                                                             : fmt::format("choose one of {}", fmt::join(kin, ", ")))};
}

schedules::schedule build(const algorithm& which, const schedules::shape& s, rank_id me) {
  schedules::builder b(s.size, me, which.blocks(s));
  which.build(b, s, me);
  return std::move(b).finish();
}

}  // namespace tutti::algorithms
