// SPDX-License-Identifier: BSL-1.0
#include "world/rendezvous_message.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace tutti::worlds {

abstract_address::abstract_address(const std::string& name) noexcept {
  address.sun_family = AF_UNIX;
  const std::size_t length = std::min(name.size(), sizeof address.sun_path);
  std::memcpy(address.sun_path, name.data(), length);
  bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + length);
}

peer_process who_is(int socket) noexcept {
  ucred credentials{};
  socklen_t length = sizeof credentials;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) return {};
  return {credentials.uid == geteuid(), credentials.pid};
}

bool send_reply(int socket, const reply& what, int memory) noexcept {
  iovec part{const_cast<reply*>(&what), sizeof what};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (memory >= 0) {
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof memory);
    std::memcpy(CMSG_DATA(header), &memory, sizeof memory);
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof what;
}

bool receive_reply(int socket, reply& what, descriptor& memory) noexcept {
  iovec part{&what, sizeof what};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  const cmsghdr* header = got < 0 ? nullptr : CMSG_FIRSTHDR(&message);
  if (header != nullptr && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
      header->cmsg_len == CMSG_LEN(sizeof(int))) {
    int number = -1;
    std::memcpy(&number, CMSG_DATA(header), sizeof number);
    memory = descriptor(number);
  }
  return got == sizeof what && what.magic == reply::expected_magic;
}

}  // namespace tutti::worlds
