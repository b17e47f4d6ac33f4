// SPDX-License-Identifier: BSL-1.0
// A rank for the launcher's tests: joins, meets all others under one name, then does what it is told.
//   member meet          prints "rank/size origin"
//   member watch RANK    that rank kills itself; the others print what the process table says of it
#include <fmt/format.h>

#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <thread>

#include "world/bootstrap.hpp"

namespace {

using tutti::rank_id;

int fail(const tutti::failure& why) {
  fmt::print(stderr, "{}: {}\n", tutti::to_string(why.code), why.text);
  return 9;
}

int watch(const tutti::worlds::membership& me, rank_id victim) {
  if (me.rank() == victim) raise(SIGKILL);
  while (!me.job().look(victim).ended()) std::this_thread::yield();
  const auto view = me.job().look(victim);
  fmt::print("{} {} {}\n", to_string(view.state), view.signal, view.text);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  auto me = tutti::worlds::join_job();
  if (!me) return fail(me.why());
  const rank_id size = me.value().size();
  auto seat = me.value().names().join("everyone", size, me.value().rank(), me.value().rank(), 64);
  if (!seat) return fail(seat.why());
  for (rank_id peer = 0; peer < size; ++peer) {
    while (seat.value().occupant(peer) != peer) std::this_thread::yield();
  }
  if (argc == 3 && std::string(argv[1]) == "watch") return watch(me.value(), std::atoi(argv[2]));
  fmt::print("{}/{} {}\n", me.value().rank(), size, me.value().origin());
  return 0;
}
