// SPDX-License-Identifier: BSL-1.0
// tutti explain: what is on each rank after each stage, and what a collective costs.
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <iostream>
#include <memory>

#include "base/bytes_text.hpp"
#include "draw/trace.hpp"
#include "finite.hpp"
#include "price/price.hpp"
#include "schedule/assignment.hpp"
#include "schedule/block_lengths.hpp"
#include "schedule/text.hpp"
#include "selection.hpp"
#include "verbs.hpp"

namespace tutti::tools {
namespace {

constexpr const char* explain_examples = R"(
States are those of a sum, called in place: first the inputs, then what each rank holds, at the end the outputs; ? is
undefined. "owns" tells which elements still count where that is not all: no rank holds a value of them that includes
more ranks. Ledgers are counted from the schedules of all ranks.

Examples:
  tutti explain all_reduce/ring -n 4
  tutti explain all_reduce/tree -n 3 --values 1,10,100
  tutti explain all_reduce/halving_doubling -n 2 --values "1 2 3,4 5 6"
  tutti explain broadcast/binomial -n 8 --root 2
  tutti explain all_reduce/ring -n 8 --bytes 8Ki --alpha 1.5 --beta 0.0001
  tutti explain all_reduce/ring -n 4 --format svg > ring.svg
  tutti explain all_reduce/ring -n 4 --schedule 2)";

struct explain_options {
  std::string id;
  schedules::shape shape{.size = 4};
  std::string values;
  std::string bytes = "1Mi";
  std::string element_bytes = "8";
  std::string format = "text";
  bool json = false;
  rank_id schedule_of = -1;
  // Microseconds, and microseconds per byte, of the two-process measurement in the article that the states and
  // ledgers are checked against.
  price::model costs{.alpha = 0.065, .beta = 0.0000171753, .gamma = 0};
};

struct cost_report {
  byte_count bytes;
  price::ledger counted;
  algorithms::stated_cost stated;
  double microseconds;
};

byte_count bytes_of(const char* option, const std::string& text) {
  const auto parsed = parse_bytes(text);
  if (!parsed) throw CLI::ValidationError(option, parsed.why().text);
  return parsed.value();
}

double number_of(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw CLI::ValidationError("--values", fmt::format("\"{}\" is no number", text));
  }
  return number;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    if (end != begin || separator != ' ') parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// How many elements rank r's input has by default: one for each part, or a vector of as many as there are ranks.
std::size_t usual_length(const algorithms::algorithm& which, const schedules::shape& shape, rank_id r) {
  const auto size = static_cast<std::size_t>(shape.size);
  const std::int32_t parts = schedules::assignment::parts(which.what, shape.size);
  const schedules::assignment who(which.what, shape.size, shape.root, parts);
  const auto held = static_cast<std::size_t>(who.input(r).blocks());
  return parts == 1 ? held * size : held;
}

/// Values that tell where they come from: rank r's vector is all r + 1; of several parts, the root's are 10, 20, ..,
/// rank r's for a reduction 10 (r + 1) + i, and for one another 10 r + i.
std::vector<double> usual_values(collective what, rank_id r, std::size_t length) {
  std::vector<double> made;
  for (std::size_t i = 0; i < length; ++i) {
    switch (what) {
      case collective::scatter: made.push_back(10.0 * static_cast<double>(i + 1)); break;
      case collective::reduce_scatter: made.push_back(10.0 * (r + 1) + static_cast<double>(i)); break;
      case collective::all_to_all: made.push_back(10.0 * r + static_cast<double>(i)); break;
      default: made.push_back(r + 1.0);
    }
  }
  return made;
}

std::vector<std::vector<double>> values_of(const std::string& text) {
  std::vector<std::vector<double>> made;
  for (const std::string_view rank_text : split(text, ',')) {
    std::vector<double>& mine = made.emplace_back();
    for (const std::string_view one : split(rank_text, ' ')) mine.push_back(number_of(one));
  }
  return made;
}

std::vector<std::vector<double>> inputs_of(const explain_options& options, const algorithms::algorithm& which) {
  const auto size = static_cast<std::size_t>(options.shape.size);
  std::vector<std::vector<double>> made(size);
  const auto usual = [&](std::size_t r) { return usual_length(which, options.shape, static_cast<rank_id>(r)); };
  if (options.values.empty()) {
    for (std::size_t r = 0; r < size; ++r) made[r] = usual_values(which.what, static_cast<rank_id>(r), usual(r));
    return made;
  }
  std::vector<std::vector<double>> given = values_of(options.values);
  const bool root_alone = which.what == collective::broadcast || which.what == collective::scatter;
  if (given.size() != (root_alone ? 1 : size)) {
    throw CLI::ValidationError(
        "--values", root_alone ? fmt::format("only the root has values; separate its elements by spaces")
                               : fmt::format("{} ranks are given values, but there are {}; separate ranks by "
                                             "commas, a rank's elements by spaces",
                                             given.size(), size));
  }
  if (root_alone) {
    made[static_cast<std::size_t>(options.shape.root)] = given.front();
    return made;
  }
  const bool one_each = std::all_of(given.begin(), given.end(), [](const auto& mine) { return mine.size() == 1; });
  for (std::size_t r = 0; r < size; ++r) {
    if (one_each) given[r].resize(usual(r), given[r].front());
  }
  return given;
}

cost_report price_of(const explain_options& options, const algorithms::algorithm& which,
                     const std::vector<schedules::schedule>& all) {
  const bool payload = which.what != collective::barrier;
  const byte_count bytes = payload ? bytes_of("--bytes", options.bytes) : 0;
  const byte_count element = bytes_of("--element-bytes", options.element_bytes);
  if (element == 0 || bytes % element != 0) {
    throw CLI::ValidationError("--bytes", fmt::format("{} bytes are no whole number of elements of {} bytes; change "
                                                      "--bytes or --element-bytes",
                                                      bytes, element));
  }
  const schedules::block_lengths lengths(bytes / element, schedules::assignment::parts(which.what, options.shape.size),
                                         all.front().blocks);
  const auto counted = price::count(all, lengths, element);
  if (!counted) throw CLI::ValidationError("--bytes", counted.why().text);
  const auto time = price::seconds(all, lengths, element, options.costs);
  if (!time) throw CLI::ValidationError("--bytes", time.why().text);
  return {bytes, counted.value(), which.cost(options.shape), time.value()};
}

void write_ledgers(const explain_options& options, const algorithms::algorithm& which, const cost_report& cost) {
  const auto stated = [&](double vectors) { return bytes_text(vectors * static_cast<double>(cost.bytes)); };
  const auto row = [](std::string_view what, const std::string& counted, const std::string& said) {
    std::cout << fmt::format("{:<36}{:>12}{:>12}\n", what, counted, said);
  };
  const auto bytes_row = [&](std::string_view what, byte_count counted, double vectors) {
    row(what, bytes_text(static_cast<double>(counted)), stated(vectors));
  };
  const bool payload = which.what != collective::barrier;
  row(payload ? "ledgers of " + bytes_text(static_cast<double>(cost.bytes)) : "ledgers", "counted", "stated");
  row("rounds on the critical path", fmt::format("{}", cost.counted.rounds), fmt::format("{}", cost.stated.rounds));
  if (payload) {
    bytes_row("sent by the rank that sends most", cost.counted.sent_most(), cost.stated.sent);
    bytes_row("through the busiest rank", cost.counted.busiest(), cost.stated.busiest);
    bytes_row("temporary on the rank that has most", cost.counted.temporary_most(), cost.stated.temporary);
  }
  std::cout << fmt::format("one-port time {:.3f} us at alpha {} us, beta {} us/B, gamma {} us/B\n", cost.microseconds,
                           options.costs.alpha, options.costs.beta, options.costs.gamma);
}

/// null where nothing is defined.
nlohmann::ordered_json values_json(const draw::cell& c) {
  if (!c.holds) return nullptr;
  auto made = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < c.values.size(); ++i) {
    made.push_back(c.defined[i] ? nlohmann::ordered_json(c.values[i]) : nlohmann::ordered_json());
  }
  return made;
}

