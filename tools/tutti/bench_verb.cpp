// SPDX-License-Identifier: BSL-1.0
// tutti bench: times algorithms against each other, with their ledgers beside the times.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "base/cores.hpp"
#include "bench/report.hpp"
#include "launch/supervisor.hpp"
#include "transport/memory/job.hpp"
#include "tutti/world.hpp"
#include "verbs.hpp"
#include "world/launch.hpp"

namespace tutti::tools {
namespace {

using benching::plan;
using benching::request;

constexpr const char* bench_examples = R"(
Ranks hold doubles, (r + 1) + 0.000001 i on rank r at index i of all the data, and combine by sums. Before every
repetition the candidates are shuffled; before every call all ranks meet in a barrier; a time is the maximum over
ranks; after every call every element is checked, and one wrong element ends the run. What is too short for the clock
is timed several calls at once, on as many buffers, and the heading says so. docs/bench.md tells more.

Under `tutti run`, mpirun or mpiexec the ranks are those of the launcher; otherwise the command starts its own.

Examples:
  tutti bench all_reduce -n 8
  tutti bench all_gather -n 4 --sizes 8,64Ki
  tutti bench all_reduce -n 2 --sizes 8,1Ki,16Ki --algorithms default --buffers both
  tutti bench all_reduce -n 4 --sizes 4Mi --algorithms all_reduce/ring,all_reduce/sliced --segment-bytes 64Ki
  tutti bench barrier -n 8 --transport threads --trials 101 --json barrier.json)";

void report_to(const request& asked, const benching::report& all) {
  if (asked.json != "-") std::cout << benching::table_of(all) << std::flush;
  if (asked.json.empty()) return;
  if (asked.json == "-") {
    std::cout << benching::json_of(all) << std::flush;
    return;
  }
  std::ofstream file(asked.json);
  file << benching::json_of(all) << std::flush;
  if (!file) throw std::runtime_error(fmt::format("--json: {} cannot be written", asked.json));
}

/// One rank's whole part.
void take_part(const communicator& comm, const request& asked, const plan& what, const std::string& origin) {
  const bool first = comm.rank() == 0;
  std::optional<benching::machine> before;
  if (first) before = benching::this_machine();
  benching::progress shown(!first);
  const benching::findings found = benching::measure(comm, what, shown);
  if (first) report_to(asked, {what, *before, found, origin});
}

/// Exit code. A rank that only lost a peer stays silent: the peer or the launcher says what happened.
template <class Body>
int guarded(Body body) {
  try {
    body();
    return 0;
  } catch (const error& why) {
    if (why.code() != errc::rank_lost) std::cerr << fmt::format("tutti bench: {}\n", why.what());
  } catch (const std::exception& why) {
    std::cerr << fmt::format("tutti bench: {}\n", why.what());
  }
  return exit_failed;
}

int bench_as_rank(const request& asked, const plan& what) {
  return guarded([&] {
    world here;
    take_part(here.communicator(), asked, what, here.origin());
  });
}

int bench_on_threads(const request& asked, const plan& what) {
  return guarded(
      [&] { run_threads(what.ranks, [&](const communicator& comm) { take_part(comm, asked, what, "threads"); }); });
}

int bench_on_processes(const plan& what, const std::vector<std::string>& words) {
  launching::run_options job;
  job.ranks = what.ranks;
  job.command = words;
  job.command.front() = std::filesystem::read_symlink("/proc/self/exe");
  return launching::supervisor(job).run();
}

/// Before any rank starts, so that hours of measuring are not lost to a wrong path.
void require_writable(const std::string& path) {
  if (path.empty() || path == "-") return;
  if (!std::ofstream(path, std::ios::app)) {
    throw CLI::ValidationError("--json", fmt::format("{} cannot be written; name a file in a folder of yours", path));
  }
}

int bench(request& asked, const std::vector<std::string>& words) {
  const auto launch = worlds::read_launch();
  if (!launch) throw CLI::ValidationError("bench", launch.why().text);
  const bool launched = launch.value().by != worlds::launcher::none;
  if (asked.ranks == 0) asked.ranks = launched ? launch.value().size : std::max(2, usable_cores());
  if (launched && asked.ranks != launch.value().size) {
    throw CLI::ValidationError("--ranks", fmt::format("{} ranks, but {} has started {}; leave out -n or the launcher",
                                                      asked.ranks, launch.value().origin, launch.value().size));
  }
  const auto what = benching::make_plan(asked);
  if (!what) throw CLI::ValidationError("bench", what.why().text);
  require_writable(asked.json);
  if (launched && what.value().threads) {
    throw CLI::ValidationError("--transport", "threads need no launcher; leave out one of the two");
  }
  if (launched) return bench_as_rank(asked, what.value());
  return what.value().threads ? bench_on_threads(asked, what.value()) : bench_on_processes(what.value(), words);
}

}  // namespace

void add_bench_verb(CLI::App& app, std::vector<std::string> words) {
  auto asked = std::make_shared<request>();
  CLI::App* verb = app.add_subcommand("bench", "Time algorithms against each other, with their ledgers");
  verb->footer(bench_examples);
  verb->add_option("collective", asked->collective,
                   "all_reduce, barrier, broadcast, ..: the collectives that `tutti list` names")
      ->required();
  verb->add_option("-n,--ranks", asked->ranks, "Number of ranks (one for each usable core, but at least 2)")
      ->check(CLI::Range(1, memory::largest_job));
  verb->add_option("--sizes", asked->sizes,
                   "Bytes of one vector, or of the block of or for one rank, by commas (64,8Ki,1Mi)");
  verb->add_option("--algorithms", asked->algorithms,
                   "Ids by commas; default: the library's choice; all: that and every algorithm (all)");
  verb->add_option("--warmup", asked->warmup, "Repetitions that do not count (5)");
  verb->add_option("--trials", asked->trials, "Repetitions that count (31)");
  verb->add_option("--seed", asked->seed, "Of the order of candidates (1)");
  verb->add_option("--buffers", asked->buffers,
                   "dirty: inputs are rewritten before every call, as programs do; clean: never; both (dirty)");
  verb->add_flag("--in-place", asked->in_place, "Input and output are one place");
  verb->add_option("--root", asked->root, "Of collectives that have one (0)");
  verb->add_option("--segment-bytes", asked->segment_bytes, "Piece of a long vector; 0: the library chooses (0)");
  verb->add_option("--arity", asked->arity, "Fan-out of trees and radix, where an algorithm takes one (2)");
  verb->add_option("--pieces", asked->pieces, "Pieces of the vector, where an algorithm takes them (8)");
  verb->add_option("--transport", asked->transport, "What ranks are: processes or threads (processes)");
  verb->add_option("--json", asked->json, "Write all samples to this file; - is standard output, without the table");
  verb->callback([asked, words = std::move(words)] {
    if (const int code = bench(*asked, words); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace tutti::tools
