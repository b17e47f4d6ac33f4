// SPDX-License-Identifier: BSL-1.0
#include "transport/memory/job.hpp"

#include <climits>
#include <fmt/format.h>

#include <linux/futex.h>
#include <sched.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>
#include <new>

#include "transport/memory/process_identity.hpp"

namespace tutti::memory {
namespace {

constexpr std::uint64_t job_magic = 0x626f6a2d'69747574;
constexpr std::uint32_t job_version = 2;

std::uint64_t random_id() noexcept {
  std::uint64_t id = 0;
  if (getrandom(&id, sizeof id, 0) != sizeof id) {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    id = (static_cast<std::uint64_t>(getpid()) << 32) ^ static_cast<std::uint64_t>(now.tv_nsec);
  }
  return id;
}

status check_size(rank_id size) {
  if (size >= 1 && size <= largest_job) return {};
  return failure{errc::bad_argument, fmt::format("a job of {} ranks: must be 1 to {}", size, largest_job)};
}

}  // namespace

/// Words instead of characters, so that a reader during an overriding report sees a mix and no race.
struct alignas(128) process_line {
  static constexpr std::size_t text_words = 11;
  static constexpr std::size_t core_words = 16;

  std::atomic<rank_state> state;
  std::atomic<std::int32_t> pid;
  std::atomic<std::uint64_t> start_time;
  std::atomic<std::int32_t> exit_code;
  std::atomic<std::int32_t> signal;
  std::array<std::atomic<std::uint64_t>, text_words> text;
  std::array<std::atomic<std::uint64_t>, core_words> cores;  ///< those it may run on, a bit each; the first 1024

  void write_text(std::string_view words) noexcept {
    std::array<std::uint64_t, text_words> raw{};
    words.copy(reinterpret_cast<char*>(raw.data()), sizeof raw - 1);  // none at all may be a null pointer
    for (std::size_t i = 0; i < text_words; ++i) text[i].store(raw[i], std::memory_order_relaxed);
  }

  /// Where the calling thread may run.
  void write_cores() noexcept {
    cpu_set_t set;
    static_assert(sizeof set == core_words * sizeof(std::uint64_t));
    std::array<std::uint64_t, core_words> raw{};
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
      std::memcpy(raw.data(), &set, sizeof set);
    } else {
      raw.fill(~std::uint64_t{0});
    }
    for (std::size_t i = 0; i < core_words; ++i) cores[i].store(raw[i], std::memory_order_relaxed);
  }

  bool shares_a_core_with(const process_line& other) const noexcept {
    for (std::size_t i = 0; i < core_words; ++i) {
      if ((cores[i].load(std::memory_order_relaxed) & other.cores[i].load(std::memory_order_relaxed)) != 0) return true;
    }
    return false;
  }

  std::string read_text() const {
    std::array<std::uint64_t, text_words> raw{};
    for (std::size_t i = 0; i < text_words; ++i) raw[i] = text[i].load(std::memory_order_relaxed);
    const auto* characters = reinterpret_cast<const char*>(raw.data());
    return {characters, strnlen(characters, sizeof raw)};
  }
};
static_assert(sizeof(process_line) == 256);

struct alignas(128) job_header {
  std::uint64_t magic;
  std::uint32_t version;
  rank_id size;
  std::uint64_t id;
  std::atomic<byte_count> root;
  alignas(128) std::atomic<std::uint32_t> alarm;  // on its own line: every waiter polls it
  alignas(128) arena_state blocks;
};

namespace {
constexpr byte_count header_offset = 128;
static_assert(header_offset >= region::prefix_bytes);
constexpr byte_count table_offset = header_offset + sizeof(job_header);
constexpr byte_count end_of_table(rank_id size) {
  return table_offset + static_cast<byte_count>(size) * sizeof(process_line);
}
}  // namespace

const char* to_string(rank_state state) noexcept {
  switch (state) {
    case rank_state::absent: return "absent";
    case rank_state::running: return "running";
    case rank_state::left: return "left";
    case rank_state::failed: return "failed";
    case rank_state::dead: return "dead";
  }
  return "unknown";
}

job_header& job::header() const noexcept { return *memory_->at<job_header>(header_offset); }

process_line& job::line(rank_id rank) const noexcept { return memory_->at<process_line>(table_offset)[rank]; }

