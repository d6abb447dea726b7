// The lists of a Picker: made by one pass over the entity, and then kept by NoteChange.
#include <algorithm>

#include "lab/language/data/picker.h"

namespace hashrange {
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
  for (int entity = list.entity; entity != id.entity;
       entity = file_.entities[static_cast<std::size_t>(entity)].parent) {
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
