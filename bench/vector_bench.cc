// Measures a search of 100,000 vectors of 256 dimensions (102 MB), which lie in blocks of 64 KB,
// and a read of the same bytes with the widest loads of the machine. Each iteration does both in
// turn, and the counters have the least processor time of all
// iterations: search_ms, read_ms, and their ratio. With
// HASHRANGE_FAISS, faiss_ms is the best of a search in an exact index of FAISS on one thread.
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
constexpr std::size_t kBlockFloats = 64 * 1024 / sizeof(float);
constexpr std::size_t kRowsPerBlock = kBlockFloats / RowStride(kDimensions);
constexpr int kRounds = 20;

struct alignas(64) Block {
  float rows[kBlockFloats];
  float norms[kRowsPerBlock];
  std::size_t count;
};

std::vector<float> NormalElements(std::size_t count, std::mt19937& random) {
  std::normal_distribution<float> normal;
  std::vector<float> elements(count);
  for (float& element : elements) element = normal(random);
  return elements;
}

struct Data {
  Data() {
    std::mt19937 random(1);
    query = NormalElements(kDimensions, random);
    for (std::size_t i = 0; i < kVectors; ++i) {
      if (i % kRowsPerBlock == 0) blocks.push_back(std::make_unique<Block>());
      Block& block = *blocks.back();
      float* row = block.rows + block.count * RowStride(kDimensions);
      const std::vector<float> elements = NormalElements(kDimensions, random);
      std::copy(elements.begin(), elements.end(), row);
      block.norms[block.count++] = NormOf(row, kDimensions);
    }
    // Blocks that were made one after another would lie so in memory, too.
    std::shuffle(blocks.begin(), blocks.end(), random);
  }

  std::vector<float> query;
  std::vector<std::unique_ptr<Block>> blocks;
};

const Data& TheData() {
  static const Data data;
  return data;
}

// A function that reads a block by vectors of that many bytes, and returns something of all of
// them. Exclusive or takes less time than a load, and four of them do not wait for each other.
#define HR_READ(name, bytes, target)                                                  \
  target unsigned name(const Block& block) {                                          \
    typedef unsigned Vector __attribute__((vector_size(bytes), may_alias));           \
    const Vector* vectors = reinterpret_cast<const Vector*>(block.rows);              \
    const std::size_t count = block.count * RowStride(kDimensions) * 4 / bytes;       \
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

using ReadFunction = unsigned (*)(const Block&);
ReadFunction WidestRead() {
#ifdef __x86_64__
  if (WidestInstructionSet() == InstructionSet::kAvx512) return ReadAvx512;
  if (WidestInstructionSet() == InstructionSet::kAvx2) return ReadAvx2;
#endif
  return ReadBaseline;
}

void ReadAll() {
  static const ReadFunction read = WidestRead();
  for (const auto& block : TheData().blocks) benchmark::DoNotOptimize(read(*block));
}

void SearchAll(DistanceFunction function, int k, InstructionSet set) {
  const Data& data = TheData();
  Nearest nearest(function, data.query, k, set);
  for (const auto& block : data.blocks) {
    nearest.Add({.rows = block->rows, .count = block->count, .norms = block->norms},
                [](std::size_t) { return true; });
  }
  benchmark::DoNotOptimize(nearest.Best());
}

#ifdef HASHRANGE_FAISS
// FAISS has no cosine distance: a search for it is one for dot products of vectors of length 1.
struct FaissIndexes {
  FaissIndexes() : dot_product(kDimensions), euclidean(kDimensions) {
    omp_set_num_threads(1);
    for (const auto& block : TheData().blocks) {
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
  index.search(1, TheData().query.data(), k, scores.data(), labels.data());
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

void CompareSearch(benchmark::State& state, DistanceFunction function, int k, InstructionSet set) {
  TheData();
  BestTime read, search;
#ifdef HASHRANGE_FAISS
  SearchFaiss(function, k);
  BestTime faiss;
#endif
  for (auto _ : state) {
    read.Measure(ReadAll);
    state.SetIterationTime(search.Measure([&] { SearchAll(function, k, set); }));
#ifdef HASHRANGE_FAISS
    faiss.Measure([&] { SearchFaiss(function, k); });
#endif
  }
  state.counters["search_ms"] = search.best_ms;
  state.counters["read_ms"] = read.best_ms;
  state.counters["ratio"] = search.best_ms / read.best_ms;
#ifdef HASHRANGE_FAISS
  state.counters["faiss_ms"] = faiss.best_ms;
#endif
}

const char* NameOf(DistanceFunction function) {
  if (function == DistanceFunction::kCosine) return "COSINE";
  return function == DistanceFunction::kEuclidean ? "EUCLIDEAN" : "DOT_PRODUCT";
}

const char* NameOf(InstructionSet set) {
  if (set == InstructionSet::kBaseline) return "baseline";
  return set == InstructionSet::kAvx2 ? "avx2" : "avx512";
}

// The sets of this machine are known only when it runs.
const bool kRegistered = [] {
  for (const InstructionSet set : MachineInstructionSets()) {
    for (const DistanceFunction function :
         {DistanceFunction::kCosine, DistanceFunction::kEuclidean, DistanceFunction::kDotProduct}) {
      for (const int k : {10, 100}) {
        const std::string name = std::string("Search/") + NameOf(set) + '/' + NameOf(function) +
                                 "/k:" + std::to_string(k);
        benchmark::RegisterBenchmark(name.c_str(), CompareSearch, function, k, set)
            ->Iterations(kRounds)
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
      }
    }
  }
  return true;
}();

}  // namespace
}  // namespace hashrange
