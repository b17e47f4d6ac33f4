// SPDX-License-Identifier: BSL-1.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "schedule/line_reader.hpp"
#include "schedule/text.hpp"

namespace tutti::schedules {

namespace {

constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();

void read_header(line_reader& line, schedule& made) {
  line.expect("schedule");
  line.expect("size");
  made.size = line.number("the size", 1, most);
  line.expect("rank");
  made.me = line.number("the rank", 0, std::int64_t{made.size} - 1);
  line.expect("blocks");
  made.blocks = line.number("the number of blocks", 1, most);
  line.expect("scratch");
  made.scratch_slots = line.number("the number of scratch slots", 0, most);
}

template <class T, class Read>
run read_list(line_reader& line, std::vector<T>& pool, const Read& read) {
  run made{static_cast<std::uint32_t>(pool.size()), 0};
  do {
    pool.push_back(read());
    ++made.count;
  } while (line.takes(","));
  return made;
}

void check_peers(line_reader& line, const schedule& made, const step& s) {
  const auto peers = made.peers_of(s);
  std::vector<rank_id> sorted(peers.begin(), peers.end());
  std::sort(sorted.begin(), sorted.end());
  if (std::binary_search(sorted.begin(), sorted.end(), made.me)) {
    line.fail(fmt::format("rank {} would exchange with itself", made.me));
  }
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) line.fail(fmt::format("rank {} occurs twice in one list", *twice));
}

void read_operands(line_reader& line, schedule& made, step& s) {
  line.expect("=");
  s.operands = read_list(line, made.operands, [&] { return line.read_slice(made.blocks, made.scratch_slots); });
  for (const slice& operand : made.operands_of(s)) {
    if (operand.first == s.target.first && operand.count == s.target.count) continue;
    line.fail(fmt::format("operand {} holds other blocks than the target {}", to_text(operand), to_text(s.target)));
  }
  if (s.kind == step_kind::copy && s.operands.count != 1) line.fail("a copy has one source");
  if (s.kind == step_kind::reduce && s.operands.count < 2) {
    line.fail("a reduce has two operands or more; to move one, copy");
  }
}

void read_action(line_reader& line, schedule& made, step& s) {
  if (line.takes("send")) {
    s.kind = step_kind::send;
  } else if (line.takes("receive")) {
    s.kind = step_kind::receive;
  } else if (line.takes("reduce")) {
    s.kind = step_kind::reduce;
  } else {
    line.expect("copy");
    s.kind = step_kind::copy;
  }
  s.target = line.read_slice(made.blocks, made.scratch_slots);
  const bool moves = s.kind == step_kind::send || s.kind == step_kind::receive;
  if (moves && line.takes(",")) {
    s.operands = read_list(line, made.operands, [&] { return line.read_slice(made.blocks, made.scratch_slots); });
  }
  if (s.kind != step_kind::send) {
    if (s.target.where == buffer::input) line.fail("the input is never written");
    for (const slice& part : made.operands_of(s)) {
      if (part.where == buffer::input) line.fail("the input is never written");
    }
  }
  if (!moves) return read_operands(line, made, s);
  line.expect(s.kind == step_kind::send ? "to" : "from");
  s.peers = read_list(line, made.peers, [&] { return line.number("a peer", 0, std::int64_t{made.size} - 1); });
  if (s.kind == step_kind::receive && s.peers.count != 1) line.fail("a receive has one source");
  check_peers(line, made, s);
}

void read_step(line_reader& line, schedule& made) {
  const auto own = static_cast<std::int64_t>(made.steps.size());
  line.number("the step (counted from 0)", own, own);
  line.expect(":");
  if (made.stages.empty()) line.fail("a step needs a stage line before it");
  step s;
  s.peers.begin = static_cast<std::uint32_t>(made.peers.size());
  s.operands.begin = static_cast<std::uint32_t>(made.operands.size());
  s.stage = static_cast<std::uint32_t>(made.stages.size() - 1);
  read_action(line, made, s);
  s.after.begin = static_cast<std::uint32_t>(made.after.size());
  if (line.takes("after")) {
    std::int64_t least = 0;
    s.after = read_list(line, made.after, [&] {
      const std::int32_t index = line.number("an earlier step, in ascending order,", least, own - 1);
      least = std::int64_t{index} + 1;
      return static_cast<std::uint32_t>(index);
    });
  }
  for_each_part(made, s, [&](const slice& named) { made.reserve_staging(named); });
  made.steps.push_back(s);
}

failure at_line(std::size_t number, const std::string& reason) {
  return {errc::bad_argument, fmt::format("schedule text, line {}: {}; see docs/schedule.md", number, reason)};
}

}  // namespace

result<schedule> parse(std::string_view text) {
  // Pools are indexed by 32 bits; no line adds more entries than it has bytes.
  if (text.size() > static_cast<std::size_t>(most)) return at_line(1, "the text is longer than 2 GiB");
  schedule made;
  bool has_header = false;
  std::size_t number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view content = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (content.ends_with('\r')) content.remove_suffix(1);
    line_reader line(content);
    if (line.at_end()) continue;
    if (!std::exchange(has_header, true)) {
      read_header(line, made);
    } else if (line.takes("stage")) {
      made.stages.push_back(line.label());
    } else {
      read_step(line, made);
    }
    if (!line.failed() && !line.at_end()) line.fail("more follows on the line than belongs there");
    if (line.failed()) return at_line(number, line.reason());
  }
  if (!has_header) return at_line(number + 1, "expected \"schedule size ..\", found the end of the text");
  return made;
}

}  // namespace tutti::schedules
