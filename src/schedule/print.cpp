// SPDX-License-Identifier: BSL-1.0
#include <fmt/format.h>

#include <iterator>

#include "schedule/text.hpp"

namespace tutti::schedules {

namespace {

using out = std::back_insert_iterator<std::string>;

const char* name_of(buffer where) {
  switch (where) {
    case buffer::input: return "input";
    case buffer::output: return "output";
    case buffer::staging: return "staging";
    case buffer::scratch: return "scratch";
  }
  return "unknown";
}

/// In quotes; quotes, backslashes and control characters escaped, so that a label stays on its line.
void print_label(std::string& text, std::string_view label) {
  text += '"';
  for (const char c : label) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      fmt::format_to(out(text), "\\x{:02x}", byte);
    } else {
      text += c;
    }
  }
  text += '"';
}

std::string listed(std::span<const slice> slices) {
  std::string text;
  for (const slice& s : slices) text += (text.empty() ? "" : ", ") + to_text(s);
  return text;
}

std::string parts_of(const schedule& all, const step& message) {
  std::string text;
  for_each_part(all, message, [&](const slice& part) { text += (text.empty() ? "" : ", ") + to_text(part); });
  return text;
}

void print_action(std::string& text, const schedule& all, const step& s) {
  switch (s.kind) {
    case step_kind::send:
      fmt::format_to(out(text), "send {} to {}", parts_of(all, s), fmt::join(all.peers_of(s), ", "));
      return;
    case step_kind::receive:
      fmt::format_to(out(text), "receive {} from {}", parts_of(all, s), fmt::join(all.peers_of(s), ", "));
      return;
    case step_kind::reduce:
      fmt::format_to(out(text), "reduce {} = {}", to_text(s.target), listed(all.operands_of(s)));
      return;
    case step_kind::copy:
      fmt::format_to(out(text), "copy {} = {}", to_text(s.target), listed(all.operands_of(s)));
      return;
  }
}

}  // namespace

std::string to_text(const slice& what) {
  std::string text = name_of(what.where);
  if (what.where == buffer::scratch) text += fmt::format("@{}", what.at);
  if (what.count == 1) return fmt::format("{}[{}]", text, what.first);
  return fmt::format("{}[{}..{}]", text, what.first, std::int64_t{what.first} + what.count - 1);
}

std::string to_text(const schedule& what) {
  std::string text = fmt::format("schedule size {} rank {} blocks {} scratch {}\n", what.size, what.me, what.blocks,
                                 what.scratch_slots);
  std::size_t printed = 0;
  const auto print_stages = [&](std::size_t end) {
    for (; printed < end; ++printed) {
      text += "stage ";
      print_label(text, what.stages[printed]);
      text += '\n';
    }
  };
  for (std::size_t i = 0; i < what.steps.size(); ++i) {
    const step& s = what.steps[i];
    print_stages(std::size_t{s.stage} + 1);
    fmt::format_to(out(text), "{}: ", i);
    print_action(text, what, s);
    if (s.after.count != 0) fmt::format_to(out(text), " after {}", fmt::join(what.after_of(s), ", "));
    text += '\n';
  }
  print_stages(what.stages.size());
  return text;
}

}  // namespace tutti::schedules