result<job> job::create(region memory, rank_id size) {
  if (status valid = check_size(size); !valid) return std::move(valid).why();
  if (status reserved = memory.commit(0, end_of_table(size)); !reserved) return std::move(reserved).why();
  job made(std::make_shared<const region>(std::move(memory)));
  auto* header = new (&made.header()) job_header{};
  header->magic = job_magic;
  header->version = job_version;
  header->size = size;
  header->id = random_id();
  for (rank_id rank = 0; rank < size; ++rank) new (&made.line(rank)) process_line{};
  made.blocks().initialize(end_of_table(size));
  return made;
}

result<job> job::open(region memory) {
  const bool large_enough = memory.committed() >= table_offset;
  job found(std::make_shared<const region>(std::move(memory)));
  if (!large_enough || found.header().magic != job_magic || found.header().version != job_version ||
      !check_size(found.header().size) || end_of_table(found.header().size) > found.memory_->committed()) {
    return failure{
        errc::launch_failed,
        "the memory segment passed to this process holds no job of this tutti version; start all ranks by one "
        "launcher and one tutti version"};
  }
  return found;
}

rank_id job::size() const noexcept { return header().size; }
std::uint64_t job::id() const noexcept { return header().id; }
arena job::blocks() const noexcept { return {*memory_, header().blocks}; }
std::atomic<std::uint32_t>& job::alarm() const noexcept { return header().alarm; }
std::atomic<byte_count>& job::root() const noexcept { return header().root; }

void job::raise_alarm() const noexcept {
  alarm().fetch_add(1, std::memory_order_release);
  syscall(SYS_futex, &alarm(), FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

status job::announce(rank_id rank) const {
  if (rank < 0 || rank >= size()) {
    return failure{errc::launch_failed,
                   fmt::format("rank {} in a job of {} ranks: must be 0 to {}", rank, size(), size() - 1)};
  }
  const auto self = look_up_process(getpid());
  const std::uint64_t start_time = self ? self->start_time : 0;
  process_line& mine = line(rank);
  std::int32_t holder = 0;
  if (!mine.pid.compare_exchange_strong(holder, getpid(), std::memory_order_acq_rel) && holder != getpid()) {
    return failure{errc::launch_failed, fmt::format("rank {} of {} is already process {}; process {} cannot be it too: "
                                                    "each rank must be started once, by one launcher",
                                                    rank, size(), holder, getpid())};
  }
  mine.start_time.store(start_time, std::memory_order_relaxed);
  mine.write_cores();
  mine.state.store(rank_state::running, std::memory_order_release);
  return {};
}

void job::leave(rank_id rank, const departure& how) const noexcept {
  process_line& one = line(rank);
  one.exit_code.store(how.exit_code, std::memory_order_relaxed);
  one.signal.store(how.signal, std::memory_order_relaxed);
  one.write_text(how.text);
  one.state.store(how.state, std::memory_order_release);
  raise_alarm();
}

rank_state job::state(rank_id rank) const noexcept { return line(rank).state.load(std::memory_order_acquire); }

int job::competitors(rank_id rank) const noexcept {
  int count = 0;
  for (rank_id other = 0; other < size(); ++other) {
    const bool unknown = line(other).state.load(std::memory_order_acquire) == rank_state::absent;
    count += unknown || line(other).shares_a_core_with(line(rank)) ? 1 : 0;
  }
  return count;
}

peer_view job::look(rank_id rank) const {
  const process_line& one = line(rank);
  peer_view view;
  view.state = one.state.load(std::memory_order_acquire);
  view.pid = one.pid.load(std::memory_order_relaxed);
  view.exit_code = one.exit_code.load(std::memory_order_relaxed);
  view.signal = one.signal.load(std::memory_order_relaxed);
  view.text = one.read_text();
  return view;
}

peer_view job::confirm(rank_id rank) const {
  process_line& one = line(rank);
  auto running = rank_state::running;
  if (one.state.load(std::memory_order_acquire) == running &&
      !may_be_running(one.pid.load(std::memory_order_relaxed), one.start_time.load(std::memory_order_relaxed)) &&
      one.state.compare_exchange_strong(running, rank_state::dead, std::memory_order_acq_rel)) {
    raise_alarm();
  }
  return look(rank);
}

}  // namespace tutti::memory
