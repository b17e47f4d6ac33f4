// SPDX-License-Identifier: BSL-1.0
// Ranks that come close to limits. Started by tests/pains/limits_test.cpp and waiting_test.cpp.
//   pain_limits sums N            N checked all_reduces and barriers; rank 0 prints "fds LEAST MOST" over the ranks
//   pain_limits churn N           makes and drops N communicators; rank 0 prints "fds maps footprint kilobytes"
//                                 after a tenth of them and at the end
//   pain_limits fill              makes communicators until one is refused; the first ones must still work
//   pain_limits large BYTES       an all_reduce of BYTES bytes, then a small one; prints the error of the first
//   pain_limits waiting           prints usable cores, whether it spins, and the policy
//   pain_limits places            prints what it has open or mapped, one path a line
//   pain_limits race N            N communicators, all made at once by all ranks, one call on each
#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "api/context.hpp"
#include "base/cores.hpp"
#include "base/waiter.hpp"
#include "tutti/tutti.hpp"

namespace {

namespace fs = std::filesystem;

std::int64_t open_descriptors() {
  const fs::directory_iterator all("/proc/self/fd");
  return std::distance(begin(all), end(all)) - 1;  // the iterator's own
}

std::int64_t mappings() {
  std::ifstream maps("/proc/self/maps");
  std::int64_t count = 0;
  for (std::string line; std::getline(maps, line);) ++count;
  return count;
}

std::int64_t resident_kilobytes() {
  std::ifstream statm("/proc/self/statm");
  std::int64_t total = 0;
  std::int64_t resident = 0;
  statm >> total >> resident;
  return resident * sysconf(_SC_PAGESIZE) / 1024;
}

template <class T, class Op>
T everyones(const tutti::communicator& comm, T mine, Op op) {
  return tutti::all_reduce(tutti::launch::sync, comm, mine, op);
}

int sums(const tutti::world& world, int turns) {
  const auto comm = world.communicator();
  const std::int64_t size = comm.size();
  for (int turn = 0; turn < turns; ++turn) {
    if (everyones(comm, std::int64_t{comm.rank()} + turn, std::plus{}) != size * (size - 1) / 2 + size * turn)
      throw std::logic_error(fmt::format("wrong sum in turn {}", turn));
    tutti::barrier(tutti::launch::sync, comm);
  }
  std::vector<std::int64_t> both(1000, comm.rank());
  tutti::all_reduce(tutti::launch::sync, comm, tutti::in_place, both, std::plus{});
  for (const auto one : both) {
    if (one != size * (size - 1) / 2) throw std::logic_error("wrong element");
  }
  const auto least = everyones(comm, open_descriptors(), tutti::min{});
  const auto most = everyones(comm, open_descriptors(), tutti::max{});
  if (comm.rank() == 0) fmt::print("fds {} {}\n", least, most);
  return 0;
}

void print_use(const tutti::world& world) {
  tutti::barrier(tutti::launch::sync, world.communicator());
  const auto footprint = tutti::core::context::current()->job().blocks().footprint();
  if (world.rank() == 0) fmt::print("{} {} {} {}\n", open_descriptors(), mappings(), footprint, resident_kilobytes());
}

int churn(const tutti::world& world, int turns) {
  for (int turn = 0; turn < turns; ++turn) {
    const auto fresh = tutti::create_communicator(fmt::format("/pain/churn/{}", turn % 7));
    if (turn % 16 == 0 && everyones(fresh, turn, tutti::max{}) != turn) throw std::logic_error("wrong maximum");
    if (turn % 1000 == 0) {  // longer vectors take memory of their own
      std::vector<double> both(10'000, 1.0);
      tutti::all_reduce(tutti::launch::sync, fresh, tutti::in_place, both, std::plus{});
      tutti::all_reduce(tutti::launch::sync, fresh, tutti::in_place, both, std::plus{},
                        {.algorithm = "all_reduce/ring"});
      if (both.back() != world.size() * world.size()) throw std::logic_error("wrong element");
    }
    if (turn % 64 == 0) tutti::barrier(tutti::launch::sync, world.communicator());
    if (turn == turns / 10) print_use(world);
  }
  print_use(world);
  return 0;
}

int fill(const tutti::world& world) {
  const auto everyone = world.communicator();
  std::vector<tutti::communicator> kept;
  std::string refusal;
  while (refusal.empty()) {
    try {
      kept.push_back(tutti::create_communicator(fmt::format("/pain/fill/{}", kept.size())));
    } catch (const tutti::error& e) {
      if (e.code() != tutti::errc::no_space) throw;
      refusal = e.what();
    }
    const bool refused = everyones(everyone, !refusal.empty(), std::logical_or{});
    if (refused && refusal.empty()) throw std::logic_error("a peer was refused, this rank was not");
  }
  for (const auto& one : kept) {
    if (everyones(one, 1, std::plus{}) != world.size()) throw std::logic_error("wrong sum");
  }
  const std::size_t count = kept.size();
  kept.clear();
  tutti::barrier(tutti::launch::sync, everyone);
  if (everyones(tutti::create_communicator("/pain/fill/again"), 1, std::plus{}) != world.size()) return 2;
  if (world.rank() == 0) fmt::print("{} {}\n", count, refusal);
  return 0;
}

int large(const tutti::world& world, std::size_t bytes) {
  const auto comm = tutti::create_communicator("/pain/large");
  std::vector<double> both(bytes / sizeof(double), 1.0);
  std::string text = "none";
  try {
    tutti::all_reduce(tutti::launch::sync, comm, tutti::in_place, both, std::plus{});
  } catch (const tutti::error& e) {
    text = fmt::format("{}: {}", tutti::to_string(e.code()), e.what());
  }
  if (everyones(comm, 1, std::plus{}) != world.size()) return 2;
  fmt::print("{}\n", text);
  return 0;
}

int waiting(const tutti::world& world) {
  const tutti::waiter learned(world.size());
  fmt::print("{} {} {}\n", tutti::usable_cores(), learned.spins() ? "spins" : "lets others run",
             to_string(learned.policy()));
  return 0;
}

int places(const tutti::world& world) {
  std::vector<double> both(10'000, 1.0);
  tutti::all_reduce(tutti::launch::sync, world.communicator(), tutti::in_place, both, std::plus{});
  for (const auto& one : fs::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    fmt::print("{}\n", fs::read_symlink(one.path(), gone).string());
  }
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (const auto path = line.find('/'); path != std::string::npos) fmt::print("{}\n", line.substr(path));
  }
  return 0;
}

int race(const tutti::world& world, int turns) {
  std::vector<tutti::communicator> kept;
  for (int turn = 0; turn < turns; ++turn) kept.push_back(tutti::create_communicator(fmt::format("/pain/{}", turn)));
  for (const auto& one : kept) {
    if (everyones(one, 1, std::plus{}) != world.size()) return 2;
  }
  return 0;
}

int act(const tutti::world& world, const std::string& what, const std::string& how) {
  if (what == "sums") return sums(world, std::stoi(how));
  if (what == "churn") return churn(world, std::stoi(how));
  if (what == "fill") return fill(world);
  if (what == "large") return large(world, std::stoul(how));
  if (what == "waiting") return waiting(world);
  if (what == "places") return places(world);
  if (what == "race") return race(world, std::stoi(how));
  return 64;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    tutti::world world(argc, argv);
    return act(world, argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : "");
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 3;
  }
}
