// SPDX-License-Identifier: BSL-1.0
#include <nlohmann/json.hpp>

#include "bench/costs.hpp"
#include "bench/report.hpp"
#include "observe/sample_statistics.hpp"

namespace tutti::benching {
namespace {

using json = nlohmann::ordered_json;

json times_of(const row& of) {
  const observe::summary sum = observe::summarize(of.samples).value();
  return {{"median", sum.median * microseconds_per_second}, {"mad", sum.mad * microseconds_per_second},
          {"p10", sum.p10 * microseconds_per_second},       {"p90", sum.p90 * microseconds_per_second},
          {"min", sum.least * microseconds_per_second},     {"max", sum.most * microseconds_per_second}};
}

json ratio_of(const row& of, const row& reference) {
  const auto ratio = observe::paired_ratio(of.samples, reference.samples);
  if (!ratio) return nullptr;
  return {{"to", reference.candidate},
          {"estimate", ratio.value().estimate},
          {"low", ratio.value().low},
          {"high", ratio.value().high},
          {"confidence", observe::bootstrap{}.confidence}};
}

json ledger_json(const plan& what, const row& of) {
  const auto ledger = ledger_of(what, of);
  if (!ledger) return nullptr;
  return {{"rounds", ledger.value().rounds},
          {"sent_most_bytes", ledger.value().sent_most()},
          {"busiest_bytes", ledger.value().busiest()},
          {"temporary_most_bytes", ledger.value().temporary_most()}};
}

json row_json(const report& all, const row& of) {
  json made{{"candidate", of.candidate}, {"id", of.serves.which->id}, {"reason", of.serves.reason},
            {"bytes", of.bytes},         {"batch", of.batch},         {"microseconds", times_of(of)}};
  if (all.what.moves_data()) made["buffers"] = of.dirty ? "dirty" : "clean";
  made["back_to_back"] = nullptr;
  if (of.back_to_back_calls > 0) {
    made["back_to_back"] = {{"calls", of.back_to_back_calls},
                            {"mean_microseconds", of.back_to_back * microseconds_per_second}};
  }
  made["ratio"] = ratio_of(of, reference_of(all.found, of));
  made["ledgers"] = ledger_json(all.what, of);
  made["samples_microseconds"] = json::array();
  for (const double sample : of.samples) made["samples_microseconds"].push_back(sample * microseconds_per_second);
  return made;
}

json options_json(const plan& what) {
  return {{"warmup", what.warmup},
          {"trials", what.trials},
          {"seed", what.seed},
          {"in_place", what.in_place},
          {"segment_bytes", what.segment_bytes},
          {"arity", what.arity},
          {"pieces", what.pieces},
          {"root", what.root},
          {"element_bytes", sizeof(element)}};
}

json machine_json(const report& all) {
  const machine& here = all.before;
  return {{"processor", here.processor},
          {"processors", here.processors},
          {"usable_cores", here.usable_cores},
          {"kernel", here.kernel},
          {"compiler", here.compiler},
          {"optimized", here.optimized},
          {"fold_kernels", here.kernels},
          {"wait_policy", here.waiting},
          {"load_average", here.load},
          {"other_programs_cores", all.found.others},
          {"clock_grain_nanoseconds", all.found.clock_grain * 1e9}};
}

}  // namespace

std::string json_of(const report& all) {
  json made{{"tutti", TUTTI_COMMAND_VERSION}, {"collective", to_string(all.what.what)},
            {"ranks", all.what.ranks},        {"transport", all.what.threads ? "threads" : "processes"},
            {"started_by", all.origin},       {"moment", all.before.moment},
            {"seconds", all.found.seconds},   {"options", options_json(all.what)},
            {"machine", machine_json(all)}};
  made["rows"] = json::array();
  for (const row& one : all.found.rows) made["rows"].push_back(row_json(all, one));
  return made.dump(2) + '\n';
}

}  // namespace tutti::benching
