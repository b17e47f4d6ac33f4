// SPDX-License-Identifier: BSL-1.0
#include "select/choose.hpp"

#include <fmt/format.h>

namespace tutti::select {
namespace {

using algorithms::algorithm;

struct candidates {
  const algorithm* direct = algorithms::find("all_reduce/direct");
  const algorithm* sliced = algorithms::find("all_reduce/sliced");
  const algorithm* barrier = algorithms::find("barrier/direct");
};

const candidates& known() noexcept {
  static const candidates all;
  return all;
}

/// Up to here one hop and P-1 vectors to read cost less than two hops and 2(P-1)/P vectors. Measured with
/// `tutti bench all_reduce --algorithms all`; the product of ranks and bytes is what moves through the caches.
constexpr byte_count direct_volume = byte_count{512} << 10;

}  // namespace

choice choose(const facts& call) noexcept {
  if (call.size == 1) {
    return {call.what == collective::barrier ? known().barrier : known().direct, "one rank: nobody to talk to"};
  }
  if (call.what == collective::barrier) return {known().barrier, "one hop, and no data to move"};
  if (call.size <= 2) return {known().direct, "two ranks: one hop, each vector crosses once"};
  if (call.bytes <= direct_volume / static_cast<byte_count>(call.size)) {
    return {known().direct, "short vector: one hop is worth reading every rank's"};
  }
  return {known().sliced, "long vector: each rank folds one slice, so little is moved twice"};
}

result<choice> force(std::string_view id, const facts& call) {
  auto found = algorithms::require(id);
  if (!found) return std::move(found).why();
  const algorithm& wanted = *found.value();
  if (wanted.what != call.what) {
    return failure{errc::not_applicable,
                   fmt::format("algorithm {} cannot serve {}; see `tutti list`", wanted.id, to_string(call.what))};
  }
  if (call.what != collective::barrier && call.size > 1) {
    if (!call.associative && wanted.order != algorithms::operand_order::left_fold) {
      return failure{
          errc::not_applicable,
          fmt::format("algorithm {} regroups the operands, but a left fold was asked for; use one that keeps it, "
                      "such as all_reduce/direct, sliced or flat",
                      wanted.id)};
    }
    if (!call.commutative && wanted.order == algorithms::operand_order::any) {
      return failure{
          errc::not_applicable,
          fmt::format("algorithm {} permutes the operands, but the operator is not declared commutative; wrap it "
                      "in tutti::commutative(...) if it is, or use an algorithm that keeps rank order",
                      wanted.id)};
    }
  }
  return choice{&wanted, "forced by the caller"};
}

}  // namespace tutti::select
