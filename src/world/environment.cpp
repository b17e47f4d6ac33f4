// SPDX-License-Identifier: BSL-1.0
#include "world/environment.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdlib>

#include "base/bytes_text.hpp"

namespace tutti::worlds {
namespace {

template <class Integer>
std::optional<Integer> parse_integer(std::string_view text) noexcept {
  Integer value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::string_view> variable(const char* name) noexcept {
  const char* value = std::getenv(name);
  if (value == nullptr) return std::nullopt;
  return value;
}

failure bad_variable(const char* name, std::string_view allowed) {
  return {errc::launch_failed, fmt::format("environment variable {}='{}': must be {}; correct or unset it", name,
                                           variable(name).value_or("").substr(0, 100), allowed)};
}

result<std::optional<std::int64_t>> integer_variable(const char* name, std::int64_t least, std::int64_t most) {
  const auto text = variable(name);
  if (!text) return std::optional<std::int64_t>{};
  const auto value = parse_integer<std::int64_t>(*text);
  if (!value || *value < least || *value > most) {
    return bad_variable(name, fmt::format("an integer from {} to {}", least, most));
  }
  return value;
}

result<byte_count> segment_bytes(rank_id size) {
  const auto text = variable("TUTTI_SEGMENT_BYTES");
  if (!text) return (byte_count{1} << 30) + static_cast<byte_count>(size) * (byte_count{64} << 20);
  const auto bytes = parse_bytes(*text);
  if (!bytes) return bad_variable("TUTTI_SEGMENT_BYTES", "a number of bytes below 2^64 such as 512Mi or 4Gi");
  return bytes.value();
}

result<std::chrono::seconds> start_timeout() {
  auto seconds = integer_variable("TUTTI_START_TIMEOUT", 1, 86400);
  if (!seconds) return std::move(seconds).why();
  return std::chrono::seconds(seconds.value().value_or(60));
}

}  // namespace tutti::worlds
