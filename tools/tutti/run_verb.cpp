// SPDX-License-Identifier: BSL-1.0
// tutti run: starts a program as the ranks of one job on this machine.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <string>
#include <vector>

#include "finite.hpp"
#include "launch/options.hpp"
#include "launch/supervisor.hpp"
#include "transport/memory/job.hpp"
#include "verbs.hpp"
#include "world/environment.hpp"

namespace tutti::tools {
namespace {

constexpr const char* run_examples = R"(
The program and its arguments follow the options; -- may separate them.

Examples:
  tutti run -n 8 ./my_program input.dat
  tutti run -n 4 --label -- ./my_program --verbose
  tutti run -n 2 --timeout 60 --env TUTTI_SEGMENT_BYTES=256Mi ./my_program

Exit code: 0 if every rank succeeded; else that of the first failing rank (128 + signal if a signal ended it);
124 after --timeout; 127 if the program cannot be executed; 2 for a bad setting.
Environment: TUTTI_GRACE, seconds that the other ranks get to end by themselves after a failure (5);
TUTTI_SEGMENT_BYTES, size of the shared memory.
Rank 0 reads the launcher's standard input, the others read nothing.)";

std::string check_setting(const std::string& setting) {
  const auto equals = setting.find('=');
  if (equals != std::string::npos && equals > 0) return {};
  return "'" + setting + "' is not of the form NAME=VALUE";
}

int run(launching::run_options& options) {
  auto grace = worlds::integer_variable("TUTTI_GRACE", 0, 86400);
  if (!grace) {
    std::cerr << "tutti run: " << grace.why().text << '\n';
    return exit_bad_input;
  }
  if (grace.value()) options.grace = std::chrono::seconds(*grace.value());
  return launching::supervisor(options).run();
}

void add_options(CLI::App& line, launching::run_options& options) {
  line.add_option("-n,--ranks", options.ranks, "Number of ranks")
      ->required()
      ->check(CLI::Range(1, memory::largest_job));
  line.add_flag("--label", options.label, "Write the rank before each line of output");
  line.add_option("--env", options.environment, "NAME=VALUE for the ranks; may be repeated")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->check(CLI::Validator(check_setting, "NAME=VALUE"));
  line.add_option("--timeout", options.timeout_seconds, "Seconds after which the job is ended")
      ->check(finite_between(0.001, 1e8));
  line.add_flag("--progress-thread", options.progress_thread, "Give each rank a thread that drives its collectives");
  line.add_option("--json", options.json_path, "Write pid, exit code, signal and times of each rank to this file");
  line.footer(run_examples);
}

/// Where the launcher's own words end: at -- or at the first word that is neither option nor its value.
/// Decided here because a program's options must never be taken for the launcher's.
std::size_t own_words(const CLI::App& line, const std::vector<std::string>& words) {
  std::size_t count = 0;
  while (count < words.size() && words[count].size() > 1 && words[count].front() == '-' && words[count] != "--") {
    const CLI::Option* option = line.get_option_no_throw(words[count]);
    count += option != nullptr && option->get_items_expected_max() > 0 ? 2 : 1;
  }
  return std::min(count, words.size());
}

int parse_and_run(std::vector<std::string> words) {
  CLI::App line("Run a program as the ranks of one job on this machine", "tutti run");
  launching::run_options options;
  add_options(line, options);
  const auto program = words.begin() + static_cast<std::ptrdiff_t>(own_words(line, words));
  options.command.assign(program, words.end());
  words.erase(program, words.end());
  try {
    std::reverse(words.begin(), words.end());  // CLI11 takes vectors from the back
    line.parse(words);
  } catch (const CLI::ParseError& why) {
    return line.exit(why) == 0 ? 0 : exit_bad_input;
  }
  if (!options.command.empty() && options.command.front() == "--") options.command.erase(options.command.begin());
  if (options.command.empty()) {
    std::cerr << "tutti run: no program given; write it after the options, as in: tutti run -n 4 ./my_program\n";
    return exit_bad_input;
  }
  return run(options);
}

}  // namespace

void add_run_verb(CLI::App& app) {
  auto* verb = app.add_subcommand("run", "Run a program as the ranks of one job on this machine");
  // A command line of its own, since in a subcommand CLI11 hands what follows -- to the application.
  verb->set_help_flag();
  verb->prefix_command();
  verb->callback([verb] {
    if (const int code = parse_and_run(verb->remaining()); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace tutti::tools
