// Simulated clients of a SimulatedTable, on simulated time. The same seed gives the same requests.
//
//   LoadRows        workers that put a list of rows, as a program that loads a table does
//   KeepBusy        workers that make one request after another for a time
//   OfferSteadily   requests at a fixed rate, whether they are served or not
//
// A worker waits for the answer. After a refusal it waits for a random time from 0 up to a limit,
// which doubles with each refusal of this request ("full jitter").
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/memory/arena.h"
#include "base/random.h"
#include "simulation/partitions/simulated_table.h"
#include "value/key.h"

namespace hashrange::test {

struct SimulatedWorkers {
  std::size_t count = 12;
  std::size_t rows_a_request = 25;
  // An answer takes from latency_ms to twice that.
  std::int64_t latency_ms = 4;
  std::int64_t first_wait_ms = 25;
  std::int64_t greatest_wait_ms = 20'000;
};

// One kind of access.
struct SimulatedAccess {
  Draw draw = {Direction::kWrite, false};
  double units = 1;
};

// The positions of the rows of a table, which owns their bytes.
struct SimulatedRows {
  Arena arena;
  std::vector<Position> positions;
};

// Makes `count` rows whose partition keys have sizes of a lognormal distribution: item collection
// after item collection, and within each ascending by sort key.
struct CollectionSizes {
  std::size_t rows = 375'000;
  std::size_t keys = 210;
  double sigma = 0.8;
};
void MakeRowsInKeyOrder(const CollectionSizes& sizes, Random& random, SimulatedRows* rows);
void Shuffle(std::vector<Position>& positions, Random& random);
// Makes rows of one partition key, in random order.
void MakeOneCollection(std::size_t count, Random& random, SimulatedRows* rows);

// Returns the rows a second from the first request until the last row is put.
double LoadRows(SimulatedTable& table, std::span<const Position> rows,
                const SimulatedWorkers& workers, Random& random);

// Each request is one access to the next of `positions`, and after the last to the first again.
void KeepBusy(SimulatedTable& table, std::span<const Position> positions,
              const SimulatedAccess& access, const SimulatedWorkers& workers, Random& random,
              std::int64_t duration_ms);

struct SteadyLoad {
  std::int64_t requests_per_second = 0;
  std::int64_t begin_ms = 0;  // since kLoadBeginsMs
  std::int64_t end_ms = 0;    // since kLoadBeginsMs
};
// Makes writes of one unit, spread evenly over each second. `next` gives the position of the next
// request, which is used before `next` is called again.
void OfferSteadily(SimulatedTable& table, const SteadyLoad& load,
                   const std::function<Position()>& next);

// The order in which SortKeySource gives sort keys.
enum class SortKeyOrder { kRandom, kRising, kFalling, kOneItem };

// Gives positions of one partition key whose sort keys are in an order.
class SortKeySource {
 public:
  SortKeySource(SortKeyOrder order, std::uint64_t seed) : order_(order), random_(seed) {}
  // The bytes are valid until the next call.
  Position Next();

 private:
  std::uint64_t NextNumber();

  SortKeyOrder order_;
  Random random_;
  std::uint64_t given_ = 0;
  Arena arena_;
};

}  // namespace hashrange::test
