// SPDX-License-Identifier: BSL-1.0
// What others took of the cores while a block ran.
#pragma once

#include <cstdint>

namespace peers {

/// What the scheduler says about the calling thread, since its start.
struct scheduled_time {
  std::uint64_t ran_nanoseconds = 0;      // on a core
  std::uint64_t delayed_nanoseconds = 0;  // ready, but waiting for a core
};

/// Reads /proc/thread-self/schedstat; zeros where the kernel keeps none.
class scheduler_account {
 public:
  scheduler_account();
  ~scheduler_account();
  scheduler_account(const scheduler_account&) = delete;
  scheduler_account& operator=(const scheduler_account&) = delete;
  scheduled_time read() const;

 private:
  int file_;
};

/// Cores online, whatever the launcher bound this process to.
int cores_of_machine();

}  // namespace peers
