// SPDX-License-Identifier: BSL-1.0
#include "base/bytes_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>

#include "base/checked.hpp"

namespace tutti {
namespace {

constexpr std::string_view prefixes = "kmgtpe";

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

failure bad(std::string_view text, std::string_view why) {
  return {errc::bad_argument,
          fmt::format("\"{}\" as a number of bytes: {}; write for example 64, 8Ki, 1MiB or 2M", text, why)};
}

/// 1024 or 1000 and how often to multiply by it; no value where `unit` is no unit.
struct scale {
  byte_count base;
  std::size_t power;
};
std::optional<scale> scale_of(std::string_view unit) {
  if (!unit.empty() && lower(unit.back()) == 'b') unit.remove_suffix(1);
  if (unit.empty()) return scale{1, 0};
  const std::size_t power = prefixes.find(lower(unit.front()));
  if (power == std::string_view::npos) return std::nullopt;
  if (unit.size() == 1) return scale{1000, power + 1};
  if (unit.size() == 2 && lower(unit[1]) == 'i') return scale{1024, power + 1};
  return std::nullopt;
}

}  // namespace

result<byte_count> parse_bytes(std::string_view text) {
  byte_count number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range) return bad(text, "it is more than 64 bits can hold");
  if (error != std::errc{}) return bad(text, "it does not start with a whole number");
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  const auto by = scale_of(unit);
  if (!by) return bad(text, fmt::format("\"{}\" is no unit", unit));
  for (std::size_t i = 0; i < by->power; ++i) {
    const auto product = checked_multiply(number, by->base);
    if (!product) return bad(text, "it is more than 64 bits can hold");
    number = *product;
  }
  return number;
}

std::string bytes_text(double bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(units); ++unit) bytes /= 1024;
  return fmt::format("{} {}", std::round(bytes * 1000) / 1000, units[unit]);
}

}  // namespace tutti
