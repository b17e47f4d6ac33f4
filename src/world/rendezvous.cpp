// SPDX-License-Identifier: BSL-1.0
#include "world/rendezvous.hpp"

#include <fmt/format.h>

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>
#include <vector>

#include "world/rendezvous_message.hpp"

namespace tutti::worlds {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// Rounded up, so that a poll never ends just before the deadline.
int remaining(steady_clock::time_point deadline) {
  const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now());
  return static_cast<int>(std::clamp<milliseconds::rep>(left.count(), 0, 3'600'000));
}

struct visitor {
  descriptor socket;
  rank_id rank = -1;  ///< once it has said hello and got the memory
};

class host {
 public:
  host(const meeting& at, int memory) : at_(at), memory_(memory), pids_(static_cast<std::size_t>(at.size), 0) {}

  status run() {
    if (status listening = listen_somewhere(); !listening) return listening;
    missing_ = at_.size - 1;
    while (missing_ > 0) {
      const int wait = remaining(at_.deadline);
      if (wait == 0) return timed_out();
      serve_ready(wait);
    }
    return {};
  }

 private:
  // Descriptors held at a time; further visitors wait in the listener's queue.
  static constexpr std::size_t most_visitors = 64;

  status listen_somewhere() {
    int error = 0;
    for (int attempt = 0; attempt < meeting_names; ++attempt) {
      descriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
      const abstract_address address(meeting_name(at_.key, attempt));
      if (socket && bind(socket.get(), address.get(), address.bytes) == 0 && listen(socket.get(), SOMAXCONN) == 0) {
        listener_ = std::move(socket);
        return {};
      }
      error = errno;
    }
    return failure{errc::launch_failed,
                   fmt::format("rank 0 of {} ({}) cannot open a socket for the other ranks: {} ({} names tried)",
                               at_.size, at_.origin, std::strerror(error), meeting_names)};
  }

  void serve_ready(int wait) {
    std::vector<pollfd> watched;
    watched.reserve(visitors_.size() + 1);
    for (const visitor& one : visitors_) watched.push_back({one.socket.get(), POLLIN, 0});
    if (visitors_.size() < most_visitors) watched.push_back({listener_.get(), POLLIN, 0});
    if (poll(watched.data(), watched.size(), wait) <= 0) return;
    for (std::size_t i = visitors_.size(); i-- > 0;) {
      if (watched[i].revents != 0 && !hear(visitors_[i]))
        visitors_.erase(visitors_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (watched.back().fd == listener_.get() && watched.back().revents != 0) let_in();
  }

  void let_in() {
    descriptor socket(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (socket && who_is(socket.get()).same_user) visitors_.push_back({std::move(socket), -1});
  }

  /// False if the conversation is over.
  bool hear(visitor& one) {
    hello said;
    const ssize_t got = recv(one.socket.get(), &said, sizeof said, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return true;
    if (one.rank >= 0) {
      if (got == sizeof(acknowledgment)) {
        --missing_;
      } else {
        pids_[static_cast<std::size_t>(one.rank)] = 0;  // it gave up and may come again
      }
      return false;
    }
    if (got != sizeof said || said.magic != hello::expected_magic || said.key != at_.key) return false;
    return answer(one, said);
  }

  bool answer(visitor& one, const hello& said) {
    reply words;
    std::string refusal;
    if (said.size != at_.size || said.rank < 1 || said.rank >= at_.size) {
      refusal = fmt::format("rank {} of {} does not belong to this job of {} ranks", said.rank, said.size, at_.size);
    } else if (const pid_t holder = pids_[static_cast<std::size_t>(said.rank)]; holder != 0) {
      refusal = fmt::format("rank {} has already joined as process {}", said.rank, holder);
    }
    words.accepted = refusal.empty() ? 1 : 0;
    std::memcpy(words.text.data(), refusal.data(), std::min(refusal.size(), words.text.size() - 1));
    if (!send_reply(one.socket.get(), words, refusal.empty() ? memory_ : -1) || !refusal.empty()) return false;
    one.rank = said.rank;
    pids_[static_cast<std::size_t>(said.rank)] = who_is(one.socket.get()).pid;
    return true;
  }

  status timed_out() const {
    std::string names;
    for (std::size_t rank = 1; rank < pids_.size(); ++rank) {
      if (pids_[rank] == 0) names += fmt::format("{}{}", names.empty() ? "" : ", ", rank);
    }
    return failure{
        errc::launch_failed,
        fmt::format("start of {} ranks ({}): rank {} did not join in time; see why they did not start, or raise "
                    "TUTTI_START_TIMEOUT (seconds)",
                    at_.size, at_.origin, names)};
  }

  const meeting& at_;
  int memory_;
  descriptor listener_;
  std::vector<visitor> visitors_;
  std::vector<pid_t> pids_;  ///< by rank, 0: has not come
  rank_id missing_ = 0;
};

enum class outcome { met, refused, nobody };

/// One attempt at one name. Strangers and silence count as nobody.
outcome knock(const meeting& at, int attempt, descriptor& memory, std::string& refusal) {
  descriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const abstract_address address(meeting_name(at.key, attempt));
  if (!socket || connect(socket.get(), address.get(), address.bytes) != 0) return outcome::nobody;
  if (!who_is(socket.get()).same_user) return outcome::nobody;
  const hello words{.key = at.key, .rank = at.rank, .size = at.size};
  if (send(socket.get(), &words, sizeof words, MSG_NOSIGNAL) != sizeof words) return outcome::nobody;
  // Long enough for a busy rank 0, short enough to pass over a process that only squats the name.
  pollfd watched{socket.get(), POLLIN, 0};
  if (poll(&watched, 1, std::min(remaining(at.deadline), 3000)) != 1) return outcome::nobody;
  reply answer;
  if (!receive_reply(socket.get(), answer, memory)) return outcome::nobody;
  if (answer.accepted == 0) {
    refusal.assign(answer.text.data(), strnlen(answer.text.data(), answer.text.size()));
    return outcome::refused;
  }
  const acknowledgment thanks;
  if (!memory || send(socket.get(), &thanks, sizeof thanks, MSG_NOSIGNAL) != sizeof thanks) return outcome::nobody;
  return outcome::met;
}

}  // namespace

std::string meeting_name(std::uint64_t key, int attempt) {
  return '\0' + fmt::format("tutti-{:016x}-{}", key, attempt);
}

status host_meeting(const meeting& at, int memory) { return host(at, memory).run(); }

result<descriptor> attend_meeting(const meeting& at) {
  milliseconds pause(1);
  while (remaining(at.deadline) > 0) {
    for (int attempt = 0; attempt < meeting_names; ++attempt) {
      descriptor memory;
      std::string refusal;
      switch (knock(at, attempt, memory, refusal)) {
        case outcome::met: return memory;
        case outcome::refused:
          return failure{errc::launch_failed, fmt::format("rank {} of {} ({}) was refused by rank 0: {}", at.rank,
                                                          at.size, at.origin, refusal)};
        case outcome::nobody: break;
      }
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, milliseconds(50));
  }
  return failure{
      errc::launch_failed,
      fmt::format("start of {} ranks ({}): rank {} did not find rank 0 in time; see why rank 0 did not start, or "
                  "raise TUTTI_START_TIMEOUT (seconds)",
                  at.size, at.origin, at.rank)};
}

}  // namespace tutti::worlds
