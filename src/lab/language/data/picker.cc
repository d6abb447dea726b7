#include "lab/language/data/picker.h"

#include <algorithm>

namespace hashrange {
namespace {

constexpr std::uint64_t kPickDraw = 0x7069636b;  // tells it from draws of values
constexpr int kDrawsUntilSearch = 64;

bool IsByRank(const LabPick& pick) {
  return pick.kind == LabPick::Kind::kZipf || pick.kind == LabPick::Kind::kHot;
}

// Returns a rank of which the first `hot_share` get `hot_traffic`.
std::uint64_t DrawHotRank(std::uint64_t count, const LabPick& pick, DrawSequence& draws) {
  const auto hot = std::clamp<std::uint64_t>(
      static_cast<std::uint64_t>(pick.hot_share * static_cast<double>(count)), 1, count);
  if (hot == count || draws.Unit() < pick.hot_traffic) return draws.Below(hot);
  return hot + draws.Below(count - hot);
}

}  // namespace

Picker::Picker(const LabFile& file, const Population& population, const std::atomic<bool>* stop)
    : file_(file), population_(population), stop_(stop) {}

std::optional<InstanceId> Picker::Pick(int entity, const LabPick& pick, std::uint64_t stream,
                                       std::uint64_t number, const std::map<int, double>& hot) {
  DrawSequence draws(MixedHash({file_.seed, kPickDraw, stream, number}));
  if (population_.LiveCount(entity) == 0) return {};
  const auto share = hot.find(entity);
  if (share != hot.end() && draws.Unit() < share->second) {
    const std::optional<InstanceId> hottest = HottestOf(entity, pick);
    if (hottest) return hottest;
  }
  // Picks of what is left of an entity would draw deleted instances too often.
  const bool most_are_deleted = population_.LiveCount(entity) < population_.Count(entity) / 2;
  if (!pick.where.empty() || most_are_deleted) {
    return PickFromList(ListOf(entity, pick.where, IsByRank(pick)), pick, draws);
  }
  return PickFromAll(entity, pick, draws);
}

std::uint64_t Picker::DrawRank(std::uint64_t count, const LabPick& pick, DrawSequence& draws) {
  switch (pick.kind) {
    case LabPick::Kind::kUniform:
      return draws.Below(count);
    case LabPick::Kind::kHot:
      return DrawHotRank(count, pick, draws);
    case LabPick::Kind::kZipf:
      return ranks_.Of(count, pick.exponent).Draw(draws);
    case LabPick::Kind::kLatest:
      return count - 1 - ranks_.Of(count, pick.exponent).Draw(draws);
  }
  return 0;
}

std::optional<InstanceId> Picker::PickFromAll(int entity, const LabPick& pick,
                                              DrawSequence& draws) {
  const std::uint64_t count = population_.Count(entity);
  const bool is_by_rank = IsByRank(pick);
  const auto instance = [&](std::uint64_t rank) {
    return InstanceId{entity, is_by_rank ? population_.NumberOfRank(entity, rank) : rank};
  };
  std::uint64_t rank = 0;
  for (int i = 0; i < kDrawsUntilSearch; ++i) {
    rank = DrawRank(count, pick, draws);
    if (population_.Exists(instance(rank))) return instance(rank);
  }
  // At least half of all exist, so the next that exists is near.
  for (std::uint64_t i = 0; i < count; ++i) {
    rank = rank + 1 == count ? 0 : rank + 1;
    if (population_.Exists(instance(rank))) return instance(rank);
  }
  return {};
}

std::optional<InstanceId> Picker::PickFromList(List& list, const LabPick& pick,
                                               DrawSequence& draws) {
  const MatchingNumbers& numbers = list.numbers;
  if (numbers.size() == 0) return {};
  std::uint64_t place = 0;
  for (int i = 0; i < kDrawsUntilSearch; ++i) {
    place = DrawRank(numbers.places(), pick, draws);
    if (numbers.At(place)) return InstanceId{list.entity, *numbers.At(place)};
  }
  while (!numbers.At(place)) ++place;  // the last place has a number
  return InstanceId{list.entity, *numbers.At(place)};
}

std::optional<InstanceId> Picker::HottestOf(int entity, const LabPick& pick) {
  for (std::uint64_t rank = 0; rank < kDrawsUntilSearch && rank < population_.Count(entity);
       ++rank) {
    const InstanceId id{entity, population_.NumberOfRank(entity, rank)};
    if (!population_.Exists(id)) continue;
    if (population_.Matches(id, pick.where)) return id;
    return {};
  }
  return {};
}

}  // namespace hashrange
