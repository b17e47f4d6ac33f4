// SPDX-License-Identifier: BSL-1.0
// One rank's data: its own for each call of a batch, so that every call finds it freshly written.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bench/plan.hpp"
#include "schedule/assignment.hpp"
#include "tutti/communicator.hpp"
#include "tutti/core/call.hpp"
#include "tutti/options.hpp"

namespace tutti::benching {

class buffers {
 public:
  /// `bytes`: of a part of the data, which is one vector or a block for each rank.
  buffers(const plan& of, rank_id rank, byte_count bytes);

  /// Makes room for batches of `calls`.
  void reserve(int calls);
  /// Before a batch: spoils the outputs, so that a result of an earlier call is never taken for this one's. Dirty:
  /// writes the inputs anew, last, so that they lie in their owner's cache.
  void prepare(int calls, bool dirty);
  /// The call itself, on the data of that number.
  void run(int call, const communicator& comm, const options& wishes);
  /// Of every element of a batch: empty, or what the first wrong one is.
  std::string first_error(int calls);

 private:
  /// In place the wider one is both, and the other empty.
  struct pair {
    std::vector<element> in;
    std::vector<element> out;
  };

  std::size_t elements_of(const schedules::holding& held) const noexcept;
  bool one_place() const noexcept;
  element* input_of(pair& of) const noexcept;
  element* output_of(pair& of) const noexcept;
  void fill(pair& of) const noexcept;

  const plan* plan_;
  rank_id rank_;
  std::size_t count_;
  schedules::assignment who_;
  schedules::holding in_;
  schedules::holding out_;
  std::vector<pair> pairs_;
};

}  // namespace tutti::benching
