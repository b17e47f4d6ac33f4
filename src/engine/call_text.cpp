// SPDX-License-Identifier: BSL-1.0
#include "engine/call_text.hpp"

#include <fmt/format.h>

#include <string_view>

namespace tutti::engine {
namespace {

std::string_view file_name(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace

std::string describe(const core::call& call, const std::string& algorithm) {
  std::string text = to_string(call.what);
  if (call.what != collective::barrier) {
    text += fmt::format(" of {} x {} with {}", call.count, call.type.name, call.combine.name);
  }
  if (!algorithm.empty()) text += fmt::format(" by {}", algorithm);
  text += fmt::format(" at {}:{}", file_name(call.where.file_name()), call.where.line());
  return text;
}

}  // namespace tutti::engine