nlohmann::ordered_json json_of(const explain_options& options, const algorithms::algorithm& which,
                               const draw::trace& trace, const cost_report& cost) {
  nlohmann::ordered_json made{{"id", which.id}, {"ranks", options.shape.size}};
  if (which.takes_arity) made["arity"] = options.shape.arity;
  if (which.takes_pieces) made["pieces"] = options.shape.pieces;
  if (has_root(which.what)) made["root"] = options.shape.root;
  made["stages"] = nlohmann::ordered_json::array();
  for (const draw::frame& f : trace.frames) {
    auto ranks = nlohmann::ordered_json::array();
    for (const draw::cell& c : f.ranks) {
      ranks.push_back(which.what == collective::barrier
                          ? nlohmann::ordered_json{{"knows", c.values}}
                          : nlohmann::ordered_json{{"values", values_json(c)}, {"owned", c.owned}});
    }
    made["stages"].push_back({{"stage", f.stage}, {"ranks", ranks}});
  }
  made["messages"] = nlohmann::ordered_json::array();
  for (const draw::arrow& a : trace.arrows) {
    made["messages"].push_back(
        {{"stage", a.frame}, {"from", a.from}, {"to", a.to}, {"first_block", a.what.first}, {"blocks", a.what.count}});
  }
  const auto bytes = static_cast<double>(cost.bytes);
  made["bytes"] = cost.bytes;
  made["counted"] = {{"rounds", cost.counted.rounds},
                     {"sent_bytes", cost.counted.sent},
                     {"received_bytes", cost.counted.received},
                     {"busiest_bytes", cost.counted.busiest()},
                     {"temporary_bytes", cost.counted.temporary}};
  made["stated"] = {{"rounds", cost.stated.rounds},
                    {"sent_most_bytes", cost.stated.sent * bytes},
                    {"busiest_bytes", cost.stated.busiest * bytes},
                    {"temporary_most_bytes", cost.stated.temporary * bytes}};
  made["one_port_time"] = {{"microseconds", cost.microseconds},
                           {"alpha", options.costs.alpha},
                           {"beta", options.costs.beta},
                           {"gamma", options.costs.gamma}};
  return made;
}

