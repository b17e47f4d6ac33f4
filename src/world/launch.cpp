// SPDX-License-Identifier: BSL-1.0
#include "world/launch.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <limits>
#include <string_view>

#include "base/descriptor.hpp"
#include "transport/memory/job.hpp"
#include "transport/memory/process_identity.hpp"
#include "world/environment.hpp"

namespace tutti::worlds {
namespace {

constexpr std::int64_t many = std::numeric_limits<rank_id>::max();

/// A variable that must be there because `because` is.
result<std::int64_t> required(const char* name, std::int64_t least, std::int64_t most, const char* because) {
  auto value = integer_variable(name, least, most);
  if (!value) return std::move(value).why();
  if (!value.value()) {
    return failure{errc::launch_failed, fmt::format("environment: {} is set but {} is not; start the program by its "
                                                    "launcher, or unset {} to run it alone",
                                                    because, name, because)};
  }
  return *value.value();
}

/// Reads a rank and its size by name and checks them against each other.
result<launch> read_rank(launcher by, const char* rank_name, const char* size_name, const char* origin) {
  auto size = required(size_name, 1, memory::largest_job, rank_name);
  if (!size) return std::move(size).why();
  auto rank = required(rank_name, 0, many, size_name);
  if (!rank) return std::move(rank).why();
  if (rank.value() >= size.value()) {
    return failure{errc::launch_failed,
                   fmt::format("environment: {}={} but {}={}; a rank is less than the size. Start the "
                               "program by its launcher, or unset both to run it alone",
                               rank_name, rank.value(), size_name, size.value())};
  }
  launch found;
  found.by = by;
  found.rank = static_cast<rank_id>(rank.value());
  found.size = static_cast<rank_id>(size.value());
  found.origin = origin;
  return found;
}

status check_one_machine(const launch& found, const char* local_size_name) {
  auto local = integer_variable(local_size_name, 1, many);
  if (!local) return std::move(local).why();
  if (!local.value() || *local.value() == found.size) return {};
  return failure{
      errc::launch_failed,
      fmt::format("{} started {} ranks, {} of them on this machine ({}): several machines are not served yet; "
                  "start all ranks on one machine",
                  found.origin, found.size, *local.value(), local_size_name)};
}

std::string read_all(const std::string& path) {
  const descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  std::array<char, 4096> part{};
  for (;;) {
    const ssize_t got = file ? read(file.get(), part.data(), part.size()) : 0;
    if (got <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(got));
  }
}

/// Whether the process was started with exactly this setting.
bool started_with(pid_t pid, const std::string& setting) {
  const std::string block = '\0' + read_all(fmt::format("/proc/{}/environ", pid));
  return block.find('\0' + setting + '\0') != std::string::npos;
}

/// The launcher's process: the nearest ancestor that is not itself inside this rank (as a shell around the
/// program would be), told by a setting that only the rank's processes have.
pid_t launcher_process(const std::string& setting) {
  pid_t candidate = getppid();
  constexpr int deepest = 64;
  for (int depth = 0; depth < deepest && candidate > 1; ++depth) {
    // A launcher started inside another job carries that job's settings, so its name decides first.
    const bool is_proxy = read_all(fmt::format("/proc/{}/comm", candidate)) == "hydra_pmi_proxy\n";
    if (is_proxy || !started_with(candidate, setting)) break;
    const auto facts = memory::look_up_process(candidate);
    if (!facts) break;
    candidate = facts->parent;
  }
  return candidate;
}

std::uint64_t hash_text(std::string_view text) noexcept {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211u;
  return hash;
}

/// A number from facts that only the ranks of this job share.
std::uint64_t meeting_of(const launch& found, const char* telling_name) {
  const std::string_view telling = variable(telling_name).value_or("");
  const pid_t parent = launcher_process(fmt::format("{}={}", telling_name, telling));
  const auto facts = memory::look_up_process(parent);
  // PMI_FD differs between ranks and serves to find the launcher only.
  const std::string_view job_name = found.by == launcher::open_mpi ? telling : "";
  return hash_text(
      fmt::format("{} {} {} {} {}", geteuid(), parent, facts ? facts->start_time : 0, job_name, found.size));
}

result<launch> read_tutti_run() {
  auto found = read_rank(launcher::tutti_run, "TUTTI_RANK", "TUTTI_SIZE", "tutti run");
  if (!found) return found;
  auto fd = required("TUTTI_SEGMENT_FD", 0, many, "TUTTI_RANK");
  if (!fd) return std::move(fd).why();
  found.value().segment_fd = static_cast<int>(fd.value());
  return found;
}

result<launch> read_open_mpi() {
  auto found = read_rank(launcher::open_mpi, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "mpirun (Open MPI)");
  if (!found) return found;
  auto local = required("OMPI_COMM_WORLD_LOCAL_SIZE", 1, many, "OMPI_COMM_WORLD_SIZE");
  if (!local) return std::move(local).why();
  if (status one = check_one_machine(found.value(), "OMPI_COMM_WORLD_LOCAL_SIZE"); !one) return std::move(one).why();
  found.value().meeting = meeting_of(found.value(), "PMIX_NAMESPACE");
  return found;
}

result<launch> read_hydra() {
  auto found = read_rank(launcher::hydra, "PMI_RANK", "PMI_SIZE", "mpiexec (MPICH)");
  if (!found) return found;
  if (status one = check_one_machine(found.value(), "MPI_LOCALNRANKS"); !one) return std::move(one).why();
  found.value().meeting = meeting_of(found.value(), "PMI_FD");
  return found;
}

}  // namespace

result<launch> read_launch() {
  const auto any = [](auto... names) { return (variable(names).has_value() || ...); };
  if (any("TUTTI_SEGMENT_FD", "TUTTI_RANK", "TUTTI_SIZE")) return read_tutti_run();
  const bool open_mpi = any("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE");
  const bool hydra = any("PMI_RANK", "PMI_SIZE");
  if (open_mpi && hydra) {
    return failure{errc::launch_failed,
                   "environment: both Open MPI (OMPI_COMM_WORLD_RANK) and MPICH (PMI_RANK) seem to have started this "
                   "process; unset the variables of the one that did not"};
  }
  if (open_mpi) return read_open_mpi();
  if (hydra) return read_hydra();
  return launch{};
}

}  // namespace tutti::worlds
