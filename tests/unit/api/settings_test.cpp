// SPDX-License-Identifier: BSL-1.0
// A setting that is not understood fails whoever makes the world, by name; none is ignored.
#include "api/settings.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "kernels/kernel_table.hpp"
#include "support/each_rank.hpp"
#include "support/run_command.hpp"
#include "support/scoped_variable.hpp"

namespace tutti {
namespace {

using test::attempt;
using test::scoped_variable;

struct variable {
  const char* name;
  std::vector<const char*> good;
  std::vector<const char*> bad;
  const char* allowed;
};

const std::vector<variable>& variables() {
  static const std::vector<variable> all{
      {"TUTTI_WAIT", {"adaptive", "yield", "sleep"}, {"sleepy", "", "Spin", "spin "}, "adaptive, spin, yield, sleep"},
      {"TUTTI_CORES", {"1", "64"}, {"two", "", "0", "-1", "2x", "1048577", "99999999999999999999"}, "from 1 to"},
      {"TUTTI_KERNELS", {"baseline"}, {"avx", "", "AVX2", "sse"}, "baseline"},
      {"TUTTI_PROGRESS_THREAD", {"0", "1"}, {"yes", "", "2", "on", "01x"}, "from 0 to 1"},
      {"TUTTI_SEGMENT_BYTES", {"512Mi", "1Gi"}, {"much", "", "-1", "1Qi", "99999999999999999999"}, "512Mi"},
      {"TUTTI_START_TIMEOUT", {"1", "600"}, {"soon", "", "0", "1.5", "86401"}, "from 1 to 86400"},
      {"TUTTI_DRAIN_SECONDS", {"0", "0.25", "10"}, {"never", "", "-1", "nan", "inf", "1s", "1e9"}, "from 0 to 86400"},
  };
  return all;
}

TEST(settings, understood_ones_are_taken) {
  for (const auto& one : variables()) {
    for (const char* value : one.good) {
      const scoped_variable set(one.name, value);
      EXPECT_TRUE(core::read_settings()) << one.name << "=" << value;
    }
  }
  const scoped_variable progress("TUTTI_PROGRESS_THREAD", "1");
  const scoped_variable drain("TUTTI_DRAIN_SECONDS", "2.5");
  EXPECT_TRUE(core::read_settings().value().progress_thread);
  EXPECT_EQ(core::read_settings().value().drain.count(), 2.5);
}

TEST(settings, others_fail_a_world_of_threads_and_one_of_processes) {
  for (const auto& one : variables()) {
    for (const char* value : one.bad) {
      const scoped_variable set(one.name, value);
      for (const bool threads : {true, false}) {
        const auto ended = attempt([&] {
          if (threads) return run_threads(1, [](const communicator&) {});
          const world alone;
        });
        EXPECT_EQ(ended.code, errc::launch_failed);
        EXPECT_NE(ended.text.find(fmt::format("{}='{}'", one.name, value)), std::string::npos) << ended.text;
        EXPECT_NE(ended.text.find(one.allowed), std::string::npos) << ended.text;
      }
    }
  }
}

TEST(settings, instruction_sets_that_are_not_here_are_refused) {
  using kernels::instruction_set;
  for (const auto set : {instruction_set::baseline, instruction_set::avx2, instruction_set::avx512}) {
    const scoped_variable wish("TUTTI_KERNELS", std::string(kernels::to_string(set)));
    EXPECT_EQ(static_cast<bool>(core::read_settings()), kernels::table_of(set) != nullptr);
  }
}

TEST(settings, the_launchers_grace_is_read_strictly_too) {
  for (const char* value : {"long", "", "-1", "1.5"}) {
    const scoped_variable set("TUTTI_GRACE", value);
    const auto ended = test::run_command({TUTTI_TEST_BIN_DIR "/tutti", "run", "-n", "1", "true"});
    EXPECT_EQ(ended.code, 2);
    EXPECT_NE(ended.err.find(fmt::format("TUTTI_GRACE='{}'", value)), std::string::npos) << ended.err;
  }
}

/// The manual's table and this test name the same variables.
TEST(settings, all_of_the_manual_are_tested_here) {
  std::set<std::string> tested{"TUTTI_GRACE"};
  for (const auto& one : variables()) tested.insert(one.name);
  std::set<std::string> listed;
  std::ifstream page(TUTTI_TEST_SOURCE_DIR "/docs/settings.md");
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("| `TUTTI_")) listed.insert(line.substr(3, line.find('`', 3) - 3));
  }
  EXPECT_EQ(listed, tested);
}

}  // namespace
}  // namespace tutti
