// SPDX-License-Identifier: BSL-1.0
#include "transport/memory/region.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <new>

#include "base/checked.hpp"

namespace tutti::memory {
namespace {

constexpr std::uint64_t region_magic = 0x6e6f6967'65727474;
constexpr std::uint32_t region_version = 1;
constexpr byte_count chunk_bytes = 256 * 1024;

struct alignas(region::prefix_bytes) prefix {
  std::uint64_t magic;
  std::uint32_t version;
  std::uint32_t unused;
  byte_count capacity;
  std::atomic<byte_count> committed;
};
static_assert(sizeof(prefix) == region::prefix_bytes);

constexpr byte_count round_up(byte_count bytes, byte_count grain) { return divide_up(bytes, grain) * grain; }

/// While it lives, exceeding RLIMIT_FSIZE is an error code and no signal in this thread.
class size_signal_guard {
 public:
  size_signal_guard() noexcept {
    sigemptyset(&only_);
    sigaddset(&only_, SIGXFSZ);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGXFSZ) == 1;
    pthread_sigmask(SIG_BLOCK, &only_, &before_);
  }
  ~size_signal_guard() {
    const timespec at_once{};
    if (!was_pending_) sigtimedwait(&only_, nullptr, &at_once);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  size_signal_guard(const size_signal_guard&) = delete;
  size_signal_guard& operator=(const size_signal_guard&) = delete;

 private:
  sigset_t only_{};
  sigset_t before_{};
  bool was_pending_ = false;
};

/// Grows the backing to `end` bytes; 0 or the errno.
int extend(int fd, byte_count begin, byte_count end) {
  const size_signal_guard guard;
  while (begin < end) {
    // Small pieces, because an interrupted call undoes the whole piece.
    const byte_count piece = std::min<byte_count>(end - begin, 64 * chunk_bytes);
    if (fallocate(fd, 0, static_cast<off_t>(begin), static_cast<off_t>(piece)) == 0) {
      begin += piece;
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

failure cannot_reserve(byte_count needed, byte_count capacity, int error) {
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const std::string file_limit =
      limit.rlim_cur == RLIM_INFINITY
          ? ""
          : fmt::format(", the file size limit (ulimit -f) is {} bytes", static_cast<std::uint64_t>(limit.rlim_cur));
  return {errc::no_space,
          fmt::format("shared memory: {} bytes needed in all, but they cannot be reserved: {} (the segment may hold {} "
                      "bytes{}); free memory, raise the limit, or use fewer or smaller communicators. "
                      "TUTTI_SEGMENT_BYTES sets the segment's size",
                      needed, std::strerror(error), capacity, file_limit)};
}

result<std::byte*> map(byte_count capacity, int flags, int fd) {
  void* data = mmap(nullptr, capacity, PROT_READ | PROT_WRITE, flags | MAP_NORESERVE, fd, 0);
  if (data == MAP_FAILED) {
    return failure{errc::no_space, fmt::format("memory segment: {} bytes of address space cannot be mapped: {}; set "
                                               "TUTTI_SEGMENT_BYTES to a smaller number or raise ulimit -v",
                                               capacity, std::strerror(errno))};
  }
  return static_cast<std::byte*>(data);
}

status check_capacity(byte_count capacity) {
  constexpr byte_count largest = byte_count{1} << 46;
  if (capacity >= region::smallest_capacity && capacity <= largest) return {};
  return failure{errc::bad_argument,
                 fmt::format("memory segment of {} bytes: must be {} to {} bytes; set TUTTI_SEGMENT_BYTES accordingly",
                             capacity, region::smallest_capacity, largest)};
}

void write_prefix(std::byte* data, byte_count capacity, byte_count committed) {
  new (data) prefix{region_magic, region_version, 0, capacity, committed};
}

failure not_ours(int fd, std::string_view what) {
  return {errc::launch_failed,
          fmt::format("file descriptor {} is not this job's memory segment: {}; start all ranks by one launcher of the "
                      "same tutti version and user",
                      fd, what)};
}

status check_file(int fd) {
  struct stat facts {};
  if (fstat(fd, &facts) != 0) return not_ours(fd, std::strerror(errno));
  if (!S_ISREG(facts.st_mode)) return not_ours(fd, "it is no memory file");
  if (facts.st_uid != geteuid()) {
    return not_ours(fd, fmt::format("it belongs to user {}, this process runs as user {}", facts.st_uid, geteuid()));
  }
  if ((facts.st_mode & 0777) != 0600)
    return not_ours(fd, fmt::format("its mode is {:o}, not 600", facts.st_mode & 0777));
  const int seals = fcntl(fd, F_GET_SEALS);
  // Without this seal a peer could cut the file and turn every access here into SIGBUS.
  if (seals < 0 || (seals & F_SEAL_SHRINK) == 0) return not_ours(fd, "it is no memory file sealed against shrinking");
  if (facts.st_size < static_cast<off_t>(region::smallest_capacity)) {
    return not_ours(fd, fmt::format("it has {} bytes only", facts.st_size));
  }
  return {};
}

result<byte_count> read_capacity(int fd) {
  auto head = map(region::prefix_bytes, MAP_SHARED, fd);
  if (!head) return std::move(head).why();
  const auto* found = reinterpret_cast<const prefix*>(head.value());
  const std::uint64_t magic = found->magic;
  const std::uint32_t version = found->version;
  const byte_count capacity = found->capacity;
  munmap(head.value(), region::prefix_bytes);
  if (magic != region_magic) return not_ours(fd, "it does not start with the mark of a tutti segment");
  if (version != region_version) {
    return not_ours(fd, fmt::format("its layout is version {}, this library's is {}", version, region_version));
  }
  if (!check_capacity(capacity)) return not_ours(fd, fmt::format("it claims a capacity of {} bytes", capacity));
  return capacity;
}

}  // namespace

region::region(std::byte* data, byte_count capacity, descriptor memory) noexcept
    : data_(data), capacity_(capacity), memory_(std::move(memory)) {}

region::region(region&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), capacity_(other.capacity_), memory_(std::move(other.memory_)) {}

region& region::operator=(region&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(capacity_, other.capacity_);
  std::swap(memory_, other.memory_);
  return *this;
}

region::~region() {
  if (data_ != nullptr) munmap(data_, capacity_);
}

result<region> region::create_private(byte_count capacity) {
  if (status fits = check_capacity(capacity); !fits) return std::move(fits).why();
  capacity = round_up(capacity, 4096);
  auto data = map(capacity, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  if (!data) return std::move(data).why();
  write_prefix(data.value(), capacity, prefix_bytes);
  return region(data.value(), capacity, descriptor{});
}

result<region> region::create_shared(byte_count capacity) {
  if (status fits = check_capacity(capacity); !fits) return std::move(fits).why();
  capacity = round_up(capacity, 4096);
  descriptor memory(memfd_create("tutti", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!memory || fchmod(memory.get(), 0600) != 0) {
    return failure{errc::no_space, fmt::format("memory segment: no memory file can be made: {}", std::strerror(errno))};
  }
  const byte_count first = std::min(chunk_bytes, capacity);
  if (const int error = extend(memory.get(), 0, first); error != 0) return cannot_reserve(first, capacity, error);
  if (fcntl(memory.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) != 0) {
    return failure{errc::internal, fmt::format("memory segment: it cannot be sealed: {}", std::strerror(errno))};
  }
  auto data = map(capacity, MAP_SHARED, memory.get());
  if (!data) return std::move(data).why();
  write_prefix(data.value(), capacity, first);
  return region(data.value(), capacity, std::move(memory));
}

result<region> region::attach(descriptor memory) {
  if (status ours = check_file(memory.get()); !ours) return std::move(ours).why();
  auto capacity = read_capacity(memory.get());
  if (!capacity) return std::move(capacity).why();
  auto data = map(capacity.value(), MAP_SHARED, memory.get());
  if (!data) return std::move(data).why();
  fcntl(memory.get(), F_SETFD, FD_CLOEXEC);
  return region(data.value(), capacity.value(), std::move(memory));
}

byte_count region::committed() const noexcept { return at<prefix>(0)->committed.load(std::memory_order_acquire); }

status region::commit(byte_count offset, byte_count bytes) const {
  const auto end = checked_add(offset, bytes);
  if (!end || *end > capacity_) {
    return failure{errc::no_space,
                   fmt::format("memory segment: {} bytes at offset {} exceed its capacity of {} bytes; set "
                               "TUTTI_SEGMENT_BYTES to a larger number",
                               bytes, offset, capacity_)};
  }
  auto& committed = at<prefix>(0)->committed;
  byte_count have = committed.load(std::memory_order_acquire);
  if (*end <= have) return {};
  const byte_count target = std::min(round_up(*end, chunk_bytes), capacity_);
  if (memory_) {
    if (const int error = extend(memory_.get(), have, target); error != 0)
      return cannot_reserve(target, capacity_, error);
  }
  while (have < target && !committed.compare_exchange_weak(have, target, std::memory_order_acq_rel)) {
  }
  return {};
}

}  // namespace tutti::memory
