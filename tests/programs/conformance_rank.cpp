// SPDX-License-Identifier: BSL-1.0
// One rank of the conformance suite; `conformance_rank FILE` with a file, shared by all ranks, that has room for
// the attendance. Rank 0 prints the number of cases; every rank that has something to complain of says so and
// fails.
#include <fcntl.h>
#include <sys/mman.h>

#include <cstdio>
#include <exception>

#include "base/descriptor.hpp"
#include "conformance/family.hpp"
#include "conformance/suite.hpp"

int main(int argc, char** argv) try {
  using namespace tutti;
  const world here(argc, argv);
  if (argc != 2) return 2;
  const descriptor file(open(argv[1], O_RDWR | O_CLOEXEC));
  void* const page = mmap(nullptr, sizeof(conformance::attendance), PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (page == MAP_FAILED) {
    fmt::print(stderr, "cannot map {}\n", argv[1]);
    return 2;
  }
  const auto verdict = conformance::suite(here.communicator(), *static_cast<conformance::attendance*>(page)).run() +
                       conformance::family(here.communicator()).run();
  if (here.rank() == 0) fmt::print("{} cases\n", verdict.cases);
  if (verdict.wrong == 0) return 0;
  fmt::print(stderr, "{} wrong, the first: {}\n", verdict.wrong, verdict.first_mismatch);
  return 1;
} catch (const std::exception& e) {
  fmt::print(stderr, "{}\n", e.what());
  return 1;
}
