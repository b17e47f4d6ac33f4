// SPDX-License-Identifier: BSL-1.0
// Numbers as options: CLI11's own bounds let through what is no number at all.
#pragma once

#include <CLI/CLI.hpp>

#include <cmath>
#include <string>

namespace tutti::tools {

/// A finite number, least <= number <= most.
inline CLI::Validator finite_between(double least, double most) {
  const auto wrong = [=](std::string& text) -> std::string {
    double number = 0;
    if (!CLI::detail::lexical_cast(text, number) || !std::isfinite(number)) return "`" + text + "` is no finite number";
    if (number < least || number > most)
      return text + " is not in the range " + CLI::detail::to_string(least) + " to " + CLI::detail::to_string(most);
    return {};
  };
  return CLI::Validator(wrong, "");
}

}  // namespace tutti::tools
