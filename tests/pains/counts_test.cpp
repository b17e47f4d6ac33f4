// SPDX-License-Identifier: BSL-1.0
// Pains of counts and buffers: nothing, little, uneven, the same memory twice.
#include <sys/mman.h>

#include <numeric>

#include "pains/pains.hpp"

namespace tutti {
namespace {

using test::all_reduces;
using test::error_of;
using test::forced;
using test::has;

/// What rank `rank` contributes at place `index`; small enough that sums are exact in every order.
std::int64_t value_at_place(int rank, std::size_t index) {
  return (rank + 1) * 1000 + static_cast<std::int64_t>(index * 7 % 101);
}

std::vector<std::int64_t> contribution(int rank, std::size_t count) {
  std::vector<std::int64_t> made(count);
  for (std::size_t i = 0; i < count; ++i) made[i] = value_at_place(rank, i);
  return made;
}

std::vector<std::int64_t> sum_of_all(int size, std::size_t count) {
  std::vector<std::int64_t> all(count, 0);
  for (int rank = 0; rank < size; ++rank) {
    for (std::size_t i = 0; i < count; ++i) all[i] += value_at_place(rank, i);
  }
  return all;
}

/// One all_reduce of `count` elements by a forced algorithm, held against the plain sum.
void expect_sum(const communicator& comm, std::size_t count, const options& wishes) {
  const auto in = contribution(comm.rank(), count);
  std::vector<std::int64_t> out(count, -1);
  all_reduce(launch::sync, comm, in, out, std::plus{}, wishes);
  EXPECT_EQ(out, sum_of_all(comm.size(), count)) << wishes.algorithm << ", P=" << comm.size() << ", n=" << count;
}

TEST(Pain, P001_NothingToReduceStaysInStep) {
  for (int size = 2; size <= 4; ++size) {
    run_threads(size, [](const communicator& comm) {
      for (const auto* which : all_reduces()) {
        float untouched = 42;
        std::span<float> none(&untouched, 0);
        all_reduce(launch::sync, comm, none, none, std::plus{}, forced(*which));
        all_reduce(comm, in_place, none, std::plus{}, forced(*which)).get();
        EXPECT_EQ(untouched, 42.0F);
        expect_sum(comm, 4, forced(*which));
      }
    });
  }
}

TEST(Pain, P003_NullBuffersOfNothing) {
  run_threads(2, [](const communicator& comm) {
    const std::span<const int> in;
    const std::span<int> out;
    ASSERT_EQ(in.data(), out.data());
    all_reduce(launch::sync, comm, in, out, std::plus{});
    all_reduce(comm, in, out, std::plus{}).get();
    EXPECT_EQ(all_reduce(launch::sync, comm, 1, std::plus{}), 2);
  });
}

TEST(Pain, P011_FewerElementsThanRanks) {
  for (int size = 2; size <= 9; ++size) {
    run_threads(size, [size](const communicator& comm) {
      for (const auto* which : all_reduces()) {
        for (std::size_t count = 1; count <= static_cast<std::size_t>(2 * size); ++count)
          expect_sum(comm, count, forced(*which));
      }
    });
  }
}

TEST(Pain, P012_RingWithBlocksOfLengthZero) {
  run_threads(8, [](const communicator& comm) {
    constexpr std::size_t segment = 64;  // elements
    const options ring{.algorithm = "all_reduce/ring", .segment_bytes = segment * sizeof(std::int64_t)};
    for (const std::size_t count : {std::size_t{7}, 8 * segment + 3, segment - 1, segment + 1})
      expect_sum(comm, count, ring);
  });
}

TEST(Pain, P013_HalvingDoublingBelowItsNumberOfBlocks) {
  for (const auto& [size, count] : {std::pair(8, std::size_t{7}), {5, 3}, {8, 1}, {6, 2}}) {
    run_threads(size, [count = count](const communicator& comm) {
      const options wishes{.algorithm = "all_reduce/halving_doubling"};
      expect_sum(comm, count, wishes);
      std::vector<test::matrix> both(count);
      for (std::size_t i = 0; i < count; ++i) both[i] = test::matrix_at(comm.rank(), i);
      all_reduce(comm, in_place, both, test::product, wishes).get();
      for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(both[i], test::product_at(comm.size(), i));
    });
  }
}

/// Elements that a write to would be SIGSEGV.
class read_only_vector {
 public:
  explicit read_only_vector(const std::vector<double>& from) : bytes_(from.size() * sizeof(double)) {
    void* const memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    values_ = static_cast<double*>(memory);
    std::copy(from.begin(), from.end(), values_);
    mprotect(values_, bytes_, PROT_READ);
  }
  ~read_only_vector() { munmap(values_, bytes_); }
  read_only_vector(const read_only_vector&) = delete;
  read_only_vector& operator=(const read_only_vector&) = delete;
  std::span<const double> view() const { return {values_, bytes_ / sizeof(double)}; }

