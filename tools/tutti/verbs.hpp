// SPDX-License-Identifier: BSL-1.0
// The verbs of the command; each adds itself to the application. A verb reports bad input as a CLI::ParseError
// (exit code 2) and a failing result as CLI::RuntimeError(1), after it has written what failed.
#pragma once

#include <CLI/App.hpp>

#include <string>
#include <vector>

namespace tutti::tools {

inline constexpr int exit_failed = 1;
inline constexpr int exit_bad_input = 2;

/// `words`: the whole command line, with which it starts itself once for each rank.
void add_bench_verb(CLI::App& app, std::vector<std::string> words);
void add_check_verb(CLI::App& app);
void add_explain_verb(CLI::App& app);
void add_info_verb(CLI::App& app);
void add_list_verb(CLI::App& app);
void add_run_verb(CLI::App& app);

}  // namespace tutti::tools
