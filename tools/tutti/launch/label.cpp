// SPDX-License-Identifier: BSL-1.0
#include "label.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <array>
#include <cerrno>

namespace tutti::launching {
namespace {

constexpr std::size_t longest_line = 1024 * 1024;

bool write_all(int target, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(target, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

labeled_stream::labeled_stream(descriptor source, int target, rank_id rank)
    : source_(std::move(source)), target_(target), prefix_(fmt::format("[{}] ", rank)) {}

void labeled_stream::pump() {
  std::array<char, 65536> part{};
  const ssize_t got = read(source_.get(), part.data(), part.size());
  if (got < 0 && errno == EINTR) return;
  if (got <= 0) return finish();
  pending_.append(part.data(), static_cast<std::size_t>(got));
  const auto last = pending_.rfind('\n');
  if (last != std::string::npos) {
    pass_on(std::string_view(pending_).substr(0, last + 1));
    pending_.erase(0, last + 1);
  } else if (pending_.size() > longest_line) {
    pass_on(pending_ + '\n');
    pending_.clear();
  }
}

void labeled_stream::pass_on(std::string_view lines) {
  std::string text;
  while (!lines.empty()) {
    const auto end = lines.find('\n') + 1;
    text += prefix_;
    text += lines.substr(0, end);
    lines.remove_prefix(end);
  }
  // One reader less: closing tells the rank by SIGPIPE, as without the label.
  if (!write_all(target_, text)) source_.reset();
}

void labeled_stream::finish() {
  if (!pending_.empty()) pass_on(pending_ + '\n');
  pending_.clear();
  source_.reset();
}

}  // namespace tutti::launching
