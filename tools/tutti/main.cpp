// SPDX-License-Identifier: BSL-1.0
#include <CLI/CLI.hpp>

#include <cstdio>
#include <iostream>
#include <string>

#include "verbs.hpp"

namespace {

using tutti::tools::exit_bad_input;
using tutti::tools::exit_failed;

/// What a first word that is no verb deserves: the verbs, by name.
bool names_no_verb(const CLI::App& app, const std::string& word) {
  if (word.starts_with('-')) return false;
  std::string verbs;
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (verb->get_name() == word) return false;
    verbs += (verbs.empty() ? "" : ", ") + verb->get_name();
  }
  std::cerr << "tutti: no verb is called \"" << word << "\"; there are " << verbs << '\n';
  return true;
}

int run(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::RuntimeError& ended) {
    return ended.get_exit_code();
  } catch (const CLI::ParseError& wrong) {
    return app.exit(wrong) == 0 ? 0 : exit_bad_input;  // 0: --help, --version
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("tutti: collective operations whose schedules can be seen", "tutti");
  app.require_subcommand(1);
  app.set_version_flag("--version", "tutti " TUTTI_COMMAND_VERSION);
  tutti::tools::add_bench_verb(app, {argv, argv + argc});
  tutti::tools::add_check_verb(app);
  tutti::tools::add_explain_verb(app);
  tutti::tools::add_info_verb(app);
  tutti::tools::add_list_verb(app);
  tutti::tools::add_run_verb(app);
  if (argc == 1) {
    std::cerr << app.help();
    return exit_bad_input;
  }
  if (names_no_verb(app, argv[1])) return exit_bad_input;
  const int code = run(app, argc, argv);
  if (!std::cout.flush() || std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    std::cerr << "tutti: the output could not be written\n";
    return code == 0 ? exit_failed : code;
  }
  return code;
}
