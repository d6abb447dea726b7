#include "simulation/partitions/simulated_load.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <queue>
#include <utility>

#include "value/attribute_value.h"
#include "value/value_writer.h"

namespace hashrange::test {
namespace {

double Normal(Random& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.Fraction()));
  return radius * std::cos(2 * std::numbers::pi * random.Fraction());
}

// Returns the prefix and 16 digits, so that texts of one prefix are in the order of the numbers.
std::string NumberedText(std::string_view prefix, std::uint64_t number) {
  std::string text(prefix);
  for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[number >> shift & 15];
  return text;
}

Position KeyPosition(std::uint64_t hash, std::string_view partition_key, std::string_view sort_key,
                     Arena& arena) {
  const std::array<ValueView, 2> parts = {MakeString(partition_key), MakeString(sort_key)};
  return {hash, EncodeParts(parts, arena)};
}

std::uint64_t HashOfText(std::string_view partition_key) {
  const std::array<ValueView, 1> parts = {MakeString(partition_key)};
  return HashOfParts(parts);
}

// One of the workers, with what it has still to put of its request.
struct Worker {
  std::vector<Position> rows;
  int refusals = 0;
};

// The moment of a worker's next request.
struct Turn {
  std::int64_t at_ms = 0;
  std::size_t worker = 0;
  friend auto operator<=>(const Turn&, const Turn&) = default;
};

// The workers of one load, by the order of their requests.
class WorkerTurns {
 public:
  WorkerTurns(SimulatedTable& table, const SimulatedWorkers& settings, Random& random)
      : table_(table), settings_(settings), random_(random), workers_(settings.count) {
    for (std::size_t i = 0; i < workers_.size(); ++i) turns_.push({kLoadBeginsMs, i});
  }

  bool done() const { return turns_.empty(); }
  std::int64_t now_ms() const { return turns_.top().at_ms; }
  // Gives rows to the worker whose turn it is, if it has none left.
  bool NeedsRows() const { return workers_[turns_.top().worker].rows.empty(); }
  void GiveRow(const Position& row) { workers_[turns_.top().worker].rows.push_back(row); }
  // Ends the work of the worker whose turn it is.
  void Dismiss() { turns_.pop(); }
  // Makes the request of the worker whose turn it is, and plans the worker's next one. Returns when
  // the answer comes.
  std::int64_t Request(const SimulatedAccess& access);

 private:
  std::int64_t WaitMs(int refusals);

  SimulatedTable& table_;
  const SimulatedWorkers& settings_;
  Random& random_;
  std::vector<Worker> workers_;
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> turns_;
};

std::int64_t WorkerTurns::Request(const SimulatedAccess& access) {
  const Turn turn = turns_.top();
  turns_.pop();
  Worker& worker = workers_[turn.worker];
  table_.Advance(turn.at_ms);
  std::erase_if(worker.rows,
                [&](const Position& row) { return table_.Serve(access.draw, row, access.units); });
  const std::int64_t answer_ms =
      turn.at_ms + settings_.latency_ms +
      static_cast<std::int64_t>(random_.Fraction() * static_cast<double>(settings_.latency_ms + 1));
  worker.refusals = worker.rows.empty() ? 0 : worker.refusals + 1;
  turns_.push({answer_ms + WaitMs(worker.refusals), turn.worker});
  return answer_ms;
}

std::int64_t WorkerTurns::WaitMs(int refusals) {
  if (refusals == 0) return 0;
  const double limit =
      std::min(static_cast<double>(settings_.first_wait_ms) * std::exp2(refusals - 1),
               static_cast<double>(settings_.greatest_wait_ms));
  return static_cast<std::int64_t>(random_.Fraction() * limit);
}

}  // namespace

