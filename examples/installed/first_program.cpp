// SPDX-License-Identifier: BSL-1.0
// A program of a project of its own: every rank gets the sum, and the vector of sums.
//   tutti run -n 4 first_program
#include <tutti/tutti.hpp>

#include <cstdio>
#include <functional>
#include <span>
#include <vector>

int main(int argc, char** argv) {
  tutti::world world(argc, argv);
  const auto comm = world.communicator();

  const double mine = world.rank() + 1;
  const double total = tutti::all_reduce(comm, mine, std::plus{}).get();

  std::vector<double> values(1000, mine);
  tutti::all_reduce(tutti::launch::sync, comm, tutti::in_place, std::span<double>(values), std::plus{});
  tutti::barrier(comm).get();

  const double expected = world.size() * (world.size() + 1) / 2.0;
  bool right = total == expected;
  for (const double value : values) right = right && value == expected;
  std::printf("rank %d of %d: the sum is %g\n", world.rank(), world.size(), total);
  return right ? 0 : 1;
}
