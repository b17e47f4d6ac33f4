// SPDX-License-Identifier: BSL-1.0
// One rank's vectors: one pair for each call of a batch, so that every call finds its own, freshly written.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "bench/plan.hpp"
#include "tutti/communicator.hpp"
#include "tutti/options.hpp"

namespace tutti::benching {

class buffers {
 public:
  buffers(const plan& of, rank_id rank, byte_count bytes);

  /// Makes room for batches of `calls`.
  void reserve(int calls);
  /// Before a batch: spoils the outputs, so that a result of an earlier call is never taken for this one's. Dirty:
  /// writes the inputs anew, last, so that they lie in their owner's cache.
  void prepare(int calls, bool dirty);
  /// The call itself, on the pair of that number.
  void run(int call, const communicator& comm, const options& wishes);
  /// Of every element of a batch: empty, or what the first wrong one is.
  std::string first_error(int calls) const;

 private:
  struct pair {
    std::vector<element> in;
    std::vector<element> out;  ///< empty in place
  };

  element input(std::size_t index) const noexcept;
  element expected(std::size_t index) const noexcept;
  void fill(std::vector<element>& vector) const noexcept;

  const plan* plan_;
  rank_id rank_;
  std::size_t count_;
  std::vector<pair> pairs_;
};

}  // namespace tutti::benching