void MakeRowsInKeyOrder(const CollectionSizes& sizes, Random& random, SimulatedRows* rows) {
  std::vector<double> weights(sizes.keys);
  double all = 0;
  for (double& weight : weights) all += weight = std::exp(sizes.sigma * Normal(random));
  // The names of the keys differ from seed to seed, and so do their hashes.
  const std::uint64_t name = random.Next();
  double below = 0;
  for (std::size_t key = 0; key < sizes.keys; ++key) {
    const std::string text = NumberedText("key", key) + NumberedText("-", name);
    const std::uint64_t hash = HashOfText(text);
    below += weights[key];
    const bool is_last = key + 1 == sizes.keys;
    const double share = is_last ? 1 : below / all;
    const auto end = static_cast<std::size_t>(share * static_cast<double>(sizes.rows));
    while (rows->positions.size() < end) {
      const std::string sort_key = NumberedText("row", rows->positions.size());
      rows->positions.push_back(KeyPosition(hash, text, sort_key, rows->arena));
    }
  }
}

void Shuffle(std::vector<Position>& positions, Random& random) {
  for (std::size_t i = positions.size(); i > 1; --i) {
    std::swap(positions[i - 1], positions[random.Next() % i]);
  }
}

void MakeOneCollection(std::size_t count, Random& random, SimulatedRows* rows) {
  const std::uint64_t hash = HashOfText("hot");
  for (std::size_t i = 0; i < count; ++i) {
    const std::string sort_key = NumberedText("row", random.Next());
    rows->positions.push_back(KeyPosition(hash, "hot", sort_key, rows->arena));
  }
}

double LoadRows(SimulatedTable& table, std::span<const Position> rows,
                const SimulatedWorkers& workers, Random& random) {
  WorkerTurns turns(table, workers, random);
  std::size_t next = 0;
  std::int64_t end_ms = kLoadBeginsMs;
  while (!turns.done()) {
    if (turns.NeedsRows()) {
      for (std::size_t i = 0; i < workers.rows_a_request && next < rows.size(); ++i) {
        turns.GiveRow(rows[next++]);
      }
    }
    if (turns.NeedsRows()) {
      turns.Dismiss();
    } else {
      end_ms = std::max(end_ms, turns.Request({}));
    }
  }
  return static_cast<double>(rows.size()) * 1000 / static_cast<double>(end_ms - kLoadBeginsMs);
}

void KeepBusy(SimulatedTable& table, std::span<const Position> positions,
              const SimulatedAccess& access, const SimulatedWorkers& workers, Random& random,
              std::int64_t duration_ms) {
  WorkerTurns turns(table, workers, random);
  std::size_t next = 0;
  while (turns.now_ms() < kLoadBeginsMs + duration_ms) {
    if (turns.NeedsRows()) turns.GiveRow(positions[next++ % positions.size()]);
    turns.Request(access);
  }
}

void OfferSteadily(SimulatedTable& table, const SteadyLoad& load,
                   const std::function<Position()>& next) {
  std::int64_t made = 0;
  for (std::int64_t ms = load.begin_ms; ms < load.end_ms; ++ms) {
    const std::int64_t wanted = load.requests_per_second * (ms + 1 - load.begin_ms) / 1000;
    if (made < wanted) table.Advance(kLoadBeginsMs + ms);
    for (; made < wanted; ++made) table.Serve({Direction::kWrite, false}, next(), 1);
  }
}

std::uint64_t SortKeySource::NextNumber() {
  constexpr std::uint64_t kMiddle = 1'000'000'000'000;
  ++given_;
  switch (order_) {
    case SortKeyOrder::kRandom:
      return random_.Next();
    case SortKeyOrder::kRising:
      return kMiddle + given_;
    case SortKeyOrder::kFalling:
      return kMiddle - given_;
    case SortKeyOrder::kOneItem:
      break;
  }
  return kMiddle;
}

Position SortKeySource::Next() {
  static const std::uint64_t hash = HashOfText("hot");
  arena_.Reset();
  return KeyPosition(hash, "hot", NumberedText("row", NextNumber()), arena_);
}

}  // namespace hashrange::test
