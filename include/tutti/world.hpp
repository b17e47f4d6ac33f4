// SPDX-License-Identifier: BSL-1.0
// Who takes part: the processes that a launcher started, or threads of one process.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <string>

#include "tutti/communicator.hpp"

namespace tutti {

namespace core {
class context;
}

struct world_options {
  /// A thread of the library moves operations on while the program computes; TUTTI_PROGRESS_THREAD=1 asks for
  /// it too. It runs operators and continuations, and takes a core's time while operations are in flight.
  bool progress_thread = false;
};

/// This process's membership: rank of size ranks started by `tutti run -n P`, by Open MPI's mpirun or MPICH's
/// mpiexec on one machine, or alone (size 1). One at a time per process. Leaving it completes what is still in
/// flight, for at most TUTTI_DRAIN_SECONDS (default 10) and not at all while an exception passes.
/// Errors: launch_failed, no_space, bad_argument, invalid_state (a second world).
class world {
 public:
  world(int& argc, char**& argv, world_options wishes = {});
  explicit world(world_options wishes = {});
  ~world();
  world(const world&) = delete;
  world& operator=(const world&) = delete;

  int rank() const noexcept;
  int size() const noexcept;
  /// Who started it: "tutti run", "mpirun (Open MPI)", "mpiexec (MPICH)", "alone".
  const std::string& origin() const noexcept;
  /// Everyone, by rank.
  tutti::communicator communicator() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// Runs fn on `sites` threads, each a rank of a world of its own kind in this process; fn gets the communicator
/// of all of them. create_communicator() inside fn knows the thread's rank. Returns when all have ended; if some
/// threw, rethrows the exception of the lowest rank that failed on its own account.
/// Errors: bad_argument (sites outside 1 .. 4096), no_space.
void run_threads(int sites, const std::function<void(communicator)>& fn, world_options wishes = {});

}  // namespace tutti
