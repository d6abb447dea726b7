#include "lab/language/data/picker.h"

#include <algorithm>

#include "lab/language/lab_facts.h"

namespace hashrange {
namespace {

constexpr std::uint32_t kHole = 0xffffffff;  // greater than all numbers of instances

}  // namespace

void MatchingNumbers::Add(std::uint64_t number) {
  const auto place = static_cast<std::uint32_t>(numbers_.size());
  if (place_of_.try_emplace(number, place).second) {
    numbers_.push_back(static_cast<std::uint32_t>(number));
  }
}

void MatchingNumbers::Remove(std::uint64_t number) {
  const auto found = place_of_.find(number);
  if (found == place_of_.end()) return;
  numbers_[found->second] = kHole;
  place_of_.erase(found);
  while (!numbers_.empty() && numbers_.back() == kHole) numbers_.pop_back();
  const std::size_t holes = places() - size();
  if (holes > places() / 4) CloseHoles();
}

void MatchingNumbers::CloseHoles() {
  std::uint32_t end = 0;
  for (const std::uint32_t number : numbers_) {
    if (number == kHole) continue;
    place_of_[number] = end;
    numbers_[end++] = number;
  }
  numbers_.resize(end);
}

std::optional<std::uint64_t> MatchingNumbers::At(std::size_t place) const {
  const std::uint32_t number = numbers_[place];
  if (number == kHole) return {};
  return number;
}

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
  // Picks among the instances that are left would draw deleted instances too often.
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

// The lists: made by one pass over the entity, and then kept by NoteChange.

namespace {

bool IsSameCondition(const LabCondition& a, const LabCondition& b) {
  return a.attribute == b.attribute && a.op == b.op && a.values == b.values;
}

bool IsSameWhere(const std::vector<LabCondition>& a, const std::vector<LabCondition>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), IsSameCondition);
}

}  // namespace

Picker::List& Picker::ListOf(int entity, const std::vector<LabCondition>& where, bool is_by_rank) {
  for (const std::unique_ptr<List>& list : lists_) {
    if (list->entity == entity && list->is_by_rank == is_by_rank &&
        IsSameWhere(list->where, where)) {
      return *list;
    }
  }
  auto list = std::make_unique<List>();
  list->entity = entity;
  list->where = where;
  list->is_by_rank = is_by_rank;
  Fill(*list);
  return *lists_.emplace_back(std::move(list));
}

void Picker::Fill(List& list) const {
  constexpr std::uint64_t kRanksBetweenLooks = 1024;
  for (std::uint64_t rank = 0; rank < population_.Count(list.entity); ++rank) {
    const bool looks = stop_ != nullptr && rank % kRanksBetweenLooks == 0;
    if (looks && stop_->load(std::memory_order_relaxed)) return;
    NoteIn(list,
           {list.entity, list.is_by_rank ? population_.NumberOfRank(list.entity, rank) : rank});
  }
}

void Picker::NoteIn(List& list, InstanceId id) const {
  if (population_.Exists(id) && population_.Matches(id, list.where)) {
    list.numbers.Add(id.number);
  } else {
    list.numbers.Remove(id.number);
  }
}

void Picker::NoteDescendants(List& list, InstanceId id) const {
  // The entities from the list's up to the child of id's; empty: id's is no ancestor of the list's.
  std::vector<int> path;
  for (int entity = list.entity; entity != id.entity; entity = EntityAt(file_, entity).parent) {
    if (entity == kLabNone) return;
    path.push_back(entity);
  }
  std::vector<InstanceId> generation = {id};
  for (; !path.empty(); path.pop_back()) {
    std::vector<InstanceId> children;
    for (const InstanceId& parent : generation) {
      population_.AppendChildren(parent, path.back(), children);
    }
    generation = std::move(children);
  }
  for (const InstanceId& descendant : generation) NoteIn(list, descendant);
}

void Picker::NoteChange(InstanceId id) {
  for (const std::unique_ptr<List>& list : lists_) {
    if (list->entity == id.entity) {
      NoteIn(*list, id);
      continue;
    }
    const bool is_about_it = std::any_of(
        list->where.begin(), list->where.end(),
        [&](const LabCondition& condition) { return condition.attribute.entity == id.entity; });
    if (is_about_it) NoteDescendants(*list, id);
  }
}

}  // namespace hashrange
