// SPDX-License-Identifier: BSL-1.0
// Ranks that end badly, or meet signals. Started by tests/pains/ends_test.cpp and signals_test.cpp.
//   pain_ends kill HOW      rank 2 kills itself while the others have all_reduces outstanding, and wait by HOW:
//                           get, poll, wait_for, then; each prints "rank N: what()" of the last one
//   pain_ends leave         rank 0 returns from main at once; the others wait in a barrier
//   pain_ends unwind        rank 1 throws with a communicator and an unfinished future on its stack
//   pain_ends loop          prints "PID", then calls until it is stopped
//   pain_ends rounds N      prints "PID", makes N checked calls, prints "done"
//   pain_ends fork          starts children that exit, run a command, use the library; its own calls go on
//   pain_ends storm N       N checked calls under an interval timer of 1 ms whose signals interrupt system calls
#include <fmt/format.h>

#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tutti/tutti.hpp"

namespace {

using namespace std::chrono_literals;

void say(const std::string& line) {
  const std::string whole = line + "\n";
  [[maybe_unused]] const ssize_t written = write(STDOUT_FILENO, whole.data(), whole.size());
}

/// One short and one longer call, with results that depend on the turn.
void checked_calls(const tutti::communicator& comm, int turn) {
  const std::int64_t size = comm.size();
  const std::int64_t ranks = size * (size - 1) / 2;
  const auto sum = tutti::all_reduce(tutti::launch::sync, comm, std::int64_t{comm.rank()} + turn, std::plus{});
  if (sum != ranks + size * turn) throw std::logic_error(fmt::format("turn {}: the sum is {}", turn, sum));
  std::vector<std::int64_t> both(static_cast<std::size_t>(turn % 50), comm.rank());
  tutti::all_reduce(tutti::launch::sync, comm, tutti::in_place, both, std::plus{});
  for (const auto one : both) {
    if (one != ranks) throw std::logic_error(fmt::format("turn {}: an element is {}", turn, one));
  }
}

/// Waits for the future in the way asked for; the error, if any, is left in it.
void wait_by(const std::string& how, tutti::future<double>& running) {
  if (how == "poll") {
    while (!running.is_ready()) std::this_thread::yield();
  } else if (how == "wait_for") {
    while (running.wait_for(0s) != std::future_status::ready) std::this_thread::yield();
  } else if (how == "then") {
    std::atomic<bool> over{false};
    auto next = running.then([&](tutti::future<double> ended) {
      over = true;
      return ended.get();
    });
    while (!over) std::this_thread::yield();  // for the progress thread
    running = std::move(next);
  }
}

int kill_one(const tutti::world& world, const std::string& how) {
  const auto work = tutti::create_communicator("/pain/work");
  const auto control = tutti::create_communicator("/pain/control");
  tutti::barrier(tutti::launch::sync, work);
  std::vector<tutti::future<double>> outstanding;
  if (world.rank() != 2) {
    for (int i = 0; i < 8; ++i) outstanding.push_back(tutti::all_reduce(work, 1.0, std::plus{}));
  }
  tutti::barrier(tutti::launch::sync, control);
  if (world.rank() == 2) raise(SIGKILL);
  int told = 0;
  std::string text;
  for (auto& one : outstanding) {
    wait_by(how, one);
    try {
      one.get();
    } catch (const tutti::error& e) {
      if (e.code() == tutti::errc::rank_lost) ++told;
      text = e.what();
    }
  }
  say(fmt::format("rank {}: {} of 8: {}", world.rank(), told, text));
  return 0;
}

int leave(const tutti::world& world) {
  if (world.rank() == 0) return 0;
  tutti::barrier(tutti::launch::sync, world.communicator());
  return 0;
}

int unwind(const tutti::world& world) {
  const auto comm = tutti::create_communicator("/pain/unwinding");
  tutti::barrier(tutti::launch::sync, comm);
  std::vector<double> both(100'000, 1.0);
  auto unfinished = tutti::all_reduce(comm, tutti::in_place, both, std::plus{});
  if (world.rank() == 1) {
    auto never = tutti::barrier(comm);
    throw std::runtime_error("disk full");
  }
  unfinished.get();
  tutti::barrier(tutti::launch::sync, world.communicator());
  return 0;
}

int loop(const tutti::world& world) {
  tutti::barrier(tutti::launch::sync, world.communicator());
  say(std::to_string(getpid()));
  for (int turn = 0;; turn = (turn + 1) % 1'000'000) checked_calls(world.communicator(), turn);
}

int rounds(const tutti::world& world, int turns) {
  say(std::to_string(getpid()));
  for (int turn = 0; turn < turns; ++turn) checked_calls(world.communicator(), turn);
  say("done");
  return 0;
}

/// Exit code of a forked child that runs `body` and then exits as programs do.
template <class Body>
int child(Body body) {
  const pid_t pid = fork();
  if (pid == 0) std::exit(body());
  int how = 0;
  while (waitpid(pid, &how, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
}

int use_library_in_child(const tutti::world& world) {
  int refused = 0;
  const auto count = [&refused](auto call) {
    try {
      call();
    } catch (const tutti::error& e) {
      if (e.code() == tutti::errc::invalid_state) ++refused;
    }
  };
  count([&] { tutti::barrier(tutti::launch::sync, world.communicator()); });
  count([&] { tutti::all_reduce(world.communicator(), 1, std::plus{}).get(); });
  count([] { tutti::create_communicator("/pain/child"); });
  return refused;
}

int forking(const tutti::world& world) {
  const auto& comm = world.communicator();
  for (int turn = 0; turn < 5; ++turn) {
    checked_calls(comm, turn);
    auto outstanding = tutti::all_reduce(comm, 1, std::plus{});
    if (child([] { return 0; }) != 0) return 2;
    if (child([] { return std::system("true"); }) != 0) return 3;
    if (child([&] { return use_library_in_child(world); }) != 3) return 4;
    if (std::system("true") != 0) return 5;
    if (outstanding.get() != comm.size()) return 6;
  }
  say("done");
  return 0;
}

void on_alarm(int) {}

int storm(const tutti::world& world, int turns) {
  struct sigaction quiet {};
  quiet.sa_handler = on_alarm;  // and no SA_RESTART
  sigaction(SIGALRM, &quiet, nullptr);
  sigaction(SIGPROF, &quiet, nullptr);
  const itimerval often{{0, 1000}, {0, 1000}};
  setitimer(ITIMER_REAL, &often, nullptr);
  setitimer(ITIMER_PROF, &often, nullptr);
  for (int turn = 0; turn < turns; ++turn) {
    checked_calls(world.communicator(), turn);
    if (turn % 1000 == 0) {
      const auto fresh = tutti::create_communicator("/pain/storm");
      std::vector<double> both(100'000, 1.0);
      tutti::all_reduce(fresh, tutti::in_place, both, std::plus{}).get();
      if (both.back() != fresh.size()) return 2;
    }
  }
  say("done");
  return 0;
}

int act(const tutti::world& world, const std::string& what, const std::string& how) {
  if (what == "kill") return kill_one(world, how);
  if (what == "leave") return leave(world);
  if (what == "unwind") return unwind(world);
  if (what == "loop") return loop(world);
  if (what == "rounds") return rounds(world, std::stoi(how));
  if (what == "fork") return forking(world);
  if (what == "storm") return storm(world, std::stoi(how));
  return 64;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    tutti::world world(argc, argv);
    return act(world, argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : "");
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 3;
  }
}
