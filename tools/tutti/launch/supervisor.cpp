// SPDX-License-Identifier: BSL-1.0
#include "supervisor.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>

#include "world/bootstrap.hpp"

namespace tutti::launching {
namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

}  // namespace

supervisor::supervisor(const run_options& options)
    : options_(options), plan_{.options = options}, ranks_(static_cast<std::size_t>(options.ranks)) {}

void supervisor::say(const std::string& text) const {
  const std::string line = fmt::format("tutti run: {}\n", text);
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
}

int supervisor::run() {
  start_ = clock::now();
  auto program = find_program(options_.command.front());
  if (!program) {
    say(program.why().text);
    return 127;
  }
  auto job = worlds::create_job(options_.ranks, true);
  if (!job) {
    say(job.why().text);
    return 2;
  }
  job_ = std::move(job).value();
  plan_.program = std::move(program).value();
  plan_.segment_fd = job_->memory().fd();
  take_signals();
  if (!start_all()) {
    code_ = 1;
    signal_all(SIGKILL);
  }
  loop();
  end_descendants();
  drain();
  const int code = exit_code();
  if (!options_.json_path.empty()) {
    if (status written = write_report(options_, ranks_, code); !written) {
      say(written.why().text);
      return code != 0 ? code : 2;
    }
  }
  return code;
}

void supervisor::take_signals() {
  plan_.launcher = getpid();
  sigset_t mine;
  sigemptyset(&mine);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&mine, number);
  sigprocmask(SIG_BLOCK, &mine, &plan_.signals);
  signals_ = descriptor(signalfd(-1, &mine, SFD_CLOEXEC | SFD_NONBLOCK));
  std::signal(SIGPIPE, SIG_IGN);
  prctl(PR_SET_CHILD_SUBREAPER, 1);  // what a rank leaves behind becomes this process's child
  // Two pipes per rank; the ranks themselves get the limit back as it was.
  getrlimit(RLIMIT_NOFILE, &plan_.open_files);
  const rlimit most{plan_.open_files.rlim_max, plan_.open_files.rlim_max};
  setrlimit(RLIMIT_NOFILE, &most);
}

bool supervisor::start_all() {
  std::array<int, 2> ends{};
  if (!signals_ || pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
    say(fmt::format("the job cannot be watched: {}; raise ulimit -n", std::strerror(errno)));
    return false;
  }
  exec_failures_ = descriptor(ends[0]);
  const descriptor failure_end(ends[1]);
  plan_.failure_pipe = failure_end.get();
  if (options_.timeout_seconds) {
    timeout_ =
        start_ + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(*options_.timeout_seconds));
  }
  for (rank_id rank = 0; rank < options_.ranks; ++rank) {
    auto started = spawn(plan_, rank);
    if (!started) {
      say(started.why().text);
      return false;
    }
    rank_report& one = ranks_[static_cast<std::size_t>(rank)];
    one.pid = started.value().pid;
    one.running = true;
    ++alive_;
    if (options_.label) {
      streams_.emplace_back(std::move(started.value().out), STDOUT_FILENO, rank);
      streams_.emplace_back(std::move(started.value().err), STDERR_FILENO, rank);
    }
  }
  return true;
}

void supervisor::loop() {
  while (alive_ > 0) {
    pump_ready(wait_milliseconds());
    read_exec_failures();
    signalfd_siginfo what{};
    while (read(signals_.get(), &what, sizeof what) == sizeof what) handle_signal(what);
    reap();
    if (timeout_ && clock::now() >= *timeout_ && alive_ > 0) time_is_over();
    if (deadline_ && clock::now() >= *deadline_) escalate();
  }
}

void supervisor::time_is_over() {
  timeout_.reset();
  std::vector<rank_id> late;
  for (rank_id rank = 0; rank < options_.ranks; ++rank) {
    if (ranks_[static_cast<std::size_t>(rank)].running) late.push_back(rank);
  }
  say(fmt::format("the {} seconds of --timeout are over; still running: {}", *options_.timeout_seconds,
                  list_ranks(late)));
  if (!first_failed_ && !code_) code_ = 124;
  asked_to_end_ = true;
  if (phase_ == phase::running || phase_ == phase::grace) deadline_ = clock::now();
}

int supervisor::wait_milliseconds() const {
  auto next = deadline_;
  if (timeout_ && (!next || *timeout_ < *next)) next = timeout_;
  if (!next) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*next - clock::now()).count();
  return static_cast<int>(std::clamp<decltype(left)>(left, 0, 1'000'000));
}

