// SPDX-License-Identifier: BSL-1.0
// What the tests of docs/pains.md share.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "algorithms/registry.hpp"
#include "support/run_command.hpp"
#include "tutti/tutti.hpp"

namespace tutti::test {

inline const std::string tutti_command = TUTTI_TEST_BIN_DIR "/tutti";

inline std::string program(const std::string& name) { return TUTTI_TEST_BIN_DIR "/tests/" + name; }

/// The words of `tutti run -n RANKS PROGRAM ARGUMENTS...`.
inline std::vector<std::string> job_of(int ranks, const std::string& name, std::vector<std::string> arguments = {}) {
  std::vector<std::string> words{tutti_command, "run", "-n", std::to_string(ranks), program(name)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

inline command_result run_job(int ranks, const std::string& name, std::vector<std::string> arguments = {}) {
  return run_command(job_of(ranks, name, std::move(arguments)));
}

inline std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

/// Until `count` lines have been written; false if the program ends first.
inline bool await_lines(const command& one, std::size_t count) {
  while (lines_of(one.out()).size() < count) {
    siginfo_t ended{};
    waitid(P_PID, static_cast<id_t>(one.pid()), &ended, WEXITED | WNOHANG | WNOWAIT);
    if (ended.si_pid != 0) return false;
    std::this_thread::yield();
  }
  return true;
}

inline bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// Every algorithm of all_reduce.
inline std::vector<const algorithms::algorithm*> all_reduces() {
  std::vector<const algorithms::algorithm*> found;
  for (const auto& one : algorithms::all()) {
    if (one.what == collective::all_reduce) found.push_back(&one);
  }
  return found;
}

/// Those that keep the order of the ranks.
inline std::vector<const algorithms::algorithm*> ordered_all_reduces() {
  auto found = all_reduces();
  std::erase_if(found, [](const auto* one) { return one->order == algorithms::operand_order::any; });
  return found;
}

inline options forced(const algorithms::algorithm& which) { return {.algorithm = which.id}; }

/// What `call` throws, as the library's error; fails the test if it throws none.
template <class Call>
error error_of(Call call) {
  try {
    call();
  } catch (const error& e) {
    return e;
  }
  ADD_FAILURE() << "no error";
  return {errc::success, ""};
}

/// Product of 2x2 matrices, modulo 2^32: associative, not commutative.
struct matrix {
  std::uint32_t a = 1, b = 0, c = 0, d = 1;
  friend constexpr matrix operator*(const matrix& x, const matrix& y) noexcept {
    return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
  }
  friend constexpr bool operator==(const matrix&, const matrix&) = default;
};
inline constexpr auto product = [](const matrix& x, const matrix& y) noexcept { return x * y; };

/// What rank `rank` contributes at place `index`.
constexpr matrix matrix_at(int rank, std::size_t index) noexcept {
  const auto r = static_cast<std::uint32_t>(rank);
  const auto i = static_cast<std::uint32_t>(index);
  return {r + 2, i + 1, r * r + 1, 2 * i + r + 3};
}
inline matrix product_at(int size, std::size_t index) noexcept {
  matrix all = matrix_at(0, index);
  for (int rank = 1; rank < size; ++rank) all = all * matrix_at(rank, index);
  return all;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// Repetitions, fewer where every access is instrumented.
constexpr int times(int n) { return sanitized ? n / 10 : n; }

}  // namespace tutti::test
