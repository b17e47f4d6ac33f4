// SPDX-License-Identifier: BSL-1.0
#include "schedule/line_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tutti::schedules {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace

void line_reader::fail(std::string reason) {
  if (!failed()) reason_ = std::move(reason);
}

void line_reader::skip_spaces() {
  const std::size_t first = rest_.find_first_not_of(" \t");
  rest_.remove_prefix(first == std::string_view::npos ? rest_.size() : first);
}

/// The next few characters, printable.
std::string line_reader::found() const {
  if (rest_.empty()) return "the end of the line";
  constexpr std::size_t shown = 16;
  std::string text(rest_.substr(0, shown));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return fmt::format("\"{}\"{}", text, rest_.size() > shown ? ".." : "");
}

bool line_reader::at_end() {
  skip_spaces();
  return rest_.empty();
}

bool line_reader::takes(std::string_view mark) {
  if (failed()) return false;
  skip_spaces();
  if (!rest_.starts_with(mark)) return false;
  if (is_letter(mark.back()) && rest_.size() > mark.size() && is_letter(rest_[mark.size()])) return false;
  rest_.remove_prefix(mark.size());
  return true;
}

void line_reader::expect(std::string_view mark) {
  if (!takes(mark)) fail(fmt::format("expected \"{}\", found {}", mark, found()));
}

std::int32_t line_reader::number(const char* what, std::int64_t least, std::int64_t most) {
  if (failed()) return 0;
  skip_spaces();
  const auto length = static_cast<std::size_t>(std::find_if_not(rest_.begin(), rest_.end(), is_digit) - rest_.begin());
  if (length == 0 || (length > 1 && rest_.front() == '0')) {
    fail(fmt::format("expected {}, a number without leading zeros, found {}", what, found()));
    return 0;
  }
  constexpr std::size_t longest = 10;  // digits of INT32_MAX
  std::int64_t value = length > longest ? INT64_MAX : 0;
  if (length <= longest) {
    for (const char digit : rest_.substr(0, length)) value = 10 * value + (digit - '0');
  }
  if (value < least || value > most) {
    if (most < least) {
      fail(fmt::format("{} is {}, but none is possible here", what, found()));
    } else {
      fail(fmt::format("{} must be in {}..{}, found {}", what, least, most, found()));
    }
    return 0;
  }
  rest_.remove_prefix(length);
  return static_cast<std::int32_t>(value);
}

/// The byte after "\x", or -1.
int line_reader::hexadecimal_byte() {
  constexpr std::string_view digits = "0123456789abcdef";
  if (rest_.size() < 2) return -1;
  const std::size_t high = digits.find(rest_[0]);
  const std::size_t low = digits.find(rest_[1]);
  if (high == std::string_view::npos || low == std::string_view::npos) return -1;
  rest_.remove_prefix(2);
  return static_cast<int>(16 * high + low);
}

std::string line_reader::label() {
  std::string text;
  expect("\"");
  while (!failed()) {
    if (rest_.empty()) {
      fail("the label has no closing quote");
      break;
    }
    const char c = rest_.front();
    rest_.remove_prefix(1);
    if (c == '"') break;
    if (c != '\\') {
      text += c;
      continue;
    }
    const char escaped = rest_.empty() ? '\0' : rest_.front();
    if (!rest_.empty()) rest_.remove_prefix(1);
    const int byte = escaped == 'x' ? hexadecimal_byte() : escaped == '"' || escaped == '\\' ? escaped : -1;
    if (byte < 0) fail("in a label a backslash begins \\\", \\\\ or \\x and two of 0-9a-f");
    text += static_cast<char>(byte);
  }
  return text;
}

slice line_reader::read_slice(std::int32_t blocks, std::int32_t slots) {
  slice made;
  if (takes("input")) {
    made.where = buffer::input;
  } else if (takes("output")) {
    made.where = buffer::output;
  } else if (takes("staging")) {
    made.where = buffer::staging;
  } else if (takes("scratch")) {
    made.where = buffer::scratch;
    expect("@");
    made.at = number("the scratch slot", 0, std::int64_t{slots} - 1);
  } else {
    fail(fmt::format("expected a slice (input[..], output[..], staging[..] or scratch@slot[..]), found {}", found()));
  }
  expect("[");
  made.first = number("the first block", 0, std::int64_t{blocks} - 1);
  if (takes("..")) {
    made.count = number("the last block", made.first, std::int64_t{blocks} - 1) - made.first + 1;
  }
  expect("]");
  if (made.where != buffer::scratch) {
    made.at = made.first;
  } else if (std::int64_t{made.at} + made.count > slots) {
    fail(fmt::format("{} blocks at scratch slot {} go beyond the {} slots", made.count, made.at, slots));
  }
  return made;
}

}  // namespace tutti::schedules