void explain(const explain_options& options) {
  const algorithms::algorithm& which = select_algorithm(options.id);
  if (options.schedule_of >= 0) require_rank("--schedule", options.schedule_of, options.shape.size);
  require_rank("--root", options.shape.root, options.shape.size);
  if (options.schedule_of >= 0) {
    std::cout << schedules::to_text(algorithms::build(which, options.shape, options.schedule_of));
    return;
  }
  const auto all = build_all_ranks(which, options.shape);
  const auto trace = draw::follow(which.what, all, inputs_of(options, which), options.shape.root);
  if (!trace) throw CLI::ValidationError("--values", trace.why().text);
  const std::string title = fmt::format("{} on {} ranks", which.id, options.shape.size);
  if (options.format == "svg" && !options.json) {
    std::cout << draw::svg_of(trace.value(), title);
    return;
  }
  const cost_report cost = price_of(options, which, all);
  if (options.json || options.format == "json") {
    std::cout << json_of(options, which, trace.value(), cost).dump(2) << '\n';
    return;
  }
  std::cout << title << ": " << which.summary << "\n\n" << draw::text_of(trace.value()) << '\n';
  write_ledgers(options, which, cost);
}

}  // namespace

void add_explain_verb(CLI::App& app) {
  auto options = std::make_shared<explain_options>();
  CLI::App* verb = app.add_subcommand("explain", "What is on each rank after each stage, and what it costs");
  verb->footer(explain_examples);
  verb->add_option("algorithm", options->id, "For example all_reduce/ring; see tutti list")->required();
  verb->add_option("-n,--ranks", options->shape.size, "Number of ranks (4)")
      ->check(CLI::Range(1, draw::most_ranks_drawn));
  verb->add_option("--root", options->shape.root, "Root of a collective that has one (0)")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--arity", options->shape.arity, "Fan-out of trees, or radix (2)")->check(CLI::Range(2, 1 << 20));
  verb->add_option("--pieces", options->shape.pieces, "Pieces that pipelined algorithms cut the vector into (8)")
      ->check(CLI::Range(1, 1 << 20));
  verb->add_option("--values", options->values,
                   "One number for each rank, by commas (repeated to a vector), or several by spaces; 1,2,3,.. "
                   "(broadcast and scatter: the root's, by spaces)");
  verb->add_option("--bytes", options->bytes,
                   "Size that the ledgers are for: of the vector, or of each rank's part (1Mi)");
  verb->add_option("--element-bytes", options->element_bytes, "Size of an element (8)");
  verb->add_option("--alpha", options->costs.alpha, "Microseconds to start a message (0.065)")
      ->check(finite_between(0, 1e12));
  verb->add_option("--beta", options->costs.beta, "Microseconds per byte moved (0.0000171753)")
      ->check(finite_between(0, 1e12));
  verb->add_option("--gamma", options->costs.gamma, "Microseconds per byte combined (0)")
      ->check(finite_between(0, 1e12));
  verb->add_option("--format", options->format, "text, json or svg")->check(CLI::IsMember({"text", "json", "svg"}));
  verb->add_flag("--json", options->json, "The same as --format json");
  verb->add_option("--schedule", options->schedule_of, "Write this rank's schedule (docs/schedule.md) and nothing else")
      ->check(CLI::NonNegativeNumber);
  verb->callback([options] { explain(*options); });
}

}  // namespace tutti::tools
