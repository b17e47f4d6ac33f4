// SPDX-License-Identifier: BSL-1.0
// Reads one line of a schedule's text, token by token. The first thing that does not fit is remembered;
// from then on every read fails, so callers may check once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "schedule/schedule.hpp"

namespace tutti::schedules {

class line_reader {
 public:
  explicit line_reader(std::string_view line) : rest_(line) {}

  bool failed() const { return !reason_.empty(); }
  const std::string& reason() const { return reason_; }
  void fail(std::string reason);

  bool at_end();
  /// Takes `mark` if it comes next, and says whether it did. A mark of letters is a whole word.
  bool takes(std::string_view mark);
  void expect(std::string_view mark);
  /// Decimal digits, no sign, no leading zero, least <= value <= most. `what` names it in errors.
  std::int32_t number(const char* what, std::int64_t least, std::int64_t most);
  std::string label();
  /// A slice of a vector of `blocks` blocks or of `slots` scratch slots.
  slice read_slice(std::int32_t blocks, std::int32_t slots);

 private:
  void skip_spaces();
  std::string found() const;
  int hexadecimal_byte();

  std::string_view rest_;
  std::string reason_;
};

}  // namespace tutti::schedules
