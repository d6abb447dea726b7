#include "lab/language/data/instances.h"

namespace hashrange {

bool Instances::Exists(InstanceId id) const {
  return id.number < Count(id.entity) && !Of(id.entity).deleted.contains(id.number);
}

std::uint64_t Instances::NumberOfRank(int entity, std::uint64_t rank) const {
  return rank < InitialCount(entity) ? Of(entity).ranks.At(rank) : rank;
}

std::int64_t Instances::CreatedEpochMs(InstanceId id) const {
  return Of(id.entity).created[id.number - InitialCount(id.entity)].epoch_ms;
}

InstanceId Instances::ParentOf(InstanceId id) const {
  const OfEntity& of = Of(id.entity);
  if (of.parent == kLabNone) return {};
  if (IsCreated(id)) return {of.parent, of.created[id.number - of.initial].parent};
  return {of.parent, of.ranges.ParentOf(id.number)};
}

InstanceId Instances::AncestorOf(InstanceId id, int entity) const {
  while (id.entity != entity && id.entity != kLabNone) id = ParentOf(id);
  return id;
}

std::uint64_t Instances::ChildCount(InstanceId parent, int entity) const {
  const OfEntity& of = Of(entity);
  const std::uint64_t initial =
      IsCreated(parent) ? 0 : of.ranges.End(parent.number) - of.ranges.Begin(parent.number);
  const auto created = of.created_children.find(parent.number);
  return initial + (created == of.created_children.end() ? 0 : created->second.size());
}

InstanceId Instances::ChildAt(InstanceId parent, int entity, std::uint64_t place) const {
  const OfEntity& of = Of(entity);
  if (!IsCreated(parent)) {
    const std::uint64_t begin = of.ranges.Begin(parent.number);
    const std::uint64_t initial = of.ranges.End(parent.number) - begin;
    if (place < initial) return {entity, begin + place};
    place -= initial;
  }
  return {entity, of.created_children.find(parent.number)->second[place]};
}

std::uint64_t Instances::PlaceOf(InstanceId id) const {
  const OfEntity& of = Of(id.entity);
  if (IsCreated(id)) return of.created[id.number - of.initial].place;
  return id.number - of.ranges.Begin(of.ranges.ParentOf(id.number));
}

void Instances::AppendChildren(InstanceId parent, int entity, std::vector<InstanceId>& out) const {
  const std::uint64_t count = ChildCount(parent, entity);
  for (std::uint64_t place = 0; place < count; ++place) {
    const InstanceId child = ChildAt(parent, entity, place);
    if (Exists(child)) out.push_back(child);
  }
}

InstanceId Instances::Create(int entity, InstanceId parent, std::int64_t now_epoch_ms) {
  const std::uint64_t number = Count(entity);
  const std::uint64_t place = parent.entity == kLabNone ? 0 : ChildCount(parent, entity);
  OfEntity& of = Of(entity);
  of.created.push_back(
      {static_cast<std::uint32_t>(parent.number), static_cast<std::uint32_t>(place), now_epoch_ms});
  if (parent.entity != kLabNone) {
    of.created_children[parent.number].push_back(static_cast<std::uint32_t>(number));
  }
  return {entity, number};
}

}  // namespace hashrange
