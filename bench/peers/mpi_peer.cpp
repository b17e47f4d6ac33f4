// SPDX-License-Identifier: BSL-1.0
#include "peer.hpp"

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <cstdlib>

namespace peers {

peer::peer(int& argc, char**& argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

peer::~peer() { MPI_Finalize(); }

std::string peer::version() const {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::string first_line(text, static_cast<std::size_t>(length));
  return first_line.substr(0, first_line.find('\n'));
}

void* peer::shared_memory(std::size_t bytes) {
  // The window is never freed: MPI_Finalize does it, and the memory is wanted until then.
  void* base = nullptr;
  MPI_Win window = MPI_WIN_NULL;
  MPI_Win_allocate_shared(rank_ == 0 ? static_cast<MPI_Aint>(bytes) : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base,
                          &window);
  MPI_Aint size = 0;
  int unit = 0;
  MPI_Win_shared_query(window, 0, &size, &unit, &base);
  return base;
}

void peer::all_reduce_sum(const double* in, double* out, int count) {
  MPI_Allreduce(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

void peer::barrier() { MPI_Barrier(MPI_COMM_WORLD); }

void peer::end_everyone() {
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

}  // namespace peers
