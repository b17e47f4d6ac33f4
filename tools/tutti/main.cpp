// SPDX-License-Identifier: BSL-1.0
#include <CLI/CLI.hpp>

#include "verbs.hpp"

int main(int argc, char** argv) {
  CLI::App app("tutti: collective operations whose schedules can be seen", "tutti");
  app.require_subcommand(1);
  tutti::tools::add_bench_verb(app, {argv, argv + argc});
  tutti::tools::add_check_verb(app);
  tutti::tools::add_explain_verb(app);
  tutti::tools::add_info_verb(app);
  tutti::tools::add_list_verb(app);
  tutti::tools::add_run_verb(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::RuntimeError& ended) {
    return ended.get_exit_code();
  } catch (const CLI::ParseError& wrong) {
    return app.exit(wrong) == 0 ? 0 : tutti::tools::exit_bad_input;  // 0: --help
  }
  return 0;
}
