// SPDX-License-Identifier: BSL-1.0
#include "bench/strangers.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <string>

#include "tutti/all_reduce.hpp"

namespace tutti::benching {
namespace {

/// Seconds that all cores together were busy since boot; negative if unknown. See proc_stat(5).
double machine_seconds() {
  std::ifstream file("/proc/stat");
  std::string word;
  double user = 0, nice = 0, system = 0, idle = 0, waiting = 0, interrupts = 0, soft_interrupts = 0, stolen = 0;
  file >> word >> user >> nice >> system >> idle >> waiting >> interrupts >> soft_interrupts >> stolen;
  if (!file || word != "cpu") return -1;
  return (user + nice + system + interrupts + soft_interrupts + stolen) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double own_seconds() {
  rusage used{};
  getrusage(RUSAGE_THREAD, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace

strangers::strangers(const communicator& comm)
    : comm_(comm), since_(std::chrono::steady_clock::now()), machine_(machine_seconds()), own_(own_seconds()) {}

double strangers::cores() const {
  const double machine = machine_seconds();
  const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - since_).count();
  const double own = all_reduce(tutti::launch::sync, comm_, own_seconds() - own_, std::plus{});
  if (machine < 0 || passed <= 0) return -1;
  return std::max(0.0, (machine - machine_ - own) / passed);
}

}  // namespace tutti::benching
