// Measures a search of 100,000 vectors of 256 dimensions (102 MB, and coarse copies of 26 MB),
// which lie in blocks of 64 KB. Each iteration also reads, with the widest loads of the machine,
// the bytes of all coarse copies and those of all rows. The counters have the least processor time
// of all iterations: search_ms, read_ms (the coarse copies), read_rows_ms, and the ratio of the
// search to the read of all rows. With HASHRANGE_FAISS, faiss_ms is the best of a search in an
// exact index of FAISS on one thread.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "engine/vectors/nearest.h"

#ifdef HASHRANGE_FAISS
#include <faiss/IndexFlat.h>
#include <omp.h>
#endif

namespace hashrange {
namespace {

constexpr int kDimensions = 256;
constexpr std::size_t kVectors = 100'000;
constexpr std::size_t kStride = RowStride(kDimensions);
constexpr std::size_t kRowsPerBlock = 64 * 1024 / (5 * kStride + sizeof(RowMeasures) + 16);
constexpr int kRounds = 20;

struct alignas(64) Block {
  void Append(const std::vector<float>& elements) {
    float* row = rows + count * kStride;
    std::copy(elements.begin(), elements.end(), row);
    measures[count] = MakeCoarse(row, kDimensions, coarse + count * kStride);
    ++count;
  }

  RowMeasures measures[kRowsPerBlock];
  alignas(64) std::int8_t coarse[kRowsPerBlock * kStride];
  alignas(64) float rows[kRowsPerBlock * kStride];
  std::size_t count = 0;

  RowBlock AsRows() const { return {rows, coarse, measures, count}; }
};

std::vector<float> NormalElements(std::size_t count, std::mt19937& random) {
  std::normal_distribution<float> normal;
  std::vector<float> elements(count);
  for (float& element : elements) element = normal(random);
  return elements;
}

// The rows of a search. Those of kNear are so near to each other, and to the query, that their
// coarse copies do not tell them apart.
enum class Rows { kNormal, kNear };

struct Data {
  explicit Data(Rows kind) {
    std::mt19937 random(1);
    const std::vector<float> centre = NormalElements(kDimensions, random);
    const auto make = [&] {
      std::vector<float> elements = NormalElements(kDimensions, random);
      for (std::size_t i = 0; i < elements.size() && kind == Rows::kNear; ++i) {
        elements[i] = centre[i] + 0.01F * elements[i];
      }
      return elements;
    };
    query = make();
    for (std::size_t i = 0; i < kVectors; ++i) {
      if (i % kRowsPerBlock == 0) blocks.push_back(std::make_unique<Block>());
      blocks.back()->Append(make());
    }
    // Blocks that were made one after another would lie so in memory, too.
    std::shuffle(blocks.begin(), blocks.end(), random);
  }

