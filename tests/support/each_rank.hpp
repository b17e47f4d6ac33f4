// SPDX-License-Identifier: BSL-1.0
// How calls end on each rank of a world of threads.
#pragma once

#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "tutti/tutti.hpp"

namespace tutti::test {

struct ending {
  bool well = true;
  errc code = errc::success;  ///< success with !well: an exception that is not the library's
  std::string text;
};

/// Runs a call and says how it ended.
template <class Call>
ending attempt(Call&& call) {
  try {
    call();
    return {};
  } catch (const error& e) {
    return {false, e.code(), e.what()};
  } catch (const std::exception& e) {
    return {false, errc::success, e.what()};
  }
}

/// What `fn` returns on each of `sites` threads.
template <class Fn>
auto each_rank(int sites, Fn fn, world_options wishes = {}) {
  std::vector<decltype(fn(std::declval<const communicator&>()))> made(static_cast<std::size_t>(sites));
  run_threads(
      sites, [&](const communicator& comm) { made[static_cast<std::size_t>(comm.rank())] = fn(comm); }, wishes);
  return made;
}

/// The ways in which the engine executes a call, each by an algorithm and a count of doubles that lead there.
struct way {
  const char* name;
  const char* algorithm;
  std::size_t count;
};

inline const std::vector<way>& ways() {
  static const std::vector<way> all{
      {"line", "all_reduce/direct", 3},          {"staged", "all_reduce/direct", 5'000},
      {"slices", "all_reduce/sliced", 5'000},    {"short_steps", "all_reduce/tree", 3},
      {"long_steps", "all_reduce/ring", 20'000},
  };
  return all;
}

/// Sums numbers that no earlier call had, so that nothing left over passes for a result.
inline bool still_works(const communicator& comm) {
  barrier(launch::sync, comm);  // ends what is in flight: from here on the ranks count alike
  for (const way& by : ways()) {
    const auto fresh = static_cast<double>(comm.statistics().calls);
    std::vector<double> values(by.count);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = fresh + static_cast<double>(i);
    all_reduce(launch::sync, comm, in_place, values, std::plus{}, {.algorithm = by.algorithm});
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] != comm.size() * (fresh + static_cast<double>(i))) return false;
    }
  }
  return true;
}

}  // namespace tutti::test
