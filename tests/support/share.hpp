// SPDX-License-Identifier: BSL-1.0
// One rank's memory in one call of a collective: filled with what the rank contributes, laid out as the assignment
// says, fenced, and judged afterwards against the naive answer.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "schedule/assignment.hpp"
#include "support/kinds.hpp"

namespace tutti::test {

/// What is called.
struct occasion {
  collective what;
  rank_id size;
  rank_id root = 0;
  std::uint64_t count = 0;  ///< elements of each part
  bool in_place = false;
  std::uint64_t salt = 0;
};

template <class Kind>
class share {
 public:
  using element = typename Kind::element;

  share(const occasion& on, rank_id me)
      : on_(on), me_(me), who_(on.what, on.size, on.root, parts()), in_(who_.input(me)), out_(who_.output(me)) {
    const std::size_t input_size = static_cast<std::size_t>(in_.blocks()) * on.count;
    const std::size_t output_size = static_cast<std::size_t>(out_.blocks()) * on.count;
    memory_.resize(fence + input_size + fence + output_size + fence);
    std::memset(static_cast<void*>(memory_.data()), 0xA5, memory_.size() * sizeof(element));
    input_ = fence;
    output_ = fence + input_size + fence;
    if (on.in_place && input_size != 0 && output_size != 0) {  // block i of both is one place, within the wider one
      const bool output_is_wider = out_.blocks() >= in_.blocks();
      if (output_is_wider) input_ = output_ + static_cast<std::size_t>(in_.first - out_.first) * on.count;
      if (!output_is_wider) output_ = input_ + static_cast<std::size_t>(out_.first - in_.first) * on.count;
      if (on.what == collective::all_to_all) input_ = output_;
    }
    for (std::int32_t i = 0; i < in_.blocks(); ++i) {
      for (std::uint64_t e = 0; e < on.count; ++e) {
        const element mine = contribution(me, in_.block(i), e);
        std::memcpy(static_cast<void*>(&memory_[input_ + static_cast<std::uint64_t>(i) * on.count + e]), &mine,
                    sizeof(element));
      }
    }
    before_ = memory_;
  }

  /// Empty, at a null address, where the rank has none.
  std::span<const element> input() const {
    return in_.blocks() == 0 ? std::span<const element>() : std::span(memory_).subspan(input_, elements_of(in_));
  }
  std::span<element> output() {
    return out_.blocks() == 0 ? std::span<element>() : std::span(memory_).subspan(output_, elements_of(out_));
  }
  /// What the in-place forms take: the wider of the two.
  std::span<element> both() {
    if (out_.blocks() >= in_.blocks()) return output();
    return std::span(memory_).subspan(input_, elements_of(in_));
  }

  /// Nothing, or what is wrong: every element of the output that is defined, and all that is not output. `start`: what
  /// an exclusive scan starts from.
  std::optional<std::string> complaint(const std::optional<element>& start = {}) const {
    std::vector<element> expected = before_;
    std::vector<bool> defined(expected.size(), true);
    auto combine = Kind::combine();
    for (std::int32_t i = 0; i < out_.blocks(); ++i) {
      const schedules::rank_range from = who_.contributors(me_, out_.block(i));
      for (std::uint64_t e = 0; e < on_.count; ++e) {
        const std::size_t at = output_ + static_cast<std::uint64_t>(i) * on_.count + e;
        std::optional<element> sum = start;
        for (rank_id r = from.first; r < from.end; ++r) {
          const element more = contribution(r, out_.block(i), e);
          if (sum) {
            const element both = combine(*sum, more);
            sum.emplace(both);
          } else {
            sum.emplace(more);
          }
        }
        if (sum) {
          std::memcpy(static_cast<void*>(&expected[at]), &*sum, sizeof(element));
        } else {
          defined[at] = false;
        }
      }
    }
    for (std::size_t at = 0; at < expected.size(); ++at) {
      if (defined[at] && std::memcmp(&memory_[at], &expected[at], sizeof(element)) != 0) return describe(at);
    }
    return {};
  }

 private:
  static constexpr std::size_t fence = 3;

  std::int32_t parts() const { return schedules::assignment::parts(on_.what, on_.size); }
  std::size_t elements_of(const schedules::holding& held) const {
    return static_cast<std::size_t>(held.blocks()) * on_.count;
  }
  element contribution(rank_id rank, std::int32_t block, std::uint64_t e) const {
    return Kind::contribution(static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(block) * 65'537 + e,
                              on_.salt);
  }
  std::string describe(std::size_t at) const {
    if (at >= output_ && at < output_ + elements_of(out_)) return fmt::format("element {} is wrong", at - output_);
    if (at >= input_ && at < input_ + elements_of(in_)) return fmt::format("the input was written at {}", at - input_);
    return "memory beside the buffers was written";
  }

  occasion on_;
  rank_id me_;
  schedules::assignment who_;
  schedules::holding in_;
  schedules::holding out_;
  std::vector<element> memory_;
  std::vector<element> before_;
  std::size_t input_ = 0;
  std::size_t output_ = 0;
};

}  // namespace tutti::test
