// SPDX-License-Identifier: BSL-1.0
// What is said at a meeting: one packet each way, then an acknowledgment.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cstdint>
#include <string>

#include "base/descriptor.hpp"
#include "base/ids.hpp"

namespace tutti::worlds {

struct hello {
  static constexpr std::uint64_t expected_magic = 0x6f6c6c65'682d7475;
  std::uint64_t magic = expected_magic;
  std::uint64_t key = 0;
  rank_id rank = 0;
  rank_id size = 0;
};

struct reply {
  static constexpr std::uint64_t expected_magic = 0x796c7065'722d7475;
  std::uint64_t magic = expected_magic;
  std::uint64_t accepted = 0;
  std::array<char, 240> text{};  ///< why not, if not
};

struct acknowledgment {
  std::uint64_t magic = hello::expected_magic;
};

/// A socket address in the abstract name space.
struct abstract_address {
  explicit abstract_address(const std::string& name) noexcept;
  const sockaddr* get() const noexcept { return reinterpret_cast<const sockaddr*>(&address); }

  sockaddr_un address{};
  socklen_t bytes = 0;
};

struct peer_process {
  bool same_user = false;
  pid_t pid = 0;
};
peer_process who_is(int socket) noexcept;

/// Sends the reply, with a descriptor unless it is -1. False if the peer is gone.
bool send_reply(int socket, const reply& what, int memory) noexcept;

/// False if what arrived is no reply. `memory` is set if a descriptor came along.
bool receive_reply(int socket, reply& what, descriptor& memory) noexcept;

}  // namespace tutti::worlds
