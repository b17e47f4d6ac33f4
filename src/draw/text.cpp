// SPDX-License-Identifier: BSL-1.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "draw/trace.hpp"

namespace tutti::draw {
namespace {

/// "", " owns nothing", " owns [3 3] at 0..1", " owns [5] at 0 and [7 7] at 2..3".
std::string ownership(const cell& c) {
  if (std::all_of(c.owned.begin(), c.owned.end(), [](bool owned) { return owned; })) return "";
  std::string text;
  for (std::size_t begin = 0; begin < c.owned.size();) {
    std::size_t end = begin + 1;
    while (end < c.owned.size() && c.owned[end] == c.owned[begin]) ++end;
    if (c.owned[begin]) {
      const std::vector<double> part(c.values.begin() + static_cast<std::ptrdiff_t>(begin),
                                     c.values.begin() + static_cast<std::ptrdiff_t>(end));
      const std::string where = end - begin == 1 ? fmt::format("{}", begin) : fmt::format("{}..{}", begin, end - 1);
      text += fmt::format("{} [{}] at {}", text.empty() ? "  owns" : " and", fmt::join(part, " "), where);
    }
    begin = end;
  }
  return text.empty() ? "  owns nothing" : text;
}

}  // namespace

std::string text_of(const cell& c) {
  if (!c.holds) return "?";
  std::string text;
  for (std::size_t i = 0; i < c.values.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : " ", c.defined[i] ? fmt::format("{}", c.values[i]) : "?");
  }
  return '[' + text + ']';
}

std::string text_of(const trace& t) {
  std::string text;
  for (const frame& f : t.frames) {
    text += (text.empty() ? "" : "\n") + f.stage + "\n";
    for (std::size_t r = 0; r < f.ranks.size(); ++r) {
      text += fmt::format("{:<4}{}{}{}\n", fmt::format("r{}", r), t.what == collective::barrier ? "knows " : "",
                          text_of(f.ranks[r]), ownership(f.ranks[r]));
    }
  }
  return text;
}

}  // namespace tutti::draw
