// SPDX-License-Identifier: BSL-1.0
// A forked process that never outlives the test.
#pragma once

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace tutti::test {

/// Runs `body` in a forked child; its int result is the exit code. Killed and reaped at the latest by the
/// destructor, or by the kernel if the test itself dies.
class child_process {
 public:
  template <class Body>
  explicit child_process(Body body) : pid_(fork()) {
    if (pid_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      _exit(body());
    }
  }
  ~child_process() {
    kill();
    wait();
  }
  child_process(const child_process&) = delete;
  child_process& operator=(const child_process&) = delete;

  pid_t pid() const noexcept { return pid_; }
  void kill() noexcept {
    if (!reaped_) ::kill(pid_, SIGKILL);
  }
  /// Its exit code, or 128 + the signal that ended it.
  int wait() noexcept {
    if (!reaped_) {
      waitpid(pid_, &how_, 0);
      reaped_ = true;
    }
    return WIFEXITED(how_) ? WEXITSTATUS(how_) : 128 + WTERMSIG(how_);
  }

 private:
  pid_t pid_;
  int how_ = 0;
  bool reaped_ = false;
};

}  // namespace tutti::test
