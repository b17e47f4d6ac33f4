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

/// Names of closures and templates can be longer than a record; what tells them apart is mostly at their ends.
std::string shortened(std::string_view name) {
  constexpr std::size_t longest = 48;
  constexpr std::size_t half = (longest - 3) / 2;
  if (name.size() <= longest) return std::string(name);
  return fmt::format("{}...{}", name.substr(0, half), name.substr(name.size() - half));
}

}  // namespace

std::string describe(const core::call& call, const decision& how) {
  std::string text = to_string(call.what);
  if (call.what != collective::barrier) {
    text += fmt::format(" of {} x {}", call.count, shortened(call.type.name));
  }
  if (has_operator(call.what)) text += fmt::format(" with {}", shortened(call.combine.name));
  if (has_root(call.what)) text += fmt::format(" with root {}", call.root);
  if (how.plan != nullptr) text += fmt::format(" by {}{}", how.plan->id, how.plan->shape);
  if (how.segment_bytes != 0) text += fmt::format(" in segments of {} bytes", how.segment_bytes);
  text += fmt::format(" at {}:{}", file_name(call.where.file_name()), call.where.line());
  return text;
}

}  // namespace tutti::engine
