// SPDX-License-Identifier: BSL-1.0
// The collectives that move blocks and the scans, called wrongly or left alone: an error on every rank, never a hang,
// and the next call works.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "support/each_rank.hpp"

namespace tutti {
namespace {

using test::attempt;
using test::ending;

using numbers = std::vector<std::int64_t>;

struct family_call {
  const char* name;
  const char* text;  ///< in the error's words
  std::function<void(const communicator&)> make;
};

std::vector<family_call> family_misuses() {
  return {
      {"root_below_zero", "broadcast: root -2 is none of the ranks 0 to 2",
       [](const auto& comm) { broadcast(comm, 1, root_site_arg(-2)).get(); }},
      {"root_above_all", "gather: root 3 is none of the ranks 0 to 2",
       [](const auto& comm) { gather(launch::sync, comm, 1, root_site_arg(comm.size())); }},
      {"root_beyond_32_bits", "reduce: root 2147483647 is none of the ranks 0 to 2",
       [](const auto& comm) { reduce(comm, 1, std::plus{}, root_site_arg(std::int64_t{1} << 40)).get(); }},
      {"scatter_to_too_few", "scatter: the input has 2 elements; it must have 3, one block of 1 for each of 3 ranks",
       [](const auto& comm) {
         if (comm.rank() == 1) {
           scatter_to(comm, numbers{1, 2}).get();
         } else {
           scatter_from<std::int64_t>(comm, root_site_arg(1)).get();
         }
       }},
      {"gather_into_too_little",
       "gather: the output has 5 elements; it must have 6, one block of 2 for each of 3 ranks",
       [](const auto& comm) {
         const numbers in(2);
         numbers out(5);
         gather(comm, in, out, root_site_arg(2)).get();
       }},
      {"all_gather_in_place_of_a_rest", "all_gather: the output has 7 elements; it must have 6",
       [](const auto& comm) {
         numbers both(7);
         all_gather(launch::sync, comm, in_place, both);
       }},
      {"all_to_all_of_a_rest", "all_to_all: the input has 7 elements; it must have 6",
       [](const auto& comm) {
         const numbers in(7);
         numbers out(7);
         all_to_all(comm, in, out).get();
       }},
      {"all_to_all_values_too_many", "all_to_all: the input has 4 elements; it must have 3",
       [](const auto& comm) { all_to_all(comm, numbers(4)).get(); }},
      {"all_to_all_overlap", "all_to_all: input and output overlap; they must be apart",
       [](const auto& comm) {
         numbers both(6);
         all_to_all(comm, both, both).get();
       }},
      {"reduce_scatter_of_too_few", "reduce_scatter: the input has 5 elements; it must have 6",
       [](const auto& comm) {
         const numbers in(5);
         numbers out(2);
         reduce_scatter(comm, in, out, std::plus{}).get();
       }},
      {"reduce_scatter_into_another_block", "one with this rank's block at its place in both",
       [](const auto& comm) {
         numbers both(6);
         reduce_scatter(comm, both, std::span(both).subspan(static_cast<std::size_t>((comm.rank() + 1) % 3) * 2, 2),
                        std::plus{})
             .get();
       }},
      {"scan_of_unequal_sizes", "inclusive_scan: the input has 3 elements and the output 4; they must be equal",
       [](const auto& comm) {
         const numbers in(3);
         numbers out(4);
         inclusive_scan(launch::sync, comm, in, out, std::plus{});
       }},
      {"half_of_the_others_on_the_root", "broadcast: rank 1 is the root, and gives no data",
       [](const auto& comm) { broadcast_from<int>(comm, root_site_arg(1)).get(); }},
      {"half_of_the_others_on_the_gathering_root", "gather: rank 0 is the root, and has no room for the result",
       [](const auto& comm) { gather_there(comm, 1).get(); }},
      {"null_output", "scatter: 1 elements at a null pointer",
       [](const auto& comm) {
         const numbers in(3);
         scatter(comm, in, std::span<std::int64_t>(static_cast<std::int64_t*>(nullptr), 1)).get();
       }},
      {"no_pieces", "options: pieces is 0; it must be 1 to 4096",
       [](const auto& comm) { broadcast(comm, 1, {}, {.pieces = 0}).get(); }},
      {"too_many_pieces", "options: pieces is 4097; it must be 1 to 4096",
       [](const auto& comm) { broadcast(comm, 1, {}, {.pieces = 4097}).get(); }},
      {"all_blocks_beyond_63_bits", "all_gather: 1152921504606846975 x 8 bytes for each of 3 ranks do not fit 63 bits",
       [](const auto& comm) {
         std::int64_t one = 0;
         std::int64_t other = 0;
         constexpr auto count = std::numeric_limits<std::size_t>::max() / 16;
         all_gather(comm, std::span<const std::int64_t>(&one, count), std::span<std::int64_t>(&other, count)).get();
       }},
  };
}

class family_misuse : public testing::TestWithParam<family_call> {};

TEST_P(family_misuse, is_told_to_every_rank) {
  const family_call& misuse = GetParam();
  const auto endings = test::each_rank(3, [&](const communicator& comm) {
    const ending ended = attempt([&] { misuse.make(comm); });
    EXPECT_TRUE(test::still_works(comm));
    return ended;
  });
  for (const ending& one : endings) {
    EXPECT_EQ(one.code, errc::bad_argument) << one.text;
    EXPECT_NE(one.text.find(misuse.text), std::string::npos) << one.text;
    EXPECT_EQ(one.text, endings[0].text);
  }
}

INSTANTIATE_TEST_SUITE_P(calls, family_misuse, testing::ValuesIn(family_misuses()),
                         [](const auto& one) { return one.param.name; });

/// Rank 1 makes the second call, the others the first.
void expect_mismatch(const std::function<void(const communicator&)>& usual,
                     const std::function<void(const communicator&)>& other, const char* one_text,
                     const char* other_text) {
  for (const int sites : {2, 3, 5}) {
    const auto endings = test::each_rank(sites, [&](const communicator& comm) {
      const ending ended = attempt([&] { comm.rank() == 1 ? other(comm) : usual(comm); });
      EXPECT_TRUE(test::still_works(comm));
      return ended;
    });
    for (const ending& one : endings) {
      EXPECT_EQ(one.code, errc::mismatch) << one.text;
      EXPECT_NE(one.text.find(one_text), std::string::npos) << one.text;
      EXPECT_NE(one.text.find(other_text), std::string::npos) << one.text;
      EXPECT_EQ(one.text, endings[0].text);
    }
  }
}

TEST(family_mismatch, of_roots) {
  for (const std::size_t count : {std::size_t{1}, std::size_t{50'000}}) {
    const auto by_root = [count](int root) {
      return [=](const communicator& comm) {
        std::vector<int> data(count);
        broadcast(comm, std::span(data), root_site_arg(root)).get();
      };
    };
    expect_mismatch(by_root(0), by_root(1), "with root 0", "with root 1");
  }
}

TEST(family_mismatch, of_collectives) {
  expect_mismatch([](const auto& comm) { all_gather(comm, 1).get(); }, [](const auto& comm) { gather(comm, 1).get(); },
                  "called all_gather", "called gather");
  expect_mismatch([](const auto& comm) { scatter(comm, numbers(static_cast<std::size_t>(comm.size()))).get(); },
                  [](const auto& comm) { reduce_there(comm, 1, std::plus{}).get(); }, "called scatter",
                  "called reduce");
  expect_mismatch([](const auto& comm) { inclusive_scan(comm, 1, std::plus{}).get(); },
                  [](const auto& comm) { barrier(comm).get(); }, "called inclusive_scan", "called barrier");
}

TEST(family_mismatch, of_counts) {
  expect_mismatch(
      [](const auto& comm) {
        const numbers in(3);
        numbers out(3 * static_cast<std::size_t>(comm.size()));
        all_gather(comm, in, out).get();
      },
      [](const auto& comm) {
        const numbers in(4);
        numbers out(4 * static_cast<std::size_t>(comm.size()));
        all_gather(comm, in, out).get();
      },
      "all_gather of 3 x", "all_gather of 4 x");
}

/// An operator that throws on one rank: there the exception, elsewhere operator_failed, and the next call works.
void expect_operator_failure(const std::function<void(const communicator&, const std::function<int(int, int)>&)>& make,
                             int thrower) {
  const auto endings = test::each_rank(4, [&](const communicator& comm) {
    const std::function<int(int, int)> doubtful = [&comm, thrower](int a, int b) {
      if (comm.rank() == thrower) throw std::domain_error("no sum today");
      return a + b;
    };
    const ending ended = attempt([&] { make(comm, doubtful); });
    EXPECT_TRUE(test::still_works(comm));
    return ended;
  });
  for (int rank = 0; rank < 4; ++rank) {
    const ending& one = endings[static_cast<std::size_t>(rank)];
    EXPECT_FALSE(one.well);
    EXPECT_EQ(one.code, rank == thrower ? errc::success : errc::operator_failed) << one.text;
    EXPECT_NE(one.text.find("no sum today"), std::string::npos) << one.text;
  }
}

TEST(family_operator, that_throws_is_told_to_every_rank) {
  expect_operator_failure([](const auto& comm, const auto& op) { reduce(comm, 1, op).get(); }, 0);
  expect_operator_failure([](const auto& comm, const auto& op) { reduce(launch::sync, comm, 1, op, root_site_arg(2)); },
                          2);
  expect_operator_failure([](const auto& comm, const auto& op) { reduce_scatter(comm, std::vector<int>(4), op).get(); },
                          3);
  expect_operator_failure([](const auto& comm, const auto& op) { inclusive_scan(comm, 1, op).get(); }, 2);
  expect_operator_failure([](const auto& comm, const auto& op) { exclusive_scan(comm, 1, op).get(); }, 2);
  expect_operator_failure([](const auto& comm, const auto& op) { exclusive_scan(comm, 1, 7, op).get(); }, 0);
  expect_operator_failure([](const auto& comm, const auto& op) { exclusive_scan(launch::sync, comm, 1, 7, op); }, 0);
}

/// A future dropped at once, and the memory overwritten: what the others get is right all the same.
TEST(family_dropped, goes_on_with_copies) {
  constexpr std::size_t count = 30'000;  // more than is on its way at once
  constexpr std::size_t ranks = 4;
  const auto numbered = [](std::size_t size, std::int64_t first) {
    numbers made(size);
    std::iota(made.begin(), made.end(), first);
    return made;
  };
  const auto first_of = [](std::size_t rank) { return static_cast<std::int64_t>(1'000'000 * rank); };
  for (const int dropper : {0, 1, 3}) {
    test::each_rank(ranks, [&](const communicator& comm) {
      const auto me = static_cast<std::size_t>(comm.rank());
      const root_site_arg root(1);
      const auto end = [&](future<void> begun, numbers& in, numbers& out, const numbers& wanted) {
        if (comm.rank() != dropper) {
          begun.get();
          EXPECT_EQ(out, wanted) << "rank " << me << ", dropped by " << dropper;
          return;
        }
        begun = {};
        std::fill(in.begin(), in.end(), -1);
        std::fill(out.begin(), out.end(), -1);
        out.clear();
        out.shrink_to_fit();
      };
      {
        numbers in = numbered(me == 1 ? ranks * count : 0, 9);
        numbers out(count);
        end(scatter(comm, in, out, root), in, out, numbered(count, 9 + static_cast<std::int64_t>(me * count)));
      }
      {
        numbers none;
        numbers both = me == 1 ? numbered(count, 5) : numbers(count);
        end(broadcast(comm, std::span(both), root), none, both, numbered(count, 5));
      }
      {
        numbers all(ranks * count, 0);
        numbers wanted;
        for (std::size_t r = 0; r < ranks; ++r) {
          const numbers part = numbered(count, first_of(r));
          if (r == me) std::copy(part.begin(), part.end(), all.begin() + static_cast<std::ptrdiff_t>(r * count));
          wanted.insert(wanted.end(), part.begin(), part.end());
        }
        numbers none;
        end(all_gather(comm, in_place, all), none, all, wanted);
      }
      {
        numbers all;
        numbers wanted;
        for (std::size_t r = 0; r < ranks; ++r) {
          const numbers for_r = numbered(count, first_of(me) + static_cast<std::int64_t>(r));
          const numbers from_r = numbered(count, first_of(r) + static_cast<std::int64_t>(me));
          all.insert(all.end(), for_r.begin(), for_r.end());
          wanted.insert(wanted.end(), from_r.begin(), from_r.end());
        }
        numbers none;
        end(all_to_all(comm, in_place, all), none, all, wanted);
      }
      barrier(launch::sync, comm);
      return 0;
    });
  }
}

}  // namespace
}  // namespace tutti