void supervisor::pump_ready(int wait) {
  std::erase_if(streams_, [](const labeled_stream& one) { return !one.open(); });
  std::vector<pollfd> watched{{signals_.get(), POLLIN, 0}};
  for (const labeled_stream& one : streams_) watched.push_back({one.fd(), POLLIN, 0});
  if (poll(watched.data(), watched.size(), wait) <= 0) return;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    if (watched[i + 1].revents != 0) streams_[i].pump();
  }
}

void supervisor::drain() {
  // What ended ranks have written is in the pipes already; a process they left behind is not waited for.
  for (labeled_stream& one : streams_) {
    if (!one.open()) continue;
    fcntl(one.fd(), F_SETFL, O_NONBLOCK);
    while (one.open()) one.pump();
  }
}

void supervisor::end_descendants() {
  const std::string path = fmt::format("/proc/self/task/{}/children", getpid());
  for (;;) {
    std::ifstream children(path);
    pid_t child = 0;
    bool any = false;
    while (children >> child) {
      any = true;
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
    if (!any) return;
  }
}

void supervisor::read_exec_failures() {
  exec_failure why;
  while (exec_failures_ && read(exec_failures_.get(), &why, sizeof why) == sizeof why) {
    if (!code_)
      say(fmt::format("program '{}' cannot be executed: {}", options_.command.front(), std::strerror(why.error)));
    code_ = 127;
  }
}

void supervisor::handle_signal(const signalfd_siginfo& what) {
  const int number = static_cast<int>(what.ssi_signo);
  if (number == SIGCHLD) return;
  if (asked_to_end_) return signal_all(SIGKILL);  // asked twice
  asked_to_end_ = true;
  // A terminal has sent its signal to the ranks itself.
  if (what.ssi_code != SI_KERNEL) signal_all(number);
  end_after(options_.grace);
}

void supervisor::reap() {
  read_exec_failures();
  int how = 0;
  rusage used{};
  pid_t pid = 0;
  while ((pid = wait4(-1, &how, WNOHANG, &used)) > 0) {
    const auto found =
        std::find_if(ranks_.begin(), ranks_.end(), [&](const rank_report& one) { return one.pid == pid; });
    if (found == ranks_.end() || !found->running) continue;
    found->cpu_seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
    record(static_cast<rank_id>(found - ranks_.begin()), how);
  }
}

void supervisor::record(rank_id rank, int how) {
  rank_report& one = ranks_[static_cast<std::size_t>(rank)];
  one.running = false;
  --alive_;
  one.wall_seconds = std::chrono::duration<double>(clock::now() - start_).count();
  if (WIFSIGNALED(how)) one.signal = WTERMSIG(how);
  if (WIFEXITED(how)) one.exit_code = WEXITSTATUS(how);
  const memory::peer_view known = job_->look(rank);
  if (!one.failed()) {
    if (!known.ended()) job_->leave(rank, {});
    return;
  }
  // A reason that the rank gave itself says more than its exit code.
  const std::string text = known.state == memory::rank_state::failed ? known.text : describe_end(one);
  job_->leave(rank, {.state = one.signal != 0 ? memory::rank_state::dead : memory::rank_state::failed,
                     .exit_code = one.exit_code,
                     .signal = one.signal,
                     .text = text});
  read_exec_failures();
  const bool our_doing = phase_ == phase::terminating || phase_ == phase::killing || code_ == 127;
  if (!our_doing) say(fmt::format("rank {} {}", rank, describe_end(one)));
  if (!first_failed_) first_failed_ = rank;
  end_after(options_.grace);
}

void supervisor::end_after(std::chrono::milliseconds grace) {
  if (phase_ != phase::running || alive_ == 0) return;
  phase_ = phase::grace;
  deadline_ = clock::now() + grace;
}

void supervisor::escalate() {
  if (phase_ == phase::running || phase_ == phase::grace) {
    phase_ = phase::terminating;
    signal_all(SIGTERM);
    deadline_ = clock::now() + options_.grace;
  } else {
    phase_ = phase::killing;
    signal_all(SIGKILL);
    deadline_.reset();
  }
}

void supervisor::signal_all(int number) const {
  for (const rank_report& one : ranks_) {
    if (one.running) kill(one.pid, number);
  }
}

int supervisor::exit_code() const {
  if (code_) return *code_;
  return first_failed_ ? ranks_[static_cast<std::size_t>(*first_failed_)].shell_code() : 0;
}

}  // namespace tutti::launching
