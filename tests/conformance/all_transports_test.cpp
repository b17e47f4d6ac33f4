// SPDX-License-Identifier: BSL-1.0
// The conformance suite on threads of this process and on processes of this machine.
#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <iostream>
#include <memory>
#include <mutex>

#include "base/descriptor.hpp"
#include "conformance/family.hpp"
#include "conformance/suite.hpp"
#include "support/run_command.hpp"

namespace tutti::conformance {
namespace {

class conformance : public testing::TestWithParam<int> {};

TEST_P(conformance, threads) {
  const int sites = GetParam();
  const auto shared = std::make_unique<attendance>();
  std::vector<verdict> verdicts(static_cast<std::size_t>(sites));
  run_threads(sites, [&](const communicator& comm) {
    verdicts[static_cast<std::size_t>(comm.rank())] = suite(comm, *shared).run() + family(comm).run();
  });
  for (const verdict& one : verdicts) {
    EXPECT_EQ(one.wrong, 0u) << one.first_mismatch;
    EXPECT_EQ(one.cases, verdicts[0].cases);
  }
  std::cout << verdicts[0].cases << " cases on each of " << sites << " threads\n";
  EXPECT_GT(verdicts[0].cases, 0u);
}

TEST_P(conformance, processes) {
  const int sites = GetParam();
  const descriptor page(memfd_create("attendance", MFD_CLOEXEC));
  ASSERT_EQ(ftruncate(page.get(), sizeof(attendance)), 0);
  const auto result = test::run_command({TUTTI_TEST_BIN_DIR "/tutti", "run", "-n", std::to_string(sites),
                                         TUTTI_TEST_BIN_DIR "/tests/conformance_rank",
                                         fmt::format("/proc/{}/fd/{}", getpid(), page.get())});
  EXPECT_EQ(result.code, 0) << result.out << result.err;
  std::uint64_t cases = 0;
  ASSERT_EQ(std::sscanf(result.out.c_str(), "%lu cases", &cases), 1) << result.out;
  std::cout << cases << " cases on each of " << sites << " processes\n";
  EXPECT_GT(cases, 0u);
}

INSTANTIATE_TEST_SUITE_P(ranks, conformance, testing::Values(1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17),
                         [](const auto& one) { return std::to_string(one.param); });

}  // namespace
}  // namespace tutti::conformance
