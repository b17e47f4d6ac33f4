// SPDX-License-Identifier: BSL-1.0
#include "stolen_time.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>

namespace peers {

scheduler_account::scheduler_account() : file_(open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)) {}

scheduler_account::~scheduler_account() {
  if (file_ >= 0) close(file_);
}

scheduled_time scheduler_account::read() const {
  char text[96];
  const ssize_t length = file_ < 0 ? -1 : pread(file_, text, sizeof text, 0);
  scheduled_time now;
  if (length <= 0) return now;
  const auto first = std::from_chars(text, text + length, now.ran_nanoseconds);
  if (first.ptr < text + length) std::from_chars(first.ptr + 1, text + length, now.delayed_nanoseconds);
  return now;
}

int cores_of_machine() { return static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)); }

}  // namespace peers
