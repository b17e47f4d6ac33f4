// SPDX-License-Identifier: BSL-1.0
// all_reduce/ring: blocks travel to the right and gather every rank's share, then travel once more, complete.
//
// Shape    in and out: P blocks. Any P >= 1, any count, in place. After the first phase rank r owns block r + 1.
// Cost     2(P-1) rounds; each rank sends 2(P-1)/P vectors: 2(P-1)(alpha + beta M/P).
// Order    any: block i is folded in the order i, i+1, .., i-1 of ranks. Scratch  1 block.
// Source   Patarasuk, Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC 69(2),
//          2009, doi:10.1016/j.jpdc.2008.09.002.
#include "algorithms/rank_arithmetic.hpp"
#include "schedule/builder.hpp"

namespace tutti::algorithms::all_reduce {

using namespace schedules;

void ring(builder& b, const shape& s, rank_id me) {
  if (s.size == 1) return b.copy(input(0), output(0));
  const rank_id left = around(me, -1, s.size);
  const rank_id right = around(me, 1, s.size);
  for (rank_id step = 0; step + 1 < s.size; ++step) {
    const rank_id leaving = around(me, -step, s.size);
    const rank_id arriving = around(me, -step - 1, s.size);
    b.stage("reduce-scatter step", step);
    b.send(step == 0 ? input(leaving) : output(leaving), right);
    b.receive(scratch(0, arriving), left);
    b.reduce(output(arriving), {scratch(0, arriving), input(arriving)});
  }
  for (rank_id step = 0; step + 1 < s.size; ++step) {
    b.stage("all-gather step", step);
    b.send(output(around(me, 1 - step, s.size)), right);
    b.receive(output(around(me, -step, s.size)), left);
  }
}

}  // namespace tutti::algorithms::all_reduce
