// SPDX-License-Identifier: BSL-1.0
// One call with its types erased: what the thin templates hand to the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <source_location>
#include <string_view>

#include "tutti/core/collective.hpp"

namespace tutti::core {

/// What an element is. `identity` is equal on two ranks exactly if the type is.
struct datatype {
  std::size_t bytes = 0;
  std::uint64_t identity = 0;
  std::string_view name;  ///< static storage
};

/// How vectors are combined, elementwise.
struct reducer {
  /// target[i] = op(..op(op(sources[0][i], sources[1][i]), sources[2][i]).., sources[k-1][i]), i < count,
  /// in exactly this order. `target` may be one of the sources; otherwise they do not overlap. k >= 1
  /// (k == 1 copies). False: the operator threw, and `state` keeps the exception; target is then undefined.
  using fold_function = bool (*)(void* state, void* target, const void* const* sources, std::size_t source_count,
                                 std::size_t count) noexcept;

  fold_function fold = nullptr;
  /// Hands out, once, what the operator threw; nullptr if it cannot throw.
  std::exception_ptr (*take_exception)(void* state) noexcept = nullptr;
  void* state = nullptr;       ///< the operator object; nullptr for the library's own kernels
  std::uint64_t identity = 0;  ///< equal on two ranks exactly if the operator's type is
  std::string_view name;       ///< static storage
  bool commutative = false;    ///< operands may be permuted
  bool associative = true;     ///< operands may be regrouped; false only under left_fold
  bool may_throw = false;      ///< a closing agreement is needed before anyone may report success
};

/// Everything the engine needs to know of one call.
struct call {
  collective what = collective::barrier;
  datatype type;
  reducer combine;
  const void* input = nullptr;  ///< `input_count` elements, never written; equals `output` in place
  void* output = nullptr;       ///< `output_count` elements
  /// Elements of each part of the data (one vector, or one block for each rank): equal on all ranks.
  std::uint64_t count = 0;
  std::uint64_t input_count = 0;   ///< what the caller's input holds on this rank; 0 where it needs none
  std::uint64_t output_count = 0;  ///< what the caller's output holds on this rank; 0 where it gets nothing
  std::int32_t root = 0;           ///< of collectives that have one
  const void* init = nullptr;      ///< one element, of an exclusive_scan that has one; that of rank 0 counts
  std::source_location where;
};

}  // namespace tutti::core
