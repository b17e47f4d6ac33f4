// SPDX-License-Identifier: BSL-1.0
#include "algorithms/sweep.hpp"

namespace tutti::algorithms {

using namespace schedules;

void sweep(builder& b, const slice& mine, const slice& prefix, rank_id first, rank_id size, rank_id me) {
  const std::int64_t place = me - first + 1;  // from 1 on
  const std::int64_t count = size - first;
  slice held = mine;
  const auto fold_from = [&](std::int64_t distance) {
    b.receive(scratch(0, 0), static_cast<rank_id>(me - distance));
    b.reduce(prefix, {scratch(0, 0), held});
    held = prefix;
  };
  const auto send_to = [&](std::int64_t distance) {
    if (place + distance <= count) b.send(held, static_cast<rank_id>(me + distance));
  };
  std::int64_t distance = 1;
  for (; distance < count; distance *= 2) {
    b.stage("up distance", distance);
    if (place % (2 * distance) == 0) fold_from(distance);
    if (place % (2 * distance) == distance) send_to(distance);
  }
  for (distance /= 2; distance >= 1; distance /= 2) {
    b.stage("down distance", distance);
    if (place % (2 * distance) == distance && place > distance) fold_from(distance);
    if (place % (2 * distance) == 0) send_to(distance);
  }
  b.copy(held, prefix);  // only the first rank still holds its own
}

}  // namespace tutti::algorithms
