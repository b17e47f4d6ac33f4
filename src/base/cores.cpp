// SPDX-License-Identifier: BSL-1.0
#include "base/cores.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace tutti {
namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

int affinity_cores() noexcept {
  for (int cpus = 1024; cpus <= 1 << 16; cpus *= 4) {
    cpu_set_t* set = CPU_ALLOC(cpus);
    if (set == nullptr) return 1;
    const std::size_t bytes = CPU_ALLOC_SIZE(cpus);
    const bool known = sched_getaffinity(0, bytes, set) == 0;
    const int count = known ? CPU_COUNT_S(bytes, set) : 0;
    const bool too_small = !known && errno == EINVAL;
    CPU_FREE(set);
    if (known) return std::max(1, count);
    if (!too_small) return 1;
  }
  return 1;
}

/// The tightest limit between `path` and the mount point, 0 for none.
template <class Limit>
int tightest(const std::string& mount, std::string path, Limit limit) {
  int cores = 0;
  for (;;) {
    const int here = limit(mount + path);
    if (here > 0) cores = cores == 0 ? here : std::min(cores, here);
    const auto slash = path.rfind('/');
    if (path.empty() || slash == std::string::npos) return cores;
    path.resize(slash);
  }
}

int cores_of_v1(const std::string& folder) {
  const std::string quota = contents(folder + "/cpu.cfs_quota_us");
  const std::string period = contents(folder + "/cpu.cfs_period_us");
  if (quota.empty() || quota.front() == '-') return 0;
  return cores_of_cpu_max(quota.substr(0, quota.find('\n')) + " " + period);
}

int quota_cores() {
  std::ifstream groups("/proc/self/cgroup");
  int cores = 0;
  const auto tighten = [&cores](int limit) {
    if (limit > 0) cores = cores == 0 ? limit : std::min(cores, limit);
  };
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':');
    const auto second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (controllers.empty()) {
      tighten(tightest("/sys/fs/cgroup", path,
                       [](const std::string& at) { return cores_of_cpu_max(contents(at + "/cpu.max")); }));
    } else if (("," + controllers + ",").find(",cpu,") != std::string::npos) {
      tighten(tightest("/sys/fs/cgroup/cpu", path, cores_of_v1));
    }
  }
  return cores;
}

}  // namespace

int core_quota() noexcept {
  static const int cores = quota_cores();
  return cores;
}

namespace {

int measure() noexcept {
  if (const char* forced = std::getenv("TUTTI_CORES")) {
    int cores = 0;
    const std::string_view text(forced);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cores);
    if (error == std::errc() && end == text.data() + text.size() && cores >= 1 && cores <= most_cores) return cores;
  }
  const int mask = affinity_cores();
  const int quota = core_quota();
  return std::max(1, quota > 0 ? std::min(mask, quota) : mask);
}

}  // namespace

int cores_of_cpu_max(std::string_view text) noexcept {
  long long quota = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), quota);
  if (error != std::errc() || quota <= 0) return 0;
  const char* at = end;
  const char* const last = text.data() + text.size();
  while (at != last && *at == ' ') ++at;
  long long period = 0;
  if (std::from_chars(at, last, period).ec != std::errc() || period <= 0) return 0;
  const long long cores = quota / period + (quota % period != 0 ? 1 : 0);
  return static_cast<int>(std::min<long long>(cores, most_cores));
}

int current_core() noexcept { return sched_getcpu(); }

int usable_cores() noexcept {
  static const int cores = measure();
  return cores;
}

}  // namespace tutti
