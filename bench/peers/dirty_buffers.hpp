// SPDX-License-Identifier: BSL-1.0
// What the calls of one batch work on: an input and an output of its own for each call, so that every call
// meets an input that its owner has just rewritten, and no rewriting falls into the time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace peers {

class dirty_buffers {
 public:
  /// For up to `calls` calls of `count` doubles each.
  dirty_buffers(int calls, std::size_t count);

  /// Writes every input of a batch anew: a function of call, element, rank and round, the same nowhere else.
  void rewrite(int calls, int rank, std::uint64_t round);
  /// Empty if every element of every output is the sum over `size` ranks; else the first that is not.
  std::string first_wrong(int calls, int size, std::uint64_t round) const;

  const double* input(int call) const noexcept { return inputs_ + static_cast<std::size_t>(call) * stride_; }
  double* output(int call) noexcept { return outputs_ + static_cast<std::size_t>(call) * stride_; }
  std::size_t count() const noexcept { return count_; }

 private:
  std::size_t count_;
  std::size_t stride_;  // in doubles: whole cache lines
  std::vector<double> storage_;
  double* inputs_;
  double* outputs_;
};

}  // namespace peers
