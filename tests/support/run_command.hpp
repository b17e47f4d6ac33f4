// SPDX-License-Identifier: BSL-1.0
// Runs a program and keeps what it wrote.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <string>
#include <vector>

#include "base/descriptor.hpp"

namespace tutti::test {

struct command_result {
  int code = 0;  ///< exit code, or 128 + signal
  std::string out;
  std::string err;
};

/// A running program. Killed and reaped at the latest by the destructor.
class command {
 public:
  explicit command(const std::vector<std::string>& words, const std::string& input = {})
      : in_(memfd_create("in", MFD_CLOEXEC)),
        out_(memfd_create("out", MFD_CLOEXEC)),
        err_(memfd_create("err", MFD_CLOEXEC)) {
    [[maybe_unused]] const ssize_t written = pwrite(in_.get(), input.data(), input.size(), 0);
    // Several ranks write at once, and a memory file keeps no lock on its position.
    for (const int fd : {out_.get(), err_.get()}) fcntl(fd, F_SETFL, O_APPEND);
    pid_ = fork();
    if (pid_ == 0) become(words);
  }
  ~command() {
    if (pid_ > 0) {
      send(SIGKILL);
      wait();
    }
  }
  command(const command&) = delete;
  command& operator=(const command&) = delete;

  pid_t pid() const noexcept { return pid_; }
  void send(int signal) const noexcept { kill(pid_, signal); }
  std::string out() const { return contents(out_.get()); }

  /// Blocks until it has ended.
  command_result wait() {
    int how = 0;
    waitpid(pid_, &how, 0);
    pid_ = 0;
    return {WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how), out(), contents(err_.get())};
  }

 private:
  [[noreturn]] void become(const std::vector<std::string>& words) const {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(in_.get(), STDIN_FILENO);
    dup2(out_.get(), STDOUT_FILENO);
    dup2(err_.get(), STDERR_FILENO);
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments.front(), arguments.data());
    _exit(126);
  }

  static std::string contents(int fd) {
    std::string text;
    std::array<char, 65536> part{};
    for (;;) {
      const ssize_t got = pread(fd, part.data(), part.size(), static_cast<off_t>(text.size()));
      if (got <= 0) return text;
      text.append(part.data(), static_cast<std::size_t>(got));
    }
  }

  descriptor in_;
  descriptor out_;
  descriptor err_;
  pid_t pid_ = 0;
};

inline command_result run_command(const std::vector<std::string>& words, const std::string& input = {}) {
  return command(words, input).wait();
}

}  // namespace tutti::test
