// SPDX-License-Identifier: BSL-1.0
#include "bench/plan.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "base/bytes_text.hpp"
#include "base/checked.hpp"
#include "schedule/assignment.hpp"
#include "transport/memory/job.hpp"

namespace tutti::benching {
namespace {

failure refuse(std::string_view option, std::string_view why) {
  return {errc::bad_argument, fmt::format("{}: {}", option, why)};
}

std::vector<std::string> items_of(std::string_view list) {
  std::vector<std::string> items;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    items.emplace_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return items;
}

template <class T>
bool holds(const std::vector<T>& all, const T& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

select::facts facts_of(const plan& of, byte_count bytes) {
  return {.what = of.what, .size = of.ranks, .bytes = bytes, .commutative = true, .associative = true};
}

result<tutti::collective> collective_of(const std::string& name) {
  std::string names;
  const algorithms::algorithm* before = nullptr;
  for (const algorithms::algorithm& which : algorithms::all()) {
    if (before == nullptr || which.what != before->what) {
      if (name == to_string(which.what)) return which.what;
      names += (names.empty() ? "" : ", ") + std::string(to_string(which.what));
    }
    before = &which;
  }
  return refuse("collective", fmt::format("\"{}\" is none of {}", name, names));
}

status require_memory(const plan& of, byte_count bytes) {
  const auto pages = static_cast<byte_count>(std::max(0L, sysconf(_SC_PHYS_PAGES)));
  const byte_count memory = pages * static_cast<byte_count>(sysconf(_SC_PAGESIZE));
  using schedules::assignment;
  const assignment who(of.what, of.ranks, of.root, assignment::parts(of.what, of.ranks));
  byte_count vectors = 0;
  for (rank_id rank = 0; rank < of.ranks; ++rank) {
    const auto in = static_cast<byte_count>(who.input(rank).blocks());
    const auto out = static_cast<byte_count>(who.output(rank).blocks());
    vectors += of.in_place ? std::max(in, out) : in + out;
  }
  if (bytes <= memory / vectors) return {};
  return failure{
      errc::no_space,
      fmt::format("--sizes: {} ranks with vectors of {} need {} of them, more than the {} of memory here; "
                  "choose a smaller size or fewer ranks",
                  of.ranks, bytes_text(static_cast<double>(bytes)), vectors, bytes_text(static_cast<double>(memory)))};
}

result<byte_count> size_of(const std::string& text) {
  const auto parsed = parse_bytes(text);
  if (!parsed) return refuse("--sizes", parsed.why().text);
  const byte_count bytes = parsed.value();
  if (bytes == 0) return refuse("--sizes", "a vector of 0 bytes moves nothing; the least is one element of 8 bytes");
  if (bytes % sizeof(element) != 0) {
    return refuse("--sizes",
                  fmt::format("{} bytes are no whole number of elements of {} bytes", bytes, sizeof(element)));
  }
  return bytes;
}

status add_sizes(plan& made, const std::string& list) {
  if (!made.moves_data()) {
    made.sizes = {0};
    return {};
  }
  for (const std::string& text : items_of(list)) {
    const auto bytes = size_of(text);
    if (!bytes) return bytes.why();
    if (holds(made.sizes, bytes.value())) return refuse("--sizes", fmt::format("\"{}\" is there twice", text));
    if (auto fits = require_memory(made, bytes.value()); !fits) return fits;
    made.sizes.push_back(bytes.value());
  }
  return {};
}

void add_all(plan& made) {
  made.candidates.emplace_back(library_choice);
  for (const algorithms::algorithm& which : algorithms::all()) {
    if (which.what == made.what) made.candidates.emplace_back(which.id);
  }
}

status add_candidates(plan& made, const std::string& list) {
  if (list == "all") {
    add_all(made);
    return {};
  }
  for (const std::string& id : items_of(list)) {
    if (id != library_choice) {
      const auto forced = select::force(id, facts_of(made, made.sizes.front()));
      if (!forced) return failure{forced.why().code, "--algorithms: " + forced.why().text};
    }
    if (holds(made.candidates, id)) return refuse("--algorithms", fmt::format("\"{}\" is there twice", id));
    made.candidates.push_back(id);
  }
  return {};
}

status add_buffers(plan& made, const std::string& kind) {
  if (kind != "dirty" && kind != "clean" && kind != "both") {
    return refuse("--buffers", fmt::format("\"{}\" is none of dirty, clean, both", kind));
  }
  if (made.in_place && kind != "dirty") {
    return refuse("--buffers",
                  "in place, every call overwrites its input, so its owner has to rewrite it: the buffers "
                  "are always dirty; leave out --in-place or --buffers");
  }
  if (kind != "clean" || !made.moves_data()) made.dirty.push_back(true);
  if (kind != "dirty" && made.moves_data()) made.dirty.push_back(false);
  return {};
}

status add_numbers(plan& made, const request& asked) {
  if (asked.ranks < 1 || asked.ranks > memory::largest_job) {
    return refuse("--ranks", fmt::format("{} ranks; from 1 to {} are served", asked.ranks, memory::largest_job));
  }
  if (asked.trials < 1) return refuse("--trials", fmt::format("{}; at least 1 is needed", asked.trials));
  if (asked.warmup < 0) return refuse("--warmup", fmt::format("{}; it cannot be negative", asked.warmup));
  if (asked.arity < 2) return refuse("--arity", fmt::format("{}; at least 2 is needed", asked.arity));
  if (asked.pieces < 1) return refuse("--pieces", fmt::format("{}; at least 1 is needed", asked.pieces));
  if (asked.root < 0 || asked.root >= asked.ranks || (asked.root != 0 && !has_root(made.what))) {
    return refuse("--root", has_root(made.what)
                                ? fmt::format("{} is none of the ranks 0 to {}", asked.root, asked.ranks - 1)
                                : fmt::format("{} has none", to_string(made.what)));
  }
  if (asked.in_place && made.what == tutti::collective::all_to_all) {
    return refuse("--in-place", "all_to_all works from a copy then, which is not what is to be measured");
  }
  if (asked.transport != "processes" && asked.transport != "threads") {
    return refuse("--transport", fmt::format("\"{}\" is none of processes, threads", asked.transport));
  }
  const auto segment = parse_bytes(asked.segment_bytes);
  if (!segment) return refuse("--segment-bytes", segment.why().text);
  made.ranks = asked.ranks;
  made.trials = asked.trials;
  made.warmup = asked.warmup;
  made.seed = asked.seed;
  made.arity = asked.arity;
  made.pieces = asked.pieces;
  made.root = asked.root;
  made.in_place = asked.in_place;
  made.threads = asked.transport == "threads";
  made.segment_bytes = segment.value();
  return {};
}

}  // namespace

result<plan> make_plan(const request& asked) {
  plan made;
  const auto what = collective_of(asked.collective);
  if (!what) return what.why();
  made.what = what.value();
  if (auto fine = add_numbers(made, asked); !fine) return std::move(fine).why();
  if (auto fine = add_sizes(made, asked.sizes); !fine) return std::move(fine).why();
  if (auto fine = add_candidates(made, asked.algorithms); !fine) return std::move(fine).why();
  if (auto fine = add_buffers(made, asked.buffers); !fine) return std::move(fine).why();
  return made;
}

select::choice serves(const plan& of, const std::string& candidate, byte_count bytes) {
  const select::facts call = facts_of(of, bytes);
  return candidate == library_choice ? select::choose(call) : select::force(candidate, call).value();
}

}  // namespace tutti::benching
