// SPDX-License-Identifier: BSL-1.0
#include "algorithms/exchange_phases.hpp"

#include <vector>

#include "algorithms/rank_arithmetic.hpp"

namespace tutti::algorithms {

using namespace schedules;

void fold_shares(builder& b, std::int32_t block, rank_id me, rank_id size) {
  std::vector<slice> operands(static_cast<std::size_t>(size));
  operands[static_cast<std::size_t>(me)] = input(block);
  for (rank_id steps = 1; steps < size; ++steps) {
    const rank_id source = around(me, -steps, size);
    const slice arriving = scratch(source < me ? source : source - 1, block);
    b.receive(arriving, source);
    operands[static_cast<std::size_t>(source)] = arriving;
  }
  b.reduce(output(block), operands);
}

void receive_parts(builder& b, rank_id me, rank_id size) {
  for (rank_id steps = 1; steps < size; ++steps) {
    const rank_id source = around(me, -steps, size);
    b.receive(output(source), source);
  }
}

}  // namespace tutti::algorithms
