// SPDX-License-Identifier: BSL-1.0
#include "world/rendezvous.hpp"

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <sys/stat.h>

#include <array>
#include <list>
#include <thread>
#include <vector>

#include "support/child_process.hpp"
#include "world/rendezvous_message.hpp"

namespace tutti::worlds {
namespace {

using namespace std::chrono_literals;

/// A key that no other test and no other run uses at this time.
std::uint64_t fresh_key() {
  static std::uint64_t counter = 0;
  return (static_cast<std::uint64_t>(getpid()) << 24) + ++counter;
}

meeting at(std::uint64_t key, rank_id rank, rank_id size, std::chrono::milliseconds patience = 20s) {
  return {key, rank, size, std::chrono::steady_clock::now() + patience, "test"};
}

descriptor memory_file() { return descriptor(memfd_create("test", MFD_CLOEXEC)); }

bool same_file(int a, int b) {
  struct stat first {};
  struct stat second {};
  return fstat(a, &first) == 0 && fstat(b, &second) == 0 && first.st_ino == second.st_ino &&
         first.st_dev == second.st_dev;
}

/// A whole meeting of `size` ranks in threads; every one must get the host's file.
void expect_meeting(std::uint64_t key, rank_id size) {
  const descriptor memory = memory_file();
  std::vector<std::thread> others;
  for (rank_id rank = 1; rank < size; ++rank) {
    others.emplace_back([&, rank] {
      auto got = attend_meeting(at(key, rank, size));
      ASSERT_TRUE(got) << got.why().text;
      EXPECT_TRUE(same_file(got.value().get(), memory.get()));
    });
  }
  const status hosted = host_meeting(at(key, 0, size), memory.get());
  EXPECT_TRUE(hosted) << (hosted ? "" : hosted.why().text);
  for (auto& one : others) one.join();
}

descriptor listen_at(const std::string& name) {
  descriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  const abstract_address address(name);
  EXPECT_EQ(bind(socket.get(), address.get(), address.bytes), 0);
  EXPECT_EQ(listen(socket.get(), 16), 0);
  return socket;
}

TEST(rendezvous, everyone_gets_the_memory) {
  for (const rank_id size : {2, 8, 100}) expect_meeting(fresh_key(), size);
}

TEST(rendezvous, a_name_bound_by_someone_silent_is_passed_over) {
  const auto key = fresh_key();
  descriptor squatter(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  const abstract_address address(meeting_name(key, 0));
  ASSERT_EQ(bind(squatter.get(), address.get(), address.bytes), 0);
  expect_meeting(key, 3);
}

TEST(rendezvous, a_squatter_that_talks_nonsense_is_passed_over) {
  const auto key = fresh_key();
  const descriptor squatter = listen_at(meeting_name(key, 0));
  test::child_process babbler([&] {
    for (;;) {
      const descriptor visitor(accept(squatter.get(), nullptr, nullptr));
      [[maybe_unused]] const ssize_t sent = send(visitor.get(), "welcome", 7, MSG_NOSIGNAL);
    }
    return 0;
  });
  expect_meeting(key, 3);
}

TEST(rendezvous, a_listener_that_never_answers_is_passed_over) {
  const auto key = fresh_key();
  std::array<int, 2> ready{};
  ASSERT_EQ(pipe(ready.data()), 0);
  const descriptor ready_read(ready[0]);
  descriptor ready_write(ready[1]);
  test::child_process stranger([&] {
    if (geteuid() == 0 && seteuid(65534) != 0) return 1;  // where possible it is another user, too
    const descriptor squatter = listen_at(meeting_name(key, 0));
    ready_write.reset();
    for (;;) pause();
  });
  ready_write.reset();
  char end = 0;
  ASSERT_EQ(read(ready_read.get(), &end, 1), 0);
  expect_meeting(key, 3);
}

TEST(rendezvous, all_names_taken_is_an_error_in_time) {
  const auto key = fresh_key();
  std::list<descriptor> squatters;
  for (int attempt = 0; attempt < meeting_names; ++attempt) squatters.push_back(listen_at(meeting_name(key, attempt)));
  const descriptor memory = memory_file();
  const status hosted = host_meeting(at(key, 0, 2), memory.get());
  ASSERT_FALSE(hosted);
  EXPECT_EQ(hosted.why().code, errc::launch_failed);
  EXPECT_FALSE(attend_meeting(at(key, 1, 2, 10ms)));
}

TEST(rendezvous, visitors_that_do_not_belong_are_refused_and_harmless) {
  const auto key = fresh_key();
  const descriptor memory = memory_file();
  std::thread host([&] { EXPECT_TRUE(host_meeting(at(key, 0, 3), memory.get())); });
  auto first = attend_meeting(at(key, 1, 3));
  EXPECT_TRUE(first);
  for (const auto& [rank, size] : {std::pair(1, 3), std::pair(7, 3), std::pair(2, 4), std::pair(0, 3)}) {
    auto got = attend_meeting(at(key, rank, size));
    ASSERT_FALSE(got);
    EXPECT_EQ(got.why().code, errc::launch_failed);
    EXPECT_NE(got.why().text.find(rank == 1 ? "already joined" : "does not belong"), std::string::npos)
        << got.why().text;
  }
  EXPECT_TRUE(attend_meeting(at(key, 2, 3)));
  host.join();
}

TEST(rendezvous, missing_ranks_are_named) {
  const auto key = fresh_key();
  const descriptor memory = memory_file();
  std::thread present([&] { EXPECT_TRUE(attend_meeting(at(key, 2, 5))); });
  const status hosted = host_meeting(at(key, 0, 5, 2s), memory.get());
  present.join();
  ASSERT_FALSE(hosted);
  EXPECT_NE(hosted.why().text.find("rank 1, 3, 4 did not join"), std::string::npos) << hosted.why().text;
  auto lonely = attend_meeting(at(fresh_key(), 1, 2, 20ms));
  ASSERT_FALSE(lonely);
  EXPECT_NE(lonely.why().text.find("rank 0"), std::string::npos);
}

}  // namespace
}  // namespace tutti::worlds