 private:
  std::size_t bytes_;
  double* values_ = nullptr;
};

TEST(Pain, P018_InputIsNeverWritten) {
  constexpr std::size_t count = 100'001;
  run_threads(6, [](const communicator& comm) {
    std::vector<double> mine(count);
    for (std::size_t i = 0; i < count; ++i) mine[i] = static_cast<double>((comm.rank() + 1) * (i % 1000));
    const read_only_vector in(mine);
    for (const auto* which : all_reduces()) {
      std::vector<double> out(count, -1);
      all_reduce(launch::sync, comm, in.view(), out, std::plus{}, forced(*which));
      for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(out[i], static_cast<double>(21 * (i % 1000))) << which->id;
    }
  });
}

TEST(Pain, P026_SameMemoryIsInPlaceAndPartialOverlapIsAnErrorEverywhere) {
  run_threads(4, [](const communicator& comm) {
    for (const auto* which : all_reduces()) {
      std::vector<int> both{comm.rank() + 1};
      all_reduce(launch::sync, comm, both, both, std::plus{}, forced(*which));
      EXPECT_EQ(both.front(), 10) << which->id;
    }
    std::vector<int> memory(12, 1);
    const std::span<int> all(memory);
    const std::size_t apart = comm.rank() == 2 ? 3 : 6;  // one rank's spans overlap
    const error why = error_of([&] { all_reduce(comm, all.first(6), all.subspan(apart, 6), std::plus{}).get(); });
    EXPECT_EQ(why.code(), errc::bad_argument);
    EXPECT_TRUE(has(why.what(), "overlap") && has(why.what(), "rank 2")) << why.what();
    EXPECT_EQ(all_reduce(launch::sync, comm, 1, std::plus{}), 4);
  });
}

/// Every way to call with one rank, for one algorithm.
void alone_by(const communicator& comm, const options& wishes) {
  const auto uncalled = [](int, int) -> int { throw std::logic_error("there is nothing to combine"); };
  EXPECT_EQ(all_reduce(comm, 7, uncalled, wishes).get(), 7);
  EXPECT_EQ(all_reduce(launch::sync, comm, 7, uncalled, wishes), 7);
  for (const std::size_t count : {std::size_t{0}, std::size_t{5}}) {
    std::vector<int> in(count);
    std::iota(in.begin(), in.end(), 1);
    std::vector<int> out(count, -1);
    all_reduce(launch::sync, comm, in, out, uncalled, wishes);
    EXPECT_EQ(out, in);
    out.assign(count, -1);
    all_reduce(comm, in, out, uncalled, wishes).get();
    EXPECT_EQ(out, in);
    std::vector<int> both = in;
    all_reduce(launch::sync, comm, in_place, both, uncalled, wishes);
    all_reduce(comm, in_place, both, uncalled, wishes).get();
    EXPECT_EQ(both, in);
  }
}

TEST(Pain, P134_AloneEverythingIsACopyAndTheOperatorIsNotCalled) {
  run_threads(1, [](const communicator& comm) {
    alone_by(comm, {});
    // A callable that is not declared commutative is refused where order is lost, but not where there is none.
    for (const auto* which : all_reduces()) alone_by(comm, forced(*which));
    for (const auto& one : algorithms::all()) {
      if (one.what != collective::barrier) continue;
      barrier(launch::sync, comm, forced(one));
      barrier(comm, forced(one)).get();
    }
    const communicator again = create_communicator("/pain/alone");
    EXPECT_EQ(all_reduce(launch::sync, again, 1.5, std::plus{}), 1.5);
  });
}

}  // namespace
}  // namespace tutti
