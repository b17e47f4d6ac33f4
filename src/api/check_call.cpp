// SPDX-License-Identifier: BSL-1.0
#include "api/check_call.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "base/checked.hpp"
#include "schedule/assignment.hpp"

namespace tutti::core {
namespace {

using schedules::assignment;

failure bad_argument(std::string text) { return {errc::bad_argument, std::move(text)}; }

/// The elements that a buffer of `blocks` blocks must have, and how that comes.
status check_count(const call& wanted, rank_id size, std::string_view which, std::uint64_t has, std::int32_t blocks) {
  const auto needs = static_cast<std::uint64_t>(blocks) * wanted.count;
  if (has == needs) return {};
  const char* const what = to_string(wanted.what);
  if (blocks <= 1)
    return bad_argument(fmt::format("{}: the {} has {} elements; it must have {}", what, which, has, needs));
  return bad_argument(fmt::format("{}: the {} has {} elements; it must have {}, one block of {} for each of {} ranks",
                                  what, which, has, needs, wanted.count, size));
}

status check_counts(const call& wanted, rank_id size, std::int32_t blocks_in, std::int32_t blocks_out) {
  const char* const what = to_string(wanted.what);
  if (blocks_in == 1 && blocks_out == 1 && wanted.input_count != wanted.output_count) {
    return bad_argument(fmt::format("{}: the input has {} elements and the output {}; they must be equal", what,
                                    wanted.input_count, wanted.output_count));
  }
  const auto part = checked_multiply<std::uint64_t>(wanted.count, wanted.type.bytes);
  const auto all = part ? checked_multiply<std::uint64_t>(*part, static_cast<std::uint64_t>(size)) : std::nullopt;
  if (!all || *all > std::numeric_limits<std::uint64_t>::max() / 2) {
    return bad_argument(size == 1 || (blocks_in == 1 && blocks_out == 1)
                            ? fmt::format("{}: {} x {} bytes do not fit 63 bits", what, wanted.count, wanted.type.bytes)
                            : fmt::format("{}: {} x {} bytes for each of {} ranks do not fit 63 bits", what,
                                          wanted.count, wanted.type.bytes, size));
  }
  if (auto fit = check_count(wanted, size, "input", wanted.input_count, blocks_in); !fit) return fit;
  return check_count(wanted, size, "output", wanted.output_count, blocks_out);
}

/// Either apart, or each block of the one at its place in the other.
status check_places(const call& wanted, const schedules::holding& in, const schedules::holding& out, bool may_be_one) {
  const std::uint64_t in_bytes = wanted.input_count * wanted.type.bytes;
  const std::uint64_t out_bytes = wanted.output_count * wanted.type.bytes;
  const char* const what = to_string(wanted.what);
  if (in_bytes != 0 && wanted.input == nullptr)
    return bad_argument(fmt::format("{}: {} elements at a null pointer", what, wanted.input_count));
  if (out_bytes != 0 && wanted.output == nullptr)
    return bad_argument(fmt::format("{}: {} elements at a null pointer", what, wanted.output_count));
  if (in_bytes == 0 || out_bytes == 0) return {};
  const auto input = reinterpret_cast<std::uintptr_t>(wanted.input);
  const auto output = reinterpret_cast<std::uintptr_t>(wanted.output);
  if (input >= output + out_bytes || output >= input + in_bytes) return {};
  if (!may_be_one) return bad_argument(fmt::format("{}: input and output overlap; they must be apart", what));
  const auto block = static_cast<std::uintptr_t>(wanted.count * wanted.type.bytes);
  const std::uintptr_t in_begin = input - static_cast<std::uintptr_t>(in.first) * block;
  const std::uintptr_t out_begin = output - static_cast<std::uintptr_t>(out.first) * block;
  if (in_begin == out_begin) return {};
  return bad_argument(
      fmt::format("{}: input and output overlap in part; they must be {} or apart", what,
                  in.blocks() == out.blocks() ? "the same memory" : "one with this rank's block at its place in both"));
}

}  // namespace

status check_call(const call& wanted, rank_id size, rank_id me) {
  if (wanted.what == collective::barrier) return {};
  if (has_root(wanted.what) && (wanted.root < 0 || wanted.root >= size)) {
    return bad_argument(
        fmt::format("{}: root {} is none of the ranks 0 to {}", to_string(wanted.what), wanted.root, size - 1));
  }
  if (size > schedules::most_ranks(wanted.what)) {
    return bad_argument(fmt::format("{}: serves up to {} ranks, and there are {}", to_string(wanted.what),
                                    schedules::most_ranks(wanted.what), size));
  }
  const std::int32_t parts = assignment::parts(wanted.what, size);
  if (parts == 1 && !has_root(wanted.what)) {  // every rank has one vector and gets one
    constexpr schedules::holding whole{0, 1, 1, 1};
    if (auto fit = check_counts(wanted, size, 1, 1); !fit) return fit;
    return check_places(wanted, whole, whole, true);
  }
  const assignment who(wanted.what, size, wanted.root, parts);
  const schedules::holding in = who.input(me);
  const schedules::holding out = who.output(me);
  if (has_root(wanted.what) && me == wanted.root && wanted.count != 0) {
    if (in.blocks() != 0 && wanted.input_count == 0)
      return bad_argument(fmt::format("{}: rank {} is the root, and gives no data", to_string(wanted.what), me));
    if (out.blocks() != 0 && wanted.output_count == 0)
      return bad_argument(
          fmt::format("{}: rank {} is the root, and has no room for the result", to_string(wanted.what), me));
  }
  if (auto fit = check_counts(wanted, size, in.blocks(), out.blocks()); !fit) return fit;
  return check_places(wanted, in, out, who.may_be_in_place());
}

status check_options(const options& wishes) {
  if (wishes.arity < 2) return bad_argument(fmt::format("options: arity is {}; it must be at least 2", wishes.arity));
  constexpr int most_pieces = 4096;
  if (wishes.pieces < 1 || wishes.pieces > most_pieces)
    return bad_argument(fmt::format("options: pieces is {}; it must be 1 to {}", wishes.pieces, most_pieces));
  return {};
}

}  // namespace tutti::core
