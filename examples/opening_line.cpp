// SPDX-License-Identifier: BSL-1.0
// The opening line: every rank holds a number, every rank gets the sum.
//   tutti run -n 8 opening_line
#include <tutti/tutti.hpp>

#include <cstdio>
#include <functional>

int main(int argc, char** argv) {
  tutti::world world(argc, argv);
  const tutti::communicator comm = tutti::create_communicator(
      "/my_app/gradient_sync", tutti::num_sites_arg(world.size()), tutti::this_site_arg(world.rank()));

  const double my_value = world.rank() + 1;
  const double total = tutti::all_reduce(comm, my_value, std::plus{}).get();

  const double ranks = world.size();
  const bool right = total == ranks * (ranks + 1) / 2;
  std::printf("rank %d of %d: my value is %g, the sum is %g%s\n", world.rank(), world.size(), my_value, total,
              right ? "" : " (WRONG)");
  return right ? 0 : 1;
}
