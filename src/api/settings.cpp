// SPDX-License-Identifier: BSL-1.0
#include "api/settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "base/cores.hpp"
#include "base/waiter.hpp"
#include "kernels/kernel_table.hpp"
#include "world/environment.hpp"

namespace tutti::core {
namespace {

constexpr double longest_drain_seconds = 86400;

}  // namespace

result<bool> progress_thread_setting() {
  auto wish = worlds::integer_variable("TUTTI_PROGRESS_THREAD", 0, 1);
  if (!wish) return std::move(wish).why();
  return wish.value().value_or(0) == 1;
}

result<std::chrono::duration<double>> drain_setting() {
  constexpr const char* name = "TUTTI_DRAIN_SECONDS";
  const auto text = worlds::variable(name);
  if (!text) return settings{}.drain;
  double seconds = -1;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), seconds);
  const bool is_number = error == std::errc{} && end == text->data() + text->size();
  if (!is_number || !(seconds >= 0 && seconds <= longest_drain_seconds)) {
    return worlds::bad_variable(name, fmt::format("a number of seconds from 0 to {}", longest_drain_seconds));
  }
  return std::chrono::duration<double>(seconds);
}

status check_wait_setting() {
  if (wait_setting_from_environment().known) return {};
  using enum wait_policy;
  return worlds::bad_variable("TUTTI_WAIT", fmt::format("one of {}, {}, {}, {}", to_string(adaptive), to_string(spin),
                                                        to_string(wait_policy::yield), to_string(wait_policy::sleep)));
}

status check_cores_setting() {
  auto cores = worlds::integer_variable("TUTTI_CORES", 1, most_cores);
  if (!cores) return std::move(cores).why();
  return {};
}

status check_kernels_setting() {
  using enum kernels::instruction_set;
  std::vector<std::string_view> on_this_machine;
  for (const auto set : {baseline, avx2, avx512}) {
    if (kernels::table_of(set) != nullptr) on_this_machine.push_back(kernels::to_string(set));
  }
  constexpr const char* name = "TUTTI_KERNELS";
  const auto text = worlds::variable(name);
  if (!text || std::find(on_this_machine.begin(), on_this_machine.end(), *text) != on_this_machine.end()) return {};
  failure why = worlds::bad_variable(name, fmt::format("one of {}", fmt::join(on_this_machine, ", ")));
  why.text += " (what this processor and this build have)";
  return why;
}

result<settings> read_settings() {
  for (const auto check : {check_wait_setting, check_cores_setting, check_kernels_setting}) {
    if (status understood = check(); !understood) return std::move(understood).why();
  }
  if (auto bytes = worlds::segment_bytes(1); !bytes) return std::move(bytes).why();
  if (auto timeout = worlds::start_timeout(); !timeout) return std::move(timeout).why();
  auto progress_thread = progress_thread_setting();
  if (!progress_thread) return std::move(progress_thread).why();
  auto drain = drain_setting();
  if (!drain) return std::move(drain).why();
  return settings{progress_thread.value(), drain.value()};
}

}  // namespace tutti::core