  std::vector<float> query;
  std::vector<std::unique_ptr<Block>> blocks;
};

const Data& DataOf(Rows rows) {
  static const Data normal(Rows::kNormal), near(Rows::kNear);
  return rows == Rows::kNear ? near : normal;
}

// A function that reads by vectors of that many bytes, and returns something of all of them.
// Exclusive or takes less time than a load, and four of them do not wait for each other.
#define HR_READ(name, bytes, target)                                                  \
  target unsigned name(const void* begin, std::size_t size) {                         \
    typedef unsigned Vector __attribute__((vector_size(bytes), may_alias));           \
    const Vector* vectors = reinterpret_cast<const Vector*>(begin);                   \
    const std::size_t count = size / bytes;                                           \
    Vector a{}, b{}, c{}, d{};                                                        \
    for (std::size_t i = 0; i < count; i += 4) {                                      \
      a ^= vectors[i], b ^= vectors[i + 1], c ^= vectors[i + 2], d ^= vectors[i + 3]; \
    }                                                                                 \
    a ^= b ^ c ^ d;                                                                   \
    return a[0] ^ a[1] ^ a[2] ^ a[3];                                                 \
  }
HR_READ(ReadBaseline, 16, )
#ifdef __x86_64__
HR_READ(ReadAvx2, 32, __attribute__((target("avx2"))))
HR_READ(ReadAvx512, 64, __attribute__((target("avx512f"))))
#endif

using ReadFunction = unsigned (*)(const void*, std::size_t);
ReadFunction WidestRead() {
#ifdef __x86_64__
  if (WidestInstructionSet() == InstructionSet::kAvx512) return ReadAvx512;
  if (WidestInstructionSet() == InstructionSet::kAvx2) return ReadAvx2;
#endif
  return ReadBaseline;
}
const ReadFunction kRead = WidestRead();

void ReadCoarse(const Data& data) {
  for (const auto& block : data.blocks) {
    benchmark::DoNotOptimize(kRead(block->coarse, block->count * kStride));
  }
}

void ReadRows(const Data& data) {
  for (const auto& block : data.blocks) {
    benchmark::DoNotOptimize(kRead(block->rows, block->count * kStride * sizeof(float)));
  }
}

struct Search {
  DistanceFunction function;
  int k;
  InstructionSet set;
  Rows rows;
};

void SearchAll(const Search& search) {
  const Data& data = DataOf(search.rows);
  Nearest nearest(search.function, data.query, search.k, search.set);
  for (std::size_t i = 0; i < data.blocks.size(); ++i) {
    const RowBlock next = i + 1 < data.blocks.size() ? data.blocks[i + 1]->AsRows() : RowBlock{};
    nearest.Add(data.blocks[i]->AsRows(), next, [](std::size_t) { return true; });
  }
  benchmark::DoNotOptimize(nearest.Best());
}

#ifdef HASHRANGE_FAISS
// FAISS has no cosine distance: a search for it is one for dot products of vectors of length 1.
struct FaissIndexes {
  FaissIndexes() : dot_product(kDimensions), euclidean(kDimensions) {
    omp_set_num_threads(1);
    for (const auto& block : DataOf(Rows::kNormal).blocks) {
      dot_product.add(static_cast<faiss::Index::idx_t>(block->count), block->rows);
      euclidean.add(static_cast<faiss::Index::idx_t>(block->count), block->rows);
    }
  }
  faiss::IndexFlatIP dot_product;
  faiss::IndexFlatL2 euclidean;
};

void SearchFaiss(DistanceFunction function, int k) {
  static const FaissIndexes indexes;
  std::vector<float> scores(static_cast<std::size_t>(k));
  std::vector<faiss::Index::idx_t> labels(scores.size());
  const faiss::Index& index = function == DistanceFunction::kEuclidean
                                  ? static_cast<const faiss::Index&>(indexes.euclidean)
                                  : indexes.dot_product;
  index.search(1, DataOf(Rows::kNormal).query.data(), k, scores.data(), labels.data());
  benchmark::DoNotOptimize(labels.data());
}
#endif

// The least processor time of a function's calls, in milliseconds: other programs on the machine
// change it less than the time that passes.
struct BestTime {
  template <typename Function>
  double Measure(Function function) {
    const std::clock_t start = std::clock();
    function();
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    best_ms = std::min(best_ms, 1e3 * seconds);
    return seconds;
  }
  double best_ms = 1e9;
};

void CompareSearch(benchmark::State& state, const Search& search) {
  const Data& data = DataOf(search.rows);
  BestTime read, read_rows, found;
#ifdef HASHRANGE_FAISS
  SearchFaiss(search.function, search.k);
  BestTime faiss;
#endif
  for (auto _ : state) {
    read.Measure([&] { ReadCoarse(data); });
    read_rows.Measure([&] { ReadRows(data); });
    state.SetIterationTime(found.Measure([&] { SearchAll(search); }));
#ifdef HASHRANGE_FAISS
    faiss.Measure([&] { SearchFaiss(search.function, search.k); });
#endif
  }
  state.counters["search_ms"] = found.best_ms;
  state.counters["read_ms"] = read.best_ms;
  state.counters["read_rows_ms"] = read_rows.best_ms;
  state.counters["ratio"] = found.best_ms / read_rows.best_ms;
#ifdef HASHRANGE_FAISS
  state.counters["faiss_ms"] = faiss.best_ms;
#endif
}

// What a write does for a row, beside the copy of its floats.
void MakeCoarseRow(benchmark::State& state) {
  const Block& block = *DataOf(Rows::kNormal).blocks.front();
  std::int8_t coarse[kStride];
  for (auto _ : state) benchmark::DoNotOptimize(MakeCoarse(block.rows, kDimensions, coarse));
}
BENCHMARK(MakeCoarseRow);

const char* NameOf(DistanceFunction function) {
  if (function == DistanceFunction::kCosine) return "COSINE";
  return function == DistanceFunction::kEuclidean ? "EUCLIDEAN" : "DOT_PRODUCT";
}

const char* NameOf(InstructionSet set) {
  if (set == InstructionSet::kBaseline) return "baseline";
  return set == InstructionSet::kAvx2 ? "avx2" : "avx512";
}

void Register(const Search& search) {
  const std::string name = std::string(search.rows == Rows::kNear ? "NearRows/" : "Search/") +
                           NameOf(search.set) + '/' + NameOf(search.function) +
                           "/k:" + std::to_string(search.k);
  benchmark::RegisterBenchmark(name.c_str(), CompareSearch, search)
      ->Iterations(kRounds)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

// The sets of this machine are known only when it runs.
const bool kRegistered = [] {
  static constexpr DistanceFunction kFunctions[] = {
      DistanceFunction::kCosine, DistanceFunction::kEuclidean, DistanceFunction::kDotProduct};
  for (const InstructionSet set : MachineInstructionSets()) {
    for (const DistanceFunction function : kFunctions) {
      for (const int k : {10, 100}) Register({function, k, set, Rows::kNormal});
    }
  }
  for (const DistanceFunction function : kFunctions) {
    Register({function, 10, WidestInstructionSet(), Rows::kNear});
  }
  return true;
}();

}  // namespace
}  // namespace hashrange
