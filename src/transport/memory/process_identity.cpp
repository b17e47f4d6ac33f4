// SPDX-License-Identifier: BSL-1.0
#include "transport/memory/process_identity.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/descriptor.hpp"

namespace tutti::memory {

std::optional<process_facts> look_up_process(pid_t pid) noexcept {
  std::array<char, 32> path{};
  std::snprintf(path.data(), path.size(), "/proc/%d/stat", pid);
  const descriptor file(open(path.data(), O_RDONLY | O_CLOEXEC));
  if (!file) return std::nullopt;
  std::array<char, 1024> text{};
  if (read(file.get(), text.data(), text.size() - 1) <= 0) return std::nullopt;
  // The program's name stands in parentheses and may itself hold spaces and parentheses.
  const char* field = std::strrchr(text.data(), ')');
  if (field == nullptr || field[1] != ' ') return std::nullopt;
  process_facts facts;
  field += 2;
  facts.ended = *field == 'Z' || *field == 'X';
  for (int number = 3; number < 22; ++number) {
    field = std::strchr(field, ' ');
    if (field == nullptr) return std::nullopt;
    ++field;
    if (number + 1 == 4) facts.parent = static_cast<pid_t>(std::strtol(field, nullptr, 10));
  }
  facts.start_time = std::strtoull(field, nullptr, 10);
  return facts;
}

bool may_be_running(pid_t pid, std::uint64_t start_time) noexcept {
  if (kill(pid, 0) != 0 && errno == ESRCH) return false;
  const auto facts = look_up_process(pid);
  if (!facts) return kill(pid, 0) == 0 || errno != ESRCH;  // without /proc only the pid speaks
  return !facts->ended && facts->start_time == start_time;
}

}  // namespace tutti::memory
