// SPDX-License-Identifier: BSL-1.0
// Gloo over TCP on the loopback device. `tutti run` starts the ranks; they find each other through files in the folder
// that TUTTI_PEERS_FOLDER names.
#include <gloo/allreduce.h>
#include <gloo/barrier.h>
#include <gloo/math.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/transport/tcp/device.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "peer.hpp"

namespace peers {
namespace {

std::shared_ptr<gloo::rendezvous::Context> everyone;

int number(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) throw std::runtime_error(std::string(variable) + " is not set: start this by `tutti run`");
  return std::atoi(text);
}

using reduction = void (*)(void*, const void*, const void*, std::size_t);

template <class T>
void all_reduce(reduction combine, const T* in, T* out, std::size_t count) {
  gloo::AllreduceOptions call(everyone);
  call.setInput(const_cast<T*>(in), count);
  call.setOutput(out, count);
  call.setReduceFunction(combine);
  gloo::allreduce(call);
}

}  // namespace

peer::peer(int&, char**&) : rank_(number("TUTTI_RANK")), size_(number("TUTTI_SIZE")) {
  const char* const folder = std::getenv("TUTTI_PEERS_FOLDER");
  if (folder == nullptr) throw std::runtime_error("TUTTI_PEERS_FOLDER is not set");
  gloo::transport::tcp::attr where;
  where.iface = "lo";
  everyone = std::make_shared<gloo::rendezvous::Context>(rank_, size_);
  gloo::rendezvous::FileStore store(folder);
  auto device = gloo::transport::tcp::CreateDevice(where);
  everyone->connectFullMesh(store, device);
}

peer::~peer() {
  barrier();
  everyone.reset();
}

std::string peer::version() const { return "Gloo over TCP, loopback"; }

void* peer::shared_memory(std::size_t bytes) {
  std::int64_t mine[2] = {0, 0};
  if (rank_ == 0) {
    const int made = memfd_create("tutti_peers", MFD_CLOEXEC);
    if (made < 0 || ftruncate(made, static_cast<off_t>(bytes)) != 0) throw std::runtime_error("no shared memory");
    mine[0] = getpid();
    mine[1] = made;
  }
  std::int64_t of_rank_0[2] = {0, 0};
  all_reduce<std::int64_t>(&gloo::max<std::int64_t>, mine, of_rank_0, 2);
  const std::string path = "/proc/" + std::to_string(of_rank_0[0]) + "/fd/" + std::to_string(of_rank_0[1]);
  std::FILE* const file = std::fopen(path.c_str(), "r+");
  void* const memory =
      file == nullptr ? MAP_FAILED : mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
  if (memory == MAP_FAILED) throw std::runtime_error("cannot map " + path);
  std::fclose(file);
  barrier();
  return memory;
}

void peer::all_reduce_sum(const double* in, double* out, int count) {
  all_reduce<double>(&gloo::sum<double>, in, out, static_cast<std::size_t>(count));
}

void peer::barrier() {
  gloo::BarrierOptions call(everyone);
  gloo::barrier(call);
}

void peer::end_everyone() { std::_Exit(1); }

}  // namespace peers
