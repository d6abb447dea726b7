#include "engine/vectors/nearest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "engine/vectors/vector_numbers.h"
#include "engine/vectors/vector_rows.h"

namespace hashrange {

static bool operator==(const Neighbour& a, const Neighbour& b) {
  return a.score == b.score && a.block == b.block && a.row == b.row;
}

static void PrintTo(const Neighbour& neighbour, std::ostream* out) {
  *out << neighbour.score << " at " << neighbour.block << ":" << neighbour.row;
}

namespace {

using ::testing::ElementsAre;

constexpr auto kFunctions = {DistanceFunction::kCosine, DistanceFunction::kEuclidean,
                             DistanceFunction::kDotProduct};
constexpr std::size_t kRowsPerBlock = 37;

struct Search {
  DistanceFunction function;
  std::vector<float> query;
  int k;
  std::function<bool(std::size_t)> accepts;  // by the number of the row among all
};

// Scans in double and sorts everything: what Nearest has to give.
double PlainScore(const Search& search, const float* row) {
  double dot = 0, square = 0, row_square = 0, query_square = 0;
  for (std::size_t i = 0; i < search.query.size(); ++i) {
    const double x = row[i];
    const double y = search.query[i];
    dot += x * y;
    square += (x - y) * (x - y);
    row_square += x * x;
    query_square += y * y;
  }
  if (search.function == DistanceFunction::kDotProduct) return dot;
  if (search.function == DistanceFunction::kEuclidean) return std::sqrt(square);
  if (row_square == 0 || query_square == 0) return 1;
  return std::min(2.0, std::max(0.0, 1 - dot / std::sqrt(row_square * query_square)));
}

std::vector<Neighbour> PlainScan(const Search& search, const VectorRows& rows) {
  std::vector<Neighbour> all;
  for (std::size_t i = 0; i < rows.count(); ++i) {
    if (!search.accepts(i)) continue;
    all.push_back({PlainScore(search, rows.row(i)), rows.block_of(i), rows.row_in_block(i)});
  }
  const bool descending = search.function == DistanceFunction::kDotProduct;
  std::stable_sort(all.begin(), all.end(), [&](const Neighbour& a, const Neighbour& b) {
    return descending ? a.score > b.score : a.score < b.score;
  });
  all.resize(std::min(all.size(), static_cast<std::size_t>(search.k)));
  constexpr double kMost = std::numeric_limits<float>::max();
  for (Neighbour& neighbour : all) {
    neighbour.score = static_cast<float>(std::min(kMost, std::max(-kMost, neighbour.score)));
  }
  return all;
}

std::vector<Neighbour> Found(const Search& search, const VectorRows& rows, InstructionSet set) {
  Nearest nearest(search.function, search.query, search.k, set);
  std::size_t first = 0;
  const std::vector<RowBlock> blocks = rows.blocks();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    nearest.Add(blocks[i], i + 1 < blocks.size() ? blocks[i + 1] : RowBlock{},
                [&](std::size_t row) { return search.accepts(first + row); });
    first += blocks[i].count;
  }
  return nearest.Best();
}

bool AcceptAll(std::size_t) { return true; }

using Random = std::mt19937;

float Normal(Random& random) { return std::normal_distribution<float>()(random); }

// A float of any magnitude, from the smallest to the greatest.
float OfAnyMagnitude(Random& random) {
  const int exponent = std::uniform_int_distribution(-149, 126)(random);
  return std::ldexp(Normal(random) / 8, exponent);
}

// How the rows of a case are made: the element `i` of a row, by the query's element.
struct RowKind {
  std::string name;
  std::function<float(Random&)> query_element;
  std::function<float(Random&, float query_element, std::size_t i)> element;
};

void PrintTo(const RowKind& kind, std::ostream* out) { *out << kind.name; }

std::vector<RowKind> RowKinds() {
  const auto normal = [](Random& random) { return Normal(random); };
  const auto scaled = [](float scale) {
    return [scale](Random& random, float, std::size_t) { return Normal(random) / 8 * scale; };
  };
  return {
      {"Ordinary", normal, scaled(8)},
      {"OppositeToTheQuery", normal,
       [](Random& random, float q, std::size_t) { return -q + 0.1F * Normal(random); }},
      // Rows that float cannot tell apart.
      {"NearTheQuery", normal,
       [](Random& random, float q, std::size_t) {
         return std::uniform_int_distribution(0, 3)(random) ? q : std::nextafter(q, 1e9F);
       }},
      // Rows that their coarse copies cannot tell apart.
      {"NearTheQueryByAHundredth", normal,
       [](Random& random, float q, std::size_t) { return q * (1 + 0.01F * Normal(random)); }},
      {"NearARow", normal,
       [](Random& random, float, std::size_t i) {
         const float base = static_cast<float>(i % 7) - 3.1F;
         return std::uniform_int_distribution(0, 3)(random) ? base : std::nextafter(base, 1e9F);
       }},
      {"HugeRows", normal, scaled(1e38F)},
      {"HugeRowsAndQuery", [](Random& random) { return Normal(random) * 5e37F; }, scaled(3e38F)},
      {"RowsAndQueryWhoseSquaresOverflow", [](Random& random) { return Normal(random) * 1e19F; },
       scaled(3e19F)},
      {"TinyRows", normal, scaled(1e-42F)},
      {"TinyRowsAndQuery", [](Random& random) { return Normal(random) * 1e-22F; }, scaled(1e-22F)},
      {"SubnormalRowsAndHugeQuery", [](Random& random) { return Normal(random) * 1e37F; },
       scaled(1e-43F)},
      {"AnyMagnitude", OfAnyMagnitude,
       [](Random& random, float, std::size_t) { return OfAnyMagnitude(random); }},
      // Each pair of elements has nearly opposite products.
      {"Cancellation", [](Random&) { return 1.0F; },
       [](Random& random, float, std::size_t i) {
         const float great = static_cast<float>(i / 2 * 1001 + 1) * (i % 2 ? -1.0F : 1.0F);
         return great + 1e-4F * Normal(random);
       }},
      {"Duplicates", normal,
       [](Random& random, float, std::size_t) {
         return std::uniform_int_distribution(0, 9)(random) ? 1.0F : 2.0F;
       }},
      {"Zeros", normal,
       [](Random& random, float, std::size_t) {
         return std::uniform_int_distribution(0, 99)(random) ? 0.0F : -1.0F;
       }},
      {"ZeroQuery", [](Random&) { return 0.0F; }, scaled(8)},
  };
}

void ExpectPlainScan(const Search& search, const VectorRows& rows) {
  const std::vector<Neighbour> expected = PlainScan(search, rows);
  for (const InstructionSet set : MachineInstructionSets()) {
    ASSERT_EQ(Found(search, rows, set), expected)
        << "function " << static_cast<int>(search.function) << ", k " << search.k << ", set "
        << static_cast<int>(set) << ", dimensions " << search.query.size() << ", rows "
        << rows.count();
  }
}

class NearestTest : public ::testing::TestWithParam<RowKind> {
 protected:
  void ExpectPlainScans(std::size_t dimensions, std::size_t count, Random& random) {
    std::vector<float> query(dimensions);
    for (float& element : query) element = GetParam().query_element(random);
    VectorRows rows(dimensions, kRowsPerBlock);
    std::vector<float> row(dimensions);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < dimensions; ++j) {
        row[j] = GetParam().element(random, query[j], j);
      }
      rows.Append(row);
    }
    for (const DistanceFunction function : kFunctions) {
      for (const int k : {1, 10, 100}) {
        ExpectPlainScan({function, query, k, AcceptAll}, rows);
        ExpectPlainScan({function, query, k, [](std::size_t i) { return i % 3 == 1; }}, rows);
      }
    }
  }
};

