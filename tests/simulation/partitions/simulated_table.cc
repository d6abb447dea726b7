#include "simulation/partitions/simulated_table.h"

#include <algorithm>
#include <numeric>

namespace hashrange::test {
namespace {

std::optional<TokenBucket> DeclaredBucket(const ResourceSettings& settings, Direction direction) {
  if (settings.on_demand) return std::nullopt;
  return TokenBucket(settings.provisioned[static_cast<std::size_t>(direction)],
                     TokenBucket::kTableBurstMs, kLoadBeginsMs);
}

}  // namespace

void ServedUnits::Add(double units, std::int64_t now_ms) {
  const auto second = static_cast<std::size_t>((now_ms - kLoadBeginsMs) / 1000);
  if (second >= by_second_.size()) by_second_.resize(second + 1);
  by_second_[second] += units;
}

double ServedUnits::PerSecond(std::size_t from_s, std::size_t to_s) const {
  const auto begin = by_second_.begin();
  const auto place = [&](std::size_t second) {
    return begin + static_cast<std::ptrdiff_t>(std::min(second, by_second_.size()));
  };
  return std::accumulate(place(from_s), place(to_s), 0.0) / static_cast<double>(to_s - from_s);
}

SimulatedTable::SimulatedTable(const PartitionParameters& parameters, const KeySchema& key,
                               std::uint64_t seed, const ResourceSettings& settings)
    : declared_reads_(DeclaredBucket(settings, Direction::kRead)),
      declared_writes_(DeclaredBucket(settings, Direction::kWrite)),
      resource_(parameters, key, seed, settings, kLoadBeginsMs) {}

void SimulatedTable::Advance(std::int64_t now_ms) {
  now_ms_ = now_ms;
  resource_.Advance(now_ms);
}

bool SimulatedTable::Serve(Draw draw, const Position& position, double units) {
  auto& declared = draw.direction == Direction::kRead ? declared_reads_ : declared_writes_;
  std::optional<ThrottlingLimit> limit;
  if (declared && !declared->IsOpen(now_ms_)) limit = ThrottlingLimit::kProvisioned;
  if (!limit) limit = resource_.FindLimit(draw, position);
  if (limit) {
    resource_.AddRefused(draw, position, units, *limit);
    return false;
  }
  if (declared) declared->Take(units, now_ms_);
  resource_.Take(draw, {position, position}, units);
  served_.Add(units, now_ms_);
  return true;
}

std::vector<std::int64_t> SimulatedTable::HeatCutTimes() const {
  std::vector<std::int64_t> times;
  for (const PartitionMeasure& each : resource_.Map().partitions) {
    if (each.cause == "heat") times.push_back(each.began_epoch_ms - kLoadBeginsMs);
  }
  // A cut makes two partitions at one moment.
  std::ranges::sort(times);
  std::vector<std::int64_t> cuts;
  for (std::size_t i = 0; i < times.size(); i += 2) cuts.push_back(times[i]);
  return cuts;
}

}  // namespace hashrange::test
