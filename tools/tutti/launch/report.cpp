// SPDX-License-Identifier: BSL-1.0
#include "report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace tutti::launching {

std::string describe_end(const rank_report& one) {
  if (one.signal == 0) return fmt::format("exited with code {}", one.exit_code);
  const char* name = sigabbrev_np(one.signal);
  return fmt::format("was killed by signal {} (SIG{})", one.signal, name != nullptr ? name : "?");
}

std::string list_ranks(const std::vector<rank_id>& ranks) {
  return fmt::format("{} {}", ranks.size() == 1 ? "rank" : "ranks", fmt::join(ranks, ", "));
}

status write_report(const run_options& options, const std::vector<rank_report>& ranks, int exit_code) {
  nlohmann::ordered_json report;
  report["command"] = options.command;
  report["exit_code"] = exit_code;
  report["ranks"] = nlohmann::ordered_json::array();
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const rank_report& one = ranks[rank];
    report["ranks"].push_back({{"rank", rank},
                               {"pid", one.pid},
                               {"exit_code", one.exit_code},
                               {"signal", one.signal},
                               {"wall_seconds", one.wall_seconds},
                               {"cpu_seconds", one.cpu_seconds}});
  }
  std::ofstream file(options.json_path);
  file << report.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
  if (file.flush()) return {};
  return failure{errc::bad_argument,
                 fmt::format("--json {}: the report cannot be written: {}", options.json_path, std::strerror(errno))};
}

}  // namespace tutti::launching
