// SPDX-License-Identifier: BSL-1.0
#include "algorithms/pairing.hpp"

namespace tutti::algorithms {

using namespace schedules;

buffer pairing::fold(builder& b, std::int32_t blocks) const {
  if (!is_paired()) return buffer::input;
  b.stage("fold pairs");
  if (!acts()) {
    b.send(input(0, blocks), me_ - 1);
    return buffer::input;
  }
  b.receive(scratch(0, 0, blocks), me_ + 1);
  b.reduce(output(0, blocks), {input(0, blocks), scratch(0, 0, blocks)});
  return buffer::output;
}

void pairing::unfold(builder& b, std::int32_t blocks) const {
  if (!is_paired()) return;
  b.stage("unfold pairs");
  if (acts()) {
    b.send(output(0, blocks), me_ + 1);
  } else {
    b.receive(output(0, blocks), me_ - 1);
  }
}

}  // namespace tutti::algorithms
