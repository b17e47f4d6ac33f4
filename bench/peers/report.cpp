// SPDX-License-Identifier: BSL-1.0
#include "report.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

#include "observe/sample_statistics.hpp"

namespace peers {
namespace {

using nlohmann::json;
using block_samples = std::vector<std::vector<double>>;

/// With fewer clean blocks than this a row is judged by all its blocks, and says that it is unsettled.
constexpr std::ptrdiff_t fewest_clean_blocks = 5;

std::vector<double> flat(const block_samples& blocks) {
  std::vector<double> all;
  for (const auto& one : blocks) all.insert(all.end(), one.begin(), one.end());
  return all;
}

/// Precondition: samples, all finite.
tutti::observe::summary summary_of(const std::vector<double>& samples) {
  return tutti::observe::summarize(samples).value();
}

json as_json(const tutti::observe::summary& s) {
  return {{"samples", s.count}, {"median", s.median}, {"mad", s.mad}, {"p10", s.p10},
          {"p90", s.p90},       {"min", s.least},     {"max", s.most}};
}

json as_json(const tutti::observe::interval& i) { return {{"ratio", i.estimate}, {"low", i.low}, {"high", i.high}}; }

/// Laps of one block are alike, so a block counts as one observation: its median.
std::vector<double> medians(const block_samples& blocks) {
  std::vector<double> made;
  for (const auto& one : blocks) made.push_back(summary_of(one).median);
  return made;
}

json as_json(const block& of) {
  json made{{"polluted", of.polluted}, {"stolen", of.stolen}, {"order", json::array()}};
  for (const side by : of.order) {
    made["order"].push_back(side_names[static_cast<std::size_t>(by)]);
    made["microseconds"][side_names[static_cast<std::size_t>(by)]] = of.microseconds[static_cast<std::size_t>(by)];
  }
  return made;
}

}  // namespace

json as_json(const outcome& of, int ranks, std::uint64_t seed) {
  const auto polluted = std::count_if(of.blocks.begin(), of.blocks.end(), [](const block& b) { return b.polluted; });
  const bool unsettled = std::ssize(of.blocks) - polluted < fewest_clean_blocks && polluted > 0;
  json made{{"operation", of.of.what == operation::barrier ? "barrier" : "all_reduce"},
            {"bytes", of.of.bytes},
            {"ranks", ranks},
            {"batch", of.batch},
            {"laps", of.laps},
            {"polluted_blocks", polluted},
            {"unsettled", unsettled},
            {"blocks", json::array()}};
  std::array<block_samples, 3> kept;
  for (const block& one : of.blocks) {
    made["blocks"].push_back(as_json(one));
    if (one.polluted && !unsettled) continue;
    for (const side by : one.order)
      kept[static_cast<std::size_t>(by)].push_back(one.microseconds[static_cast<std::size_t>(by)]);
  }
  const block_samples& base = kept[static_cast<std::size_t>(of.of.sides.front())];
  if (base.empty()) return made;
  for (const side by : of.of.sides) {
    const auto index = static_cast<std::size_t>(by);
    std::vector<double> skews;
    for (const block& one : of.blocks) skews.insert(skews.end(), one.skews[index].begin(), one.skews[index].end());
    json figures = as_json(summary_of(flat(kept[index])));
    figures["start_skew"] = summary_of(skews).median;
    made["microseconds"][side_names[index]] = figures;
    if (by == of.of.sides.front()) continue;
    const tutti::observe::bootstrap how{.seed = seed};
    made["ratios"][side_names[index]] =
        as_json(tutti::observe::ratio_of_medians(medians(kept[index]), medians(base), how).value());
    made["paired_ratios"][side_names[index]] =
        as_json(tutti::observe::paired_ratio(medians(kept[index]), medians(base), how).value());
  }
  return made;
}

}  // namespace peers
