// SPDX-License-Identifier: BSL-1.0
// Races tutti against the MPI it is linked with, on the ranks that MPI's launcher started. bench/peers/run starts it.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "bare_flags.hpp"
#include "contest.hpp"
#include "peer.hpp"
#include "report.hpp"
#include "start_line.hpp"
#include "tutti/tutti.hpp"

namespace {

struct wishes {
  std::vector<std::string> rows;
  peers::limits limits;
  std::uint64_t seed = 1;
  std::string json_file;
  unsigned stop_after_seconds = 120;
};

/// barrier, all_reduce:BYTES, or future:BYTES, which compares the value form with the blocking form.
peers::row row_of(const std::string& text) {
  if (text == "barrier") return {};
  const auto colon = text.find(':');
  const std::string what = text.substr(0, colon);
  if (colon == std::string::npos || (what != "all_reduce" && what != "future"))
    throw std::invalid_argument("--rows: `" + text + "` is none of barrier, all_reduce:BYTES, future:8");
  peers::row made{peers::operation::all_reduce, std::stoul(text.substr(colon + 1))};
  if (made.bytes == 0 || made.bytes % sizeof(double) != 0)
    throw std::invalid_argument("--rows: `" + text + "`: the bytes must be a multiple of 8");
  if (what == "future") {
    if (made.bytes != sizeof(double)) throw std::invalid_argument("--rows: `" + text + "`: a value has 8 bytes");
    made.sides = {peers::side::blocking, peers::side::future};
  }
  return made;
}

void race(peers::peer& mpi, const wishes& wanted) {
  const tutti::world world;
  if (world.size() != mpi.size() || world.rank() != mpi.rank())
    throw std::runtime_error(
        "tutti and the MPI disagree about rank or size; start this with the MPI it is linked with");
  if (world.size() > peers::largest_job) throw std::runtime_error("at most 16 ranks");

  void* const memory = mpi.shared_memory(sizeof(peers::board) + alignof(peers::board));
  std::size_t room = sizeof(peers::board) + alignof(peers::board);
  void* place = memory;
  place = std::align(alignof(peers::board), sizeof(peers::board), place, room);
  if (mpi.rank() == 0) new (place) peers::board;
  peers::peer::barrier();
  auto& board = *static_cast<peers::board*>(place);

  const auto waiting = wanted.limits.strangers                   ? peers::waiting::sleep
                       : mpi.size() <= peers::cores_of_machine() ? peers::waiting::spin
                                                                 : peers::waiting::yield;
  peers::start_line line(board, mpi.rank(), mpi.size(), waiting);
  nlohmann::json report{
      {"mpi", mpi.version()}, {"tutti_started_by", world.origin()}, {"rows", nlohmann::json::array()}};
  // Among strangers flags alone would wait for whole time slices: there the floor is another question.
  if (!wanted.limits.strangers) report["bare_exchange_microseconds"] = peers::bare_exchange_microseconds(line);
  for (const std::string& text : wanted.rows) {
    peers::contest contest(row_of(text), world.communicator(), line, wanted.limits, wanted.seed);
    const peers::outcome outcome = contest.run();
    if (mpi.rank() == 0) report["rows"].push_back(peers::as_json(outcome, mpi.size(), wanted.seed));
  }
  if (mpi.rank() != 0) return;
  std::ofstream file(wanted.json_file);
  file << report.dump() << '\n';
  if (!file.flush()) throw std::runtime_error("cannot write " + wanted.json_file);
}

}  // namespace

int main(int argc, char** argv) {
  wishes wanted;
  CLI::App app("Races tutti against the MPI this driver is linked with.");
  app.add_option("--rows", wanted.rows, "barrier, all_reduce:BYTES, future:8; in this order")
      ->required()
      ->delimiter(',');
  app.add_option("--json", wanted.json_file, "where the outcome goes")->required();
  app.add_option("--seconds", wanted.limits.seconds, "for each row")->check(CLI::PositiveNumber);
  app.add_option("--blocks", wanted.limits.most_blocks, "most blocks of a row")->check(CLI::PositiveNumber);
  app.add_option("--seed", wanted.seed, "of the order of sides in a block");
  app.add_option("--stop-after", wanted.stop_after_seconds, "seconds until every rank ends itself");
  app.add_flag("--strangers", wanted.limits.strangers, "strangers keep the cores busy on purpose");
  CLI11_PARSE(app, argc, argv);

  alarm(wanted.stop_after_seconds);
  peers::peer mpi(argc, argv);
  try {
    race(mpi, wanted);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "rank %d: %s\n", mpi.rank(), e.what());
    peers::peer::end_everyone();
  }
  return 0;
}
