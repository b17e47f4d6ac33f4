// SPDX-License-Identifier: BSL-1.0
#include "world/bootstrap.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include "world/environment.hpp"
#include "world/launch.hpp"
#include "world/rendezvous.hpp"

namespace tutti::worlds {
namespace {

result<memory::job> open_job(descriptor memory) {
  auto region = memory::region::attach(std::move(memory));
  if (!region) return std::move(region).why();
  return memory::job::open(std::move(region).value());
}

result<memory::job> inherit_job(const launch& how) {
  if (fcntl(how.segment_fd, F_GETFD) < 0) {
    return failure{
        errc::launch_failed,
        fmt::format("environment: TUTTI_SEGMENT_FD={} is not open in this process: the variables are left over "
                    "from a rank that started this program; unset TUTTI_SEGMENT_FD, TUTTI_RANK and TUTTI_SIZE "
                    "to run it alone, or start it by tutti run",
                    how.segment_fd)};
  }
  // A descriptor of its own: what the variable names may be somebody else's file.
  auto job = open_job(descriptor(fcntl(how.segment_fd, F_DUPFD_CLOEXEC, 3)));
  if (!job) {
    return failure{job.why().code, fmt::format("environment: TUTTI_SEGMENT_FD={}: {}", how.segment_fd, job.why().text)};
  }
  if (job.value().size() != how.size) {
    return failure{errc::launch_failed, fmt::format("environment: TUTTI_SIZE={}, but the job has {} ranks; do not set "
                                                    "TUTTI_ variables of the launcher by hand",
                                                    how.size, job.value().size())};
  }
  close(how.segment_fd);
  return job;
}

result<memory::job> meet(const launch& how) {
  auto timeout = start_timeout();
  if (!timeout) return std::move(timeout).why();
  const meeting at{how.meeting, how.rank, how.size, std::chrono::steady_clock::now() + timeout.value(), how.origin};
  if (how.rank != 0) {
    auto memory = attend_meeting(at);
    if (!memory) return std::move(memory).why();
    return open_job(std::move(memory).value());
  }
  auto job = create_job(how.size, true);
  if (!job) return job;
  if (status all_here = host_meeting(at, job.value().memory().fd()); !all_here) {
    job.value().leave(0, {.state = memory::rank_state::failed, .text = all_here.why().text});
    return std::move(all_here).why();
  }
  return job;
}

result<memory::job> find_job(const launch& how) {
  if (how.by == launcher::tutti_run) return inherit_job(how);
  if (how.size == 1) return create_job(1, false);
  return meet(how);
}

}  // namespace

result<memory::job> create_job(rank_id size, bool shared) {
  auto bytes = segment_bytes(size);
  if (!bytes) return std::move(bytes).why();
  auto region = shared ? memory::region::create_shared(bytes.value()) : memory::region::create_private(bytes.value());
  if (!region) return std::move(region).why();
  auto job = memory::job::create(std::move(region).value(), size);
  if (!job) return job;
  if (auto names = directory::create(job.value()); !names) return std::move(names).why();
  return job;
}

result<membership> join_job() {
  auto how = read_launch();
  if (!how) return std::move(how).why();
  auto job = find_job(how.value());
  if (!job) return std::move(job).why();
  auto names = directory::open(job.value());
  if (!names) return std::move(names).why();
  if (status taken = job.value().announce(how.value().rank); !taken) return std::move(taken).why();
  return membership(std::move(job).value(), std::move(names).value(), how.value().rank, how.value().origin);
}

membership::membership(memory::job job, directory names, rank_id rank, std::string origin)
    : job_(std::move(job)), names_(std::move(names)), rank_(rank), origin_(std::move(origin)), owner_(getpid()) {}

membership::membership(membership&& other) noexcept
    : job_(std::move(other.job_)),
      names_(std::move(other.names_)),
      rank_(other.rank_),
      origin_(std::move(other.origin_)),
      owner_(std::exchange(other.owner_, 0)) {}

membership& membership::operator=(membership&& other) noexcept {
  std::swap(job_, other.job_);
  std::swap(names_, other.names_);
  std::swap(rank_, other.rank_);
  std::swap(origin_, other.origin_);
  std::swap(owner_, other.owner_);
  return *this;
}

membership::~membership() { depart({}); }

bool membership::is_mine() const noexcept { return owner_ == getpid(); }

void membership::depart(const memory::departure& how) noexcept {
  if (is_mine()) job_.leave(rank_, how);
  owner_ = 0;
}

}  // namespace tutti::worlds
