// SPDX-License-Identifier: BSL-1.0
#include "bench/machine.hpp"

#include <fmt/format.h>

#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <fstream>

#include "base/cores.hpp"
#include "base/waiter.hpp"
#include "kernels/kernel_table.hpp"

namespace tutti::benching {
namespace {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string kernel_name() {
  utsname names{};
  return uname(&names) == 0 ? fmt::format("{} {}", names.sysname, names.release) : "unknown";
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace

machine this_machine() {
  machine made;
  made.processor = processor_name();
  made.kernel = kernel_name();
#if defined(__clang__)
  made.compiler = "clang " __clang_version__;
#else
  made.compiler = "gcc " __VERSION__;
#endif
#if defined(__OPTIMIZE__)
  made.optimized = true;
#endif
  made.kernels = kernels::to_string(kernels::active_selection().set);
  made.waiting = to_string(wait_setting_from_environment().policy);
  made.processors = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  made.usable_cores = usable_cores();
  made.load = -1;
  getloadavg(&made.load, 1);
  made.moment = utc_now();
  return made;
}

}  // namespace tutti::benching
