// SPDX-License-Identifier: BSL-1.0
// all_reduce/halving_doubling: partners at distance 1, 2, 4, .. halve what each still owns, then double it back.
//
// Shape    in and out: 2^L blocks, L = floor(log2 P). Any P >= 1, any count, in place. The partner with the
//          distance's bit clear keeps the lower half, so blocks end up at the ranks in bit-reversed order.
// Cost     2L rounds; each rank sends 2(2^L - 1)/2^L vectors: 2L alpha + 2(P-1)/P beta M. Where P is no power of
//          two, 2 more rounds of whole vectors fold and unfold pairs.
// Order    rank order, the lower partner's operand first. Scratch  half a vector; a whole one where pairs fold.
// Source   Rabenseifner, "Optimization of Collective Reduction Operations", ICCS 2004,
//          doi:10.1007/978-3-540-24685-5_1; here neighbors pair.
#include "algorithms/pairing.hpp"

namespace tutti::algorithms::all_reduce {

using namespace schedules;

namespace {

struct owned {
  buffer where;
  std::int32_t first;
  std::int32_t count;

  slice part(std::int32_t begin, std::int32_t length) const { return {where, begin, length, begin}; }
};

void halve(builder& b, const pairing& p, rank_id distance, owned& mine) {
  const rank_id partner = p.rank_of(p.actor() ^ distance);
  const bool lower = (p.actor() & distance) == 0;
  const std::int32_t half = mine.count / 2;
  const std::int32_t kept = lower ? mine.first : mine.first + half;
  const std::int32_t given = lower ? mine.first + half : mine.first;
  const slice arriving = scratch(0, kept, half);
  b.stage("halving distance", distance);
  b.send(mine.part(given, half), partner);
  b.receive(arriving, partner);
  if (lower) {
    b.reduce(output(kept, half), {mine.part(kept, half), arriving});
  } else {
    b.reduce(output(kept, half), {arriving, mine.part(kept, half)});
  }
  mine = {buffer::output, kept, half};
}

void double_back(builder& b, const pairing& p, rank_id distance, owned& mine) {
  const rank_id partner = p.rank_of(p.actor() ^ distance);
  const bool lower = (p.actor() & distance) == 0;
  const std::int32_t sibling = lower ? mine.first + mine.count : mine.first - mine.count;
  b.stage("doubling distance", distance);
  b.send(output(mine.first, mine.count), partner);
  b.receive(output(sibling, mine.count), partner);
  mine = {buffer::output, std::min(mine.first, sibling), 2 * mine.count};
}

}  // namespace

void halving_doubling(builder& b, const shape& s, rank_id me) {
  const pairing p(s.size, me);
  owned mine{p.fold(b, p.actors()), 0, p.actors()};
  if (p.acts()) {
    for (rank_id distance = 1; distance < p.actors(); distance *= 2) halve(b, p, distance, mine);
    b.copy(mine.part(mine.first, mine.count), output(mine.first, mine.count));  // only a rank alone holds its input
    for (rank_id distance = p.actors() / 2; distance >= 1; distance /= 2) double_back(b, p, distance, mine);
  }
  p.unfold(b, p.actors());
}

}  // namespace tutti::algorithms::all_reduce
