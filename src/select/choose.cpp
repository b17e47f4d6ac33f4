// SPDX-License-Identifier: BSL-1.0
#include "select/choose.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <limits>

#include "base/checked.hpp"

namespace tutti::select {
namespace {

using algorithms::algorithm;

/// What serves a collective: short data, long data, and operators that want a strict fold from the left.
struct candidates {
  const algorithm* brief = nullptr;
  const algorithm* lengthy = nullptr;
  const algorithm* strict = nullptr;
  byte_count longest_brief = 0;  ///< bytes of a part, times ranks
  const char* brief_reason = "";
  const char* lengthy_reason = "";
};

/// Up to here one hop and P-1 vectors to read cost less than two hops and 2(P-1)/P vectors. Measured with
/// `tutti bench all_reduce --algorithms all`; the product of ranks and bytes is what moves through the caches.
constexpr byte_count direct_volume = byte_count{512} << 10;
constexpr byte_count any_volume = std::numeric_limits<byte_count>::max();

candidates candidates_for(collective what) {
  const auto named = [what](std::string_view name) {
    return algorithms::find(fmt::format("{}/{}", to_string(what), name));
  };
  switch (what) {
    case collective::all_reduce:
      return {named("direct"),
              named("sliced"),
              named("direct"),
              direct_volume,
              "short vector: one hop is worth reading every rank's",
              "long vector: each rank folds one slice, so little is moved twice"};
    case collective::barrier:
      return {named("direct"), named("direct"), named("direct"), any_volume, "one hop, and no data to move", ""};
    case collective::broadcast:
      return {named("binomial"),
              named("chain"),
              named("binomial"),
              direct_volume,
              "short vector: few hops from the root to the last rank",
              "long vector: its segments follow each other down the chain, and each rank sends it once"};
    case collective::gather:
    case collective::scatter:
      return {named("flat"), named("flat"), named("flat"), any_volume, "each part crosses once", ""};
    case collective::reduce:
      return {named("binomial"),
              named("rabenseifner"),
              named("flat"),
              direct_volume,
              "short vector: few hops from the last rank to the root",
              "long vector: the ranks share the work of combining it"};
    case collective::all_gather:
      return {named("direct"),
              named("direct"),
              named("direct"),
              any_volume,
              "one hop, and each part crosses once to each",
              ""};
    case collective::all_to_all:
      return {named("direct"), named("direct"), named("direct"), any_volume, "each part crosses once", ""};
    case collective::reduce_scatter:
      return {named("sliced"),
              named("sliced"),
              named("sliced"),
              any_volume,
              "one hop: each rank reads its part of every vector",
              ""};
    case collective::inclusive_scan:
    case collective::exclusive_scan:
      return {named("recursive_doubling"),
              named("linear"),
              named("linear"),
              direct_volume,
              "short vector: few hops to the last rank",
              "long vector: its segments follow each other from rank to rank, and each is combined once"};
  }
  return {};
}

constexpr std::size_t collective_count = static_cast<std::size_t>(collective::exclusive_scan) + 1;

const candidates& known(collective what) {
  static const auto all = [] {
    std::array<candidates, collective_count> made;
    for (std::size_t i = 0; i < collective_count; ++i) made[i] = candidates_for(static_cast<collective>(i));
    return made;
  }();
  return all[static_cast<std::size_t>(what)];
}

}  // namespace

choice choose(const facts& call) {
  const candidates& from = known(call.what);
  if (call.size == 1) return {from.strict, "one rank: nobody to talk to"};
  if (call.what == collective::all_reduce && call.size == 2)
    return {from.brief, "two ranks: one hop, each vector crosses once"};
  const byte_count volume = checked_multiply(call.bytes, static_cast<byte_count>(call.size)).value_or(any_volume);
  const bool brief = volume <= from.longest_brief;
  const algorithm* const usual = brief ? from.brief : from.lengthy;
  if (!call.associative && usual->order != algorithms::operand_order::left_fold)
    return {from.strict, "the operator wants a strict fold from the left"};
  return {usual, brief ? from.brief_reason : from.lengthy_reason};
}

result<choice> force(std::string_view id, const facts& call) {
  auto found = algorithms::require(id);
  if (!found) return std::move(found).why();
  const algorithm& wanted = *found.value();
  if (wanted.what != call.what) {
    return failure{errc::not_applicable,
                   fmt::format("algorithm {} cannot serve {}; see `tutti list`", wanted.id, to_string(call.what))};
  }
  if (has_operator(call.what) && call.size > 1) {
    if (!call.associative && wanted.order != algorithms::operand_order::left_fold) {
      return failure{
          errc::not_applicable,
          fmt::format("algorithm {} regroups the operands, but a left fold was asked for; use one that keeps it, "
                      "such as {}; see column Order of `tutti list {}`",
                      wanted.id, known(call.what).strict->id, to_string(call.what))};
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
