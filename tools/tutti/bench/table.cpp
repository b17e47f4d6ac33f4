// SPDX-License-Identifier: BSL-1.0
#include <fmt/format.h>

#include "base/bytes_text.hpp"
#include "bench/costs.hpp"
#include "bench/report.hpp"
#include "observe/sample_statistics.hpp"

namespace tutti::benching {
namespace {

constexpr double noticeable_strangers = 0.2;  // cores

/// Three digits that mean something.
std::string number_text(double value) {
  return fmt::format("{:.{}f}", value, value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3);
}

std::string time_text(double seconds) { return number_text(seconds * microseconds_per_second); }

std::string name_of(const row& of) {
  if (of.candidate != library_choice) return std::string(of.serves.which->name);
  return fmt::format("default: {}", of.serves.which->name);
}

std::string heading_of(const report& all, const row& first) {
  const std::string batch = first.batch == 1 ? "single calls" : fmt::format("means of {} calls", first.batch);
  if (!all.what.moves_data()) return fmt::format("{} ranks, {}\n", all.what.ranks, batch);
  return fmt::format("{} = {} double{} on {} ranks, {} buffers{}, {}\n", bytes_text(static_cast<double>(first.bytes)),
                     first.bytes / sizeof(element), first.bytes == sizeof(element) ? "" : "s", all.what.ranks,
                     first.dirty ? "dirty" : "clean", all.what.in_place ? ", in place" : "", batch);
}

std::string column_names(const report& all) {
  std::string text =
      fmt::format("{:<19}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>7}{:>7}", fmt::format("{}/", to_string(all.what.what)),
                  "median", "MAD", "p10", "p90", "min", "max", "b-to-b", "ratio", "rounds");
  if (all.what.moves_data()) text += fmt::format("{:>11}{:>11}{:>11}", "sent", "busiest", "temporary");
  return text + '\n';
}

std::string line_of(const report& all, const row& of) {
  const observe::summary sum = observe::summarize(of.samples).value();
  const auto ratio = observe::paired_ratio(of.samples, reference_of(all.found, of).samples);
  std::string text = fmt::format("{:<19}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>7}", name_of(of), time_text(sum.median),
                                 time_text(sum.mad), time_text(sum.p10), time_text(sum.p90), time_text(sum.least),
                                 time_text(sum.most), of.back_to_back_calls > 0 ? time_text(of.back_to_back) : "-",
                                 ratio ? number_text(ratio.value().estimate) : "-");
  const auto ledger = ledger_of(all.what, of);
  if (!ledger) return text + "  " + ledger.why().text + '\n';
  text += fmt::format("{:>7}", ledger.value().rounds);
  if (!all.what.moves_data()) return text + '\n';
  for (const byte_count bytes :
       {ledger.value().sent_most(), ledger.value().busiest(), ledger.value().temporary_most()}) {
    text += fmt::format("{:>11}", bytes_text(static_cast<double>(bytes)));
  }
  return text + '\n';
}

std::string legend_of(const report& all) {
  std::string text = fmt::format(
      "Microseconds, the maximum over ranks, of {} trials in an order shuffled by seed {}; {}.\n", all.what.trials,
      all.what.seed, all.what.moves_data() ? "every element was checked after every call" : "no rank left early");
  text += fmt::format("b-to-b: mean of calls one right after the other. ratio: to the first row, paired, median.\n");
  text += "rounds: messages on the critical path";
  if (all.what.moves_data()) text += "; bytes by the rank that sends, moves or holds most";
  text += ", counted from the schedule.\n";
  text += fmt::format("{}, {} usable of {} cores, {}, {}, waiting: {}, kernels: {}, clock grain {:.0f} ns.\n",
                      all.before.processor, all.before.usable_cores, all.before.processors, all.before.kernel,
                      all.what.threads ? "threads" : "processes", all.before.waiting, all.before.kernels,
                      all.found.clock_grain * 1e9);
  if (all.found.others >= noticeable_strangers) {
    text += fmt::format("Other programs used {:.1f} cores meanwhile: compare rows of this run, not with other runs.\n",
                        all.found.others);
  }
  if (!all.before.optimized) text += "This is a build without optimization: its times say little; use ./dev bench.\n";
  return text;
}

}  // namespace

std::string table_of(const report& all) {
  std::string text;
  for (const row& first : all.found.rows) {
    if (&first != &reference_of(all.found, first)) continue;
    text += heading_of(all, first) + column_names(all);
    for (const row& one : all.found.rows) {
      if (&reference_of(all.found, one) == &first) text += line_of(all, one);
    }
    text += '\n';
  }
  return text + legend_of(all);
}

}  // namespace tutti::benching