TEST_P(NearestTest, GivesWhatAScanInDoubleGives) {
  Random random(20261128);
  for (const std::size_t dimensions : {1, 3, 16, 17, 100, 256, 600}) {
    for (const std::size_t count : {1, 38, 300}) {
      ASSERT_NO_FATAL_FAILURE(ExpectPlainScans(dimensions, count, random));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, NearestTest, ::testing::ValuesIn(RowKinds()),
                         [](const auto& test) { return test.param.name; });

// Rows of different magnitudes, and copies of some rows.
TEST(NearestMagnitudesTest, GivesWhatAScanInDoubleGives) {
  Numbers numbers(6);
  for (const std::size_t dimensions : {1, 3, 16, 256, 4096}) {
    for (int round = 0; round < (dimensions > 1000 ? 3 : 30); ++round) {
      const std::vector<float> query = numbers.Vector(dimensions);
      VectorRows rows(dimensions, kRowsPerBlock);
      std::vector<float> row;
      for (int i = 0; i < 150; ++i) {
        if (i == 0 || numbers.Below(5) > 0) row = numbers.Vector(dimensions);
        rows.Append(row);
      }
      for (const DistanceFunction function : kFunctions) {
        for (const int k : {1, 7}) {
          ASSERT_NO_FATAL_FAILURE(ExpectPlainScan({function, query, k, AcceptAll}, rows));
        }
      }
    }
  }
}

// More blocks than those that are passed after one whose rows were left.
TEST(NearestMagnitudesTest, FindsRowsAmongManyBlocks) {
  Random random(7);
  VectorRows rows(16, 4);
  std::vector<float> query(16), row(16);
  for (float& element : query) element = Normal(random);
  for (int i = 0; i < 1000; ++i) {
    const float scale = i / 100 % 2 ? 0.001F : 1;
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = query[j] + scale * Normal(random);
    rows.Append(row);
  }
  for (const DistanceFunction function : kFunctions) {
    ExpectPlainScan({function, query, 10, AcceptAll}, rows);
  }
}

VectorRows RowsOfOne(const std::vector<float>& elements, std::size_t rows_per_block) {
  VectorRows rows(1, rows_per_block);
  for (const float element : elements) rows.Append(std::span(&element, 1));
  return rows;
}

TEST(NearestFilterTest, AsksOnlyForRowsThatAreBetterThanTheWorst) {
  const VectorRows rows = RowsOfOne({5, 9, 1, 9, 4, 6, 3, 2}, 3);
  std::vector<std::size_t> asked;
  const Search search{DistanceFunction::kEuclidean, {0}, 2, [&](std::size_t i) {
                        asked.push_back(i);
                        return i != 2 && i != 6;
                      }};
  // 1 and 3 are refused; 6 and the second 9 are worse than 4 and 5.
  EXPECT_THAT(Found(search, rows, WidestInstructionSet()),
              ElementsAre(Neighbour{2, 2, 1}, Neighbour{4, 1, 1}));
  EXPECT_THAT(asked, ElementsAre(0, 1, 2, 4, 6, 7));
}

TEST(NearestOrderTest, EqualScoresStandInTheOrderOfBlockAndRow) {
  const VectorRows rows = RowsOfOne({1, 2, 2, 2, 2, 3}, 2);
  const Search search{DistanceFunction::kDotProduct, {1}, 4, AcceptAll};
  EXPECT_THAT(
      Found(search, rows, WidestInstructionSet()),
      ElementsAre(Neighbour{3, 2, 1}, Neighbour{2, 0, 1}, Neighbour{2, 1, 0}, Neighbour{2, 1, 1}));
}

TEST(NearestOrderTest, NothingIsFoundWithoutRowsOrWithoutRoom) {
  for (const DistanceFunction function : kFunctions) {
    EXPECT_THAT(Found({function, {1}, 3, AcceptAll}, RowsOfOne({}, 2), WidestInstructionSet()),
                ElementsAre());
    EXPECT_THAT(Found({function, {1}, 0, AcceptAll}, RowsOfOne({1}, 2), WidestInstructionSet()),
                ElementsAre());
  }
}

TEST(NearestOrderTest, EveryMachineHasTheBaseline) {
  EXPECT_EQ(MachineInstructionSets().front(), InstructionSet::kBaseline);
  EXPECT_EQ(MachineInstructionSets().back(), WidestInstructionSet());
}

}  // namespace
}  // namespace hashrange
