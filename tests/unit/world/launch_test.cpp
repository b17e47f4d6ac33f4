// SPDX-License-Identifier: BSL-1.0
#include "world/launch.hpp"

#include <gtest/gtest.h>

#include <list>
#include <map>

#include "support/scoped_variable.hpp"
#include "world/environment.hpp"

namespace tutti::worlds {
namespace {

using settings = std::map<std::string, std::string>;

/// read_launch() with exactly these launcher variables.
result<launch> launched_with(const settings& wanted) {
  std::list<test::scoped_variable> scope;
  for (const char* name :
       {"TUTTI_SEGMENT_FD", "TUTTI_RANK", "TUTTI_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
        "OMPI_COMM_WORLD_LOCAL_SIZE", "PMIX_NAMESPACE", "PMI_RANK", "PMI_SIZE", "PMI_FD", "MPI_LOCALNRANKS"}) {
    const auto found = wanted.find(name);
    scope.emplace_back(name, found == wanted.end() ? std::nullopt : std::optional(found->second));
  }
  return read_launch();
}

const settings open_mpi = {{"OMPI_COMM_WORLD_RANK", "2"},
                           {"OMPI_COMM_WORLD_SIZE", "4"},
                           {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"},
                           {"PMIX_NAMESPACE", "815"}};
const settings hydra = {{"PMI_RANK", "2"}, {"PMI_SIZE", "4"}, {"MPI_LOCALNRANKS", "4"}, {"PMI_FD", "8"}};

settings with(settings base, const std::string& name, const std::string& value) {
  base[name] = value;
  return base;
}

settings without(settings base, const std::string& name) {
  base.erase(name);
  return base;
}

TEST(launch, nothing_set_is_a_job_of_one) {
  const auto found = launched_with({});
  ASSERT_TRUE(found);
  EXPECT_EQ(found.value().by, launcher::none);
  EXPECT_EQ(found.value().size, 1);
}

TEST(launch, each_launcher_is_known_by_its_variables) {
  const auto own = launched_with({{"TUTTI_RANK", "1"}, {"TUTTI_SIZE", "2"}, {"TUTTI_SEGMENT_FD", "5"}});
  ASSERT_TRUE(own);
  EXPECT_EQ(own.value().by, launcher::tutti_run);
  EXPECT_EQ(own.value().segment_fd, 5);
  for (const auto& [expected, base] : {std::pair(launcher::open_mpi, open_mpi), std::pair(launcher::hydra, hydra)}) {
    const auto found = launched_with(base);
    ASSERT_TRUE(found) << found.why().text;
    EXPECT_EQ(found.value().by, expected);
    EXPECT_EQ(found.value().rank, 2);
    EXPECT_EQ(found.value().size, 4);
  }
}

TEST(launch, ranks_of_one_job_meet_and_jobs_do_not) {
  const auto two = launched_with(open_mpi);
  const auto three = launched_with(with(open_mpi, "OMPI_COMM_WORLD_RANK", "3"));
  const auto other_job = launched_with(with(open_mpi, "PMIX_NAMESPACE", "816"));
  ASSERT_TRUE(two && three && other_job);
  EXPECT_EQ(two.value().meeting, three.value().meeting);
  EXPECT_NE(two.value().meeting, other_job.value().meeting);
  const auto hydra_two = launched_with(hydra);
  const auto hydra_three = launched_with(with(with(hydra, "PMI_RANK", "3"), "PMI_FD", "9"));
  ASSERT_TRUE(hydra_two && hydra_three);
  EXPECT_EQ(hydra_two.value().meeting, hydra_three.value().meeting);
}

TEST(launch, broken_variables_are_errors_that_name_them) {
  const struct {
    settings set;
    const char* mention;
  } cases[] = {
      {{{"TUTTI_RANK", "0"}}, "TUTTI_SIZE is not"},
      {{{"TUTTI_RANK", "0"}, {"TUTTI_SIZE", "2"}}, "TUTTI_SEGMENT_FD is not"},
      {{{"TUTTI_RANK", "2"}, {"TUTTI_SIZE", "2"}, {"TUTTI_SEGMENT_FD", "5"}}, "TUTTI_RANK=2"},
      {{{"TUTTI_RANK", "zero"}, {"TUTTI_SIZE", "2"}, {"TUTTI_SEGMENT_FD", "5"}}, "TUTTI_RANK='zero'"},
      {{{"TUTTI_RANK", "0"}, {"TUTTI_SIZE", "0"}, {"TUTTI_SEGMENT_FD", "5"}}, "TUTTI_SIZE='0'"},
      {{{"TUTTI_RANK", "0"}, {"TUTTI_SIZE", "5000"}, {"TUTTI_SEGMENT_FD", "5"}}, "4096"},
      {{{"TUTTI_RANK", "0"}, {"TUTTI_SIZE", "2"}, {"TUTTI_SEGMENT_FD", "-3"}}, "TUTTI_SEGMENT_FD='-3'"},
      {without(open_mpi, "OMPI_COMM_WORLD_SIZE"), "OMPI_COMM_WORLD_SIZE is not"},
      {without(open_mpi, "OMPI_COMM_WORLD_LOCAL_SIZE"), "OMPI_COMM_WORLD_LOCAL_SIZE is not"},
      {with(open_mpi, "OMPI_COMM_WORLD_LOCAL_SIZE", "2"), "several machines"},
      {with(open_mpi, "OMPI_COMM_WORLD_RANK", "1x"), "OMPI_COMM_WORLD_RANK='1x'"},
      {with(open_mpi, "OMPI_COMM_WORLD_RANK", ""), "OMPI_COMM_WORLD_RANK=''"},
      {with(open_mpi, "OMPI_COMM_WORLD_SIZE", "99999999999999999999"), "OMPI_COMM_WORLD_SIZE="},
      {without(hydra, "PMI_RANK"), "PMI_RANK is not"},
      {with(hydra, "MPI_LOCALNRANKS", "3"), "several machines"},
      {with(open_mpi, "PMI_RANK", "0"), "both Open MPI"},
  };
  for (const auto& one : cases) {
    const auto found = launched_with(one.set);
    ASSERT_FALSE(found) << one.mention;
    EXPECT_EQ(found.why().code, errc::launch_failed);
    EXPECT_NE(found.why().text.find(one.mention), std::string::npos) << found.why().text;
  }
}

TEST(environment, a_malformed_setting_is_no_default) {
  const test::scoped_variable segment("TUTTI_SEGMENT_BYTES", "much");
  const test::scoped_variable timeout("TUTTI_START_TIMEOUT", "0");
  EXPECT_FALSE(segment_bytes(2));
  EXPECT_FALSE(start_timeout());
}

}  // namespace
}  // namespace tutti::worlds
