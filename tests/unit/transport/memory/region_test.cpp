// SPDX-License-Identifier: BSL-1.0
#include "transport/memory/region.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/child_process.hpp"
#include "support/sizes.hpp"

namespace tutti::memory {
namespace {

using test::mebibyte;

TEST(region, private_memory_is_zeroed_and_limited) {
  auto made = region::create_private(mebibyte);
  ASSERT_TRUE(made);
  const region& memory = made.value();
  EXPECT_EQ(memory.fd(), -1);
  ASSERT_TRUE(memory.commit(0, mebibyte));
  EXPECT_EQ(*memory.at<std::uint64_t>(mebibyte - 8), 0u);
  const status beyond = memory.commit(mebibyte, 1);
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.why().code, errc::no_space);
  EXPECT_NE(beyond.why().text.find("TUTTI_SEGMENT_BYTES"), std::string::npos);
  EXPECT_FALSE(memory.commit(~byte_count{0}, 2));
}

TEST(region, capacity_outside_its_domain_is_refused) {
  for (const byte_count capacity : {byte_count{0}, byte_count{1}, ~byte_count{0}}) {
    auto made = region::create_shared(capacity);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.why().code, errc::bad_argument);
  }
}

TEST(region, shared_memory_is_private_to_the_user_whatever_the_umask) {
  const mode_t before = umask(0);
  auto made = region::create_shared(64 * mebibyte);
  umask(before);
  ASSERT_TRUE(made);
  struct stat facts {};
  ASSERT_EQ(fstat(made.value().fd(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0600u);
  EXPECT_EQ(facts.st_uid, geteuid());
  EXPECT_LT(static_cast<byte_count>(facts.st_blocks) * 512, mebibyte) << "only what is committed has memory";
  EXPECT_NE(fcntl(made.value().fd(), F_GETFD) & FD_CLOEXEC, 0);
  EXPECT_NE(ftruncate(made.value().fd(), 0), 0) << "nobody may cut it";
}

TEST(region, peers_see_each_others_writes_and_commits) {
  auto made = region::create_shared(64 * mebibyte);
  ASSERT_TRUE(made);
  test::child_process child([&] {
    auto mine = region::attach(descriptor(dup(made.value().fd())));
    if (!mine || mine.value().capacity() != 64 * mebibyte) return 1;
    if (!mine.value().commit(8 * mebibyte, 8)) return 2;
    *mine.value().at<std::uint64_t>(8 * mebibyte) = 4711;
    return 0;
  });
  EXPECT_EQ(child.wait(), 0);
  EXPECT_GE(made.value().committed(), 8 * mebibyte + 8);
  EXPECT_EQ(*made.value().at<std::uint64_t>(8 * mebibyte), 4711u);
}

TEST(region, file_size_limit_is_an_error_and_no_signal) {
  test::child_process child([] {
    auto made = region::create_shared(64 * mebibyte);
    if (!made) return 1;
    const rlimit limit{2 * mebibyte, 2 * mebibyte};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 2;
    if (!made.value().commit(0, mebibyte)) return 3;
    const status refused = made.value().commit(0, 4 * mebibyte);
    if (refused || refused.why().code != errc::no_space) return 4;
    const std::string& text = refused.why().text;
    if (text.find("4194304") == std::string::npos || text.find("2097152") == std::string::npos) return 5;
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    if (sigismember(&mask, SIGXFSZ) != 0) return 6;
    return made.value().commit(0, mebibyte) ? 0 : 7;  // what was reserved still works
  });
  EXPECT_EQ(child.wait(), 0);
}

TEST(region, foreign_files_are_refused_with_a_reason) {
  const auto why = [](int fd) {
    auto mine = region::attach(descriptor(fd));
    EXPECT_FALSE(mine);
    EXPECT_EQ(mine.why().code, errc::launch_failed);
    return mine.why().text;
  };
  EXPECT_NE(why(-1).find("Bad file descriptor"), std::string::npos);
  EXPECT_NE(why(open("/dev/null", O_RDWR)).find("no memory file"), std::string::npos);
  const auto memory_file = [](mode_t mode, byte_count bytes, bool seal) {
    const int fd = memfd_create("stranger", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    fchmod(fd, mode);
    EXPECT_EQ(ftruncate(fd, static_cast<off_t>(bytes)), 0);
    if (seal) fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK);
    return fd;
  };
  EXPECT_NE(why(memory_file(0666, mebibyte, true)).find("mode is 666"), std::string::npos);
  EXPECT_NE(why(memory_file(0600, mebibyte, false)).find("sealed"), std::string::npos);
  EXPECT_NE(why(memory_file(0600, 10, true)).find("10 bytes"), std::string::npos);
  EXPECT_NE(why(memory_file(0600, mebibyte, true)).find("mark"), std::string::npos);
}

TEST(region, another_users_file_is_refused) {
  test::child_process child([] {
    if (geteuid() == 0 && seteuid(65534) != 0) return 1;
    auto theirs = region::attach(descriptor(open("/etc/passwd", O_RDONLY)));
    return !theirs && theirs.why().text.find("belongs to user 0") != std::string::npos ? 0 : 2;
  });
  EXPECT_EQ(child.wait(), 0);
}

}  // namespace
}  // namespace tutti::memory
