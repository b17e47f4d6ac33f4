// SPDX-License-Identifier: BSL-1.0
// tutti info: what this machine and environment make of the settings, before anything runs.
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "api/settings.hpp"
#include "base/bytes_text.hpp"
#include "base/cores.hpp"
#include "base/waiter.hpp"
#include "kernels/kernel_table.hpp"
#include "verbs.hpp"
#include "world/environment.hpp"

namespace tutti::tools {
namespace {

constexpr const char* info_examples = R"(
Shows each setting of the environment as tutti understands it here. docs/settings.md explains them.

Examples:
  tutti info
  TUTTI_WAIT=sleep tutti info --json)";

struct setting {
  std::string what;
  std::string variable;
  std::string value;
  std::string reason;
};

std::string given(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? std::string() : fmt::format("{}={}", variable, text);
}

std::string reason_or(const char* variable, std::string otherwise) {
  std::string set = given(variable);
  return set.empty() ? std::move(otherwise) : set;
}

std::vector<setting> all_settings(int ranks) {
  const kernels::selection& loops = kernels::active_selection();
  const std::string quota = core_quota() > 0 ? fmt::format("control group quota {}", core_quota()) : "no quota";
  const auto segment = worlds::segment_bytes(ranks);
  const auto timeout = worlds::start_timeout();
  const auto progress = core::progress_thread_setting();
  const auto drain = core::drain_setting();
  const auto reason_or_fault = [](const status& good, const std::string& reason) {
    return good ? reason : good.why().text;
  };
  return {
      {"usable cores", "TUTTI_CORES", std::to_string(usable_cores()),
       reason_or_fault(core::check_cores_setting(), reason_or("TUTTI_CORES", "affinity, " + quota))},
      {"waiting", "TUTTI_WAIT", to_string(wait_setting_from_environment().policy),
       reason_or_fault(core::check_wait_setting(), reason_or("TUTTI_WAIT", "learned while waiting"))},
      {"kernels", "TUTTI_KERNELS", std::string(to_string(loops.set)),
       reason_or_fault(core::check_kernels_setting(), std::string(loops.reason))},
      {fmt::format("address space of {} ranks", ranks), "TUTTI_SEGMENT_BYTES",
       segment ? bytes_text(static_cast<double>(segment.value())) : "invalid",
       segment ? reason_or("TUTTI_SEGMENT_BYTES", "by default") : segment.why().text},
      {"seconds to start in", "TUTTI_START_TIMEOUT", timeout ? std::to_string(timeout.value().count()) : "invalid",
       timeout ? reason_or("TUTTI_START_TIMEOUT", "by default") : timeout.why().text},
      {"progress thread", "TUTTI_PROGRESS_THREAD",
       !progress          ? "invalid"
       : progress.value() ? "yes"
                          : "no",
       progress ? reason_or("TUTTI_PROGRESS_THREAD", "by default; world_options asks for it too")
                : progress.why().text},
      {"seconds to drain in", "TUTTI_DRAIN_SECONDS", drain ? fmt::format("{}", drain.value().count()) : "invalid",
       drain ? reason_or("TUTTI_DRAIN_SECONDS", "by default") : drain.why().text},
  };
}

void print(int ranks, bool json) {
  const auto settings = all_settings(ranks);
  if (json) {
    auto rows = nlohmann::ordered_json::array();
    for (const auto& s : settings) {
      rows.push_back({{"what", s.what}, {"variable", s.variable}, {"value", s.value}, {"reason", s.reason}});
    }
    std::cout << rows.dump(2) << '\n';
    return;
  }
  for (const auto& s : settings) {
    std::cout << fmt::format("{:<28} {:<12} {} ({})\n", s.what, s.value, s.variable, s.reason);
  }
}

}  // namespace

void add_info_verb(CLI::App& app) {
  struct info_options {
    int ranks = 8;
    bool json = false;
  };
  auto options = std::make_shared<info_options>();
  CLI::App* verb = app.add_subcommand("info", "The settings as understood on this machine");
  verb->footer(info_examples);
  verb->add_option("-n,--ranks", options->ranks, "Number of ranks that sizes are for (8)")->check(CLI::Range(1, 4096));
  verb->add_flag("--json", options->json, "Write JSON");
  verb->callback([options] { print(options->ranks, options->json); });
}

}  // namespace tutti::tools
