#include "lab/plan/write_actions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "lab/plan/item_pieces.h"
#include "lab/plan/read_question.h"

namespace hashrange {
namespace {

using ActionKind = WriteAction::Kind;
using RoleSourceKind = CallRole::Source;

// Returns a number that draws of the distribution exceed practically never.
double MostDrawn(const LabDistribution& distribution) {
  using Kind = LabDistribution::Kind;
  constexpr double kDeviations = 10;
  double most = 0;
  switch (distribution.kind) {
    case Kind::kFixed:
      most = distribution.first;
      break;
    case Kind::kUniform:
      most = distribution.second;
      break;
    case Kind::kZipf:
      most = std::numeric_limits<double>::infinity();
      break;
    case Kind::kPoisson:
      most = distribution.first + kDeviations * (1 + std::sqrt(distribution.first));
      break;
    case Kind::kLognormal:
      most = std::exp(distribution.first + kDeviations * distribution.second);
      break;
    case Kind::kNormal:
      most = distribution.first + kDeviations * distribution.second;
      break;
  }
  return std::floor(
      std::clamp(most, distribution.least, std::max(distribution.least, distribution.greatest)));
}

// Returns whether calls give children to parents that are there already.
bool IsCreatedByTraffic(const LabFile& file, int entity) {
  for (const LabPattern& pattern : file.patterns) {
    for (const LabWrite& write : pattern.writes) {
      if (write.kind == LabWrite::Kind::kCreate && write.entity == entity) return true;
    }
  }
  return false;
}

std::vector<LabAttributeRef> AttributesOfPrimaryKey(const LabLayout& layout, const LabItem& item) {
  const LabTable& table = layout.tables[static_cast<std::size_t>(item.table)];
  std::vector<LabAttributeRef> attributes;
  for (const LabItemKey& key : item.keys) {
    if (IsPrimaryKeyOf(table, key.attribute)) AppendAttributesOf(key.text, attributes);
  }
  return attributes;
}

std::string PrimaryKeyText(const LabTable& table, const LabItem& item) {
  std::string text;
  for (const LabItemKey& key : item.keys) {
    if (!IsPrimaryKeyOf(table, key.attribute)) continue;
    text += (text.empty() ? "" : " / ") + key.text.text;
  }
  return text;
}

}  // namespace

void AppendAttributesOf(const LabTemplate& text, std::vector<LabAttributeRef>& attributes) {
  for (const LabTemplatePart& part : text.parts) {
    if (part.attribute.entity != kLabNone) attributes.push_back(part.attribute);
  }
}

void AppendAttributesOf(const std::vector<LabCondition>& conditions,
                        std::vector<LabAttributeRef>& attributes) {
  for (const LabCondition& condition : conditions) attributes.push_back(condition.attribute);
}

const LabItem* SentinelOf(const LabLayout& layout, LabAttributeRef unique) {
  const LabItem* sentinel = nullptr;
  for (const LabItem& item : layout.items) {
    if (item.entity != unique.entity) continue;
    const std::vector<LabAttributeRef> attributes = AttributesOfPrimaryKey(layout, item);
    const bool is_alone = std::all_of(attributes.begin(), attributes.end(),
                                      [&](LabAttributeRef one) { return one == unique; });
    if (!attributes.empty() && is_alone) sentinel = &item;
  }
  return sentinel;
}

WriteActions::WriteActions(const PlannerInput& input, const LabPattern& pattern,
                           const CallShape& shape)
    : input_(input), pattern_(pattern), shape_(shape) {
  for (std::size_t i = 0; i < pattern.writes.size(); ++i) {
    Knowledge& known = knowledge_[CanonicalRole(shape.writes[i].role)];
    const LabWrite& write = pattern.writes[i];
    known.is_all |= write.kind == LabWrite::Kind::kCreate;
    known.attributes.insert(known.attributes.end(), write.by.begin(), write.by.end());
    for (const LabCondition& condition : write.conditions) {
      if (condition.op != LabCondition::Op::kEqual) continue;
      known.attributes.push_back(condition.attribute);
      known.old_values.push_back(condition);
    }
  }
  for (std::size_t i = 0; i < pattern.writes.size() && impossible_.empty(); ++i) {
    Add(pattern.writes[i], shape.writes[i]);
  }
}

void WriteActions::Add(const LabWrite& write, const CallShape::WriteRoles& roles) {
  const int role = CanonicalRole(roles.role);
  if (!IsStored(input_.layout, write.entity)) {
    impossible_ = "The layout does not store " + EntityAt(input_.file, write.entity).name + ".";
    return;
  }
  const bool is_embedded = MainItem(write.entity) == nullptr;
  switch (write.kind) {
    case LabWrite::Kind::kCreate:
      return AddCreate(write, roles);
    case LabWrite::Kind::kUpdate:
      return is_embedded ? AddEmbedded(write, role) : AddUpdate(write, role);
    case LabWrite::Kind::kDelete:
      return is_embedded ? AddEmbedded(write, role) : AddDelete(write, roles);
    case LabWrite::Kind::kCheck:
      return is_embedded ? AddEmbedded(write, role) : AddCheck(write, role);
  }
}

void WriteActions::AddCreate(const LabWrite& write, const CallShape::WriteRoles& roles) {
  const int role = CanonicalRole(roles.role);
  std::vector<int> child_roles;
  for (const LabEmbedding& embedding : input_.layout.embeddings) {
    if (embedding.parent != write.entity) continue;
    const auto with = std::find(write.with.begin(), write.with.end(), embedding.entity);
    child_roles.push_back(with == write.with.end()
                              ? kLabNone
                              : roles.with[static_cast<std::size_t>(with - write.with.begin())]);
  }
  if (MainItem(write.entity) == nullptr) {
    AddEmbedded(write, role);
  } else {
    AddPuts(write.entity, role, write, child_roles);
    RequireUnique(write, role);
  }
  for (std::size_t i = 0; i < write.with.size(); ++i) {
    const int child = write.with[i];
    knowledge_[roles.with[i]].is_all = true;
    const LabEmbedding* const embedding = EmbeddingOf(input_.layout, child);
    if (!ItemsOf(child).empty()) {
      AddPuts(child, roles.with[i], write, {});
    } else if (embedding == nullptr) {
      impossible_ = "The layout does not store " + EntityAt(input_.file, child).name + ".";
    } else if (embedding->parent == write.entity) {
      AddInnerRole(role, roles.with[i]);
      Reason("The " + embedding->attribute + " are written inside of the item of their " +
             EntityAt(input_.file, write.entity).name + ".");
    } else {
      AddEmbedded({.kind = LabWrite::Kind::kCreate, .entity = child}, roles.with[i]);
    }
  }
}

void WriteActions::AddPuts(int entity, int role, const LabWrite& write,
                           const std::vector<int>& child_roles) {
  const std::vector<const LabItem*> items = ItemsOf(entity);
  const LabItem* const main = MainItem(entity);
  std::string keys;
  for (const LabItem* const item : items) {
    WriteAction& action = ActionFor(ActionKind::kPut, *item, role);
    action.child_roles = child_roles;
    action.applies = ConditionOfItem(input_, *item, role);
    if (item == main && entity == write.entity) {
      action.expression.Require("attribute_not_exists(" + action.expression.Name(HashName(*item)) +
                                ")");
    }
    const LabTable& table = input_.layout.tables[static_cast<std::size_t>(item->table)];
    keys += (keys.empty() ? "" : ", ") + table.name + " \"" + PrimaryKeyText(table, *item) + "\"";
  }
  if (items.size() > 1) {
    Reason(EntityAt(input_.file, entity).name + " is stored as " + std::to_string(items.size()) +
           " items: " + keys + ".");
  }
}

void WriteActions::RequireUnique(const LabWrite& write, int role) {
  for (const int attribute : write.unique) {
    const LabAttributeRef unique = {write.entity, attribute};
    const std::string& name = LabAttributeAt(input_.file, unique).name;
    const LabItem* const sentinel = SentinelOf(input_.layout, unique);
    if (sentinel == nullptr) {
      Reason("No item's key is {" + name + "} alone, so nothing keeps two from having the same " +
             name + ".");
      continue;
    }
    ItemExpression& expression = ActionFor(ActionKind::kPut, *sentinel, role).expression;
    expression.Require("attribute_not_exists(" + expression.Name(HashName(*sentinel)) + ")");
    Reason(
        "The item \"" +
        PrimaryKeyText(input_.layout.tables[static_cast<std::size_t>(sentinel->table)], *sentinel) +
        "\" keeps " + name + " unique.");
  }
}

void WriteActions::AddDelete(const LabWrite& write, const CallShape::WriteRoles& roles) {
  const int role = CanonicalRole(roles.role);
  const LabItem* const main = MainItem(write.entity);
  for (const LabItem* const item : ItemsOf(write.entity)) {
    const LabTable& table = input_.layout.tables[static_cast<std::size_t>(item->table)];
    std::vector<LabAttributeRef> needed = AttributesOfKey(*item);
    RequestPiece applies = ConditionOfItem(input_, *item, role);
    AppendAttributesOf(applies.when, needed);
    Know(role, write.entity, needed, write, "the key \"" + PrimaryKeyText(table, *item) + "\"");
    WriteAction& action = ActionFor(ActionKind::kDelete, *item, role);
    action.applies = std::move(applies);
    if (item != main) continue;
    action.expression.Require("attribute_exists(" + action.expression.Name(HashName(*item)) + ")");
    RequireConditions(write.conditions, "", action.expression);
  }
  RequireWhatWasRead(write, role);
  AddDeletesOfChildren(write, roles);
}

void WriteActions::AddDeletesOfChildren(const LabWrite& write, const CallShape::WriteRoles& roles) {
  for (std::size_t i = 0; i < write.with.size(); ++i) {
    const int child = write.with[i];
    const std::string& name = EntityAt(input_.file, child).name;
    const std::vector<const LabItem*> items = ItemsOf(child);
    if (items.empty()) {  // they are inside of the item that is deleted, or stored nowhere
      AddInnerRole(CanonicalRole(roles.role), roles.with[i]);
      continue;
    }
    PatternPlan found = PlanLookupOfChildren(input_, child, write.by, CanonicalRole(roles.role));
    if (!TakeLookUp(found, kLabNone)) return;
    Reason("Each " + name + " is read first, because the caller does not know its key.");
    for (std::string& sentence : found.reasons) Reason(std::move(sentence));
    knowledge_[roles.with[i]].is_all = true;
    for (const LabItem* const item : items) {
      ActionFor(ActionKind::kDelete, *item, roles.with[i]).applies =
          ConditionOfItem(input_, *item, roles.with[i]);
    }
  }
}

void WriteActions::AddCheck(const LabWrite& write, int role) {
  const LabItem& main = *MainItem(write.entity);
  Know(role, write.entity, AttributesOfKey(main), write, "its key");
  ItemExpression& expression = ActionFor(ActionKind::kCheck, main, role).expression;
  expression.Require("attribute_exists(" + expression.Name(HashName(main)) + ")");
  RequireConditions(write.conditions, "", expression);
}

WriteAction& WriteActions::ActionFor(ActionKind kind, const LabItem& item, int role) {
  for (WriteAction& action : actions_) {
    if (action.item != &item || action.role != role) continue;
    // A move deletes one item and puts another.
    const bool is_move = (action.kind == ActionKind::kDelete) != (kind == ActionKind::kDelete) &&
                         action.kind != ActionKind::kCheck && kind != ActionKind::kCheck;
    if (is_move) continue;
    if (action.kind == ActionKind::kCheck) action.kind = kind;
    return action;
  }
  actions_.push_back({.kind = kind, .item = &item, .role = role});
  actions_.back().applies.role = role;
  return actions_.back();
}

void WriteActions::AddInnerRole(int parent_role, int child_role) {
  for (WriteAction& action : actions_) {
    std::vector<int>& inner = action.inner_roles;
    const bool has_parent = action.role == parent_role ||
                            std::find(inner.begin(), inner.end(), parent_role) != inner.end();
    if (has_parent && !EmbeddedIn(input_, *action.item).empty()) inner.push_back(child_role);
  }
}

std::vector<const LabItem*> WriteActions::ItemsOf(int entity) const {
  std::vector<const LabItem*> items;
  for (const LabItem& item : input_.layout.items) {
    if (item.entity == entity) items.push_back(&item);
  }
  return items;
}

const LabItem* WriteActions::MainItem(int entity) const {
  const std::vector<const LabItem*> items = ItemsOf(entity);
  const auto main = std::find_if(items.begin(), items.end(),
                                 [](const LabItem* item) { return !item->attributes.has_value(); });
  if (main != items.end()) return *main;
  return items.empty() ? nullptr : items.front();
}

std::string WriteActions::HashName(const LabItem& item) const {
  return input_.layout.tables[static_cast<std::size_t>(item.table)].hash.front();
}

std::vector<LabAttributeRef> WriteActions::AttributesOfKey(const LabItem& item) const {
  return AttributesOfPrimaryKey(input_.layout, item);
}

int WriteActions::CanonicalRole(int role) const {
  const auto& roles = shape_.roles;
  const CallRole& one = roles[static_cast<std::size_t>(role)];
  if (one.source != RoleSourceKind::kReferred && one.source != RoleSourceKind::kAncestor) {
    return role;
  }
  for (int other = 0; other < role; ++other) {
    const CallRole& same = roles[static_cast<std::size_t>(other)];
    if (same.source == one.source && same.entity == one.entity && same.of_role == one.of_role &&
        same.via == one.via) {
      return other;
    }
  }
  return role;
}

int WriteActions::RootRole(int role) const {
  const CallRole& one = shape_.roles[static_cast<std::size_t>(role)];
  const bool is_parallel =
      one.of_role != kLabNone &&
      (one.source == RoleSourceKind::kReferred || one.source == RoleSourceKind::kAncestor ||
       (one.source == RoleSourceKind::kCreated && one.count == 1));
  return is_parallel ? RootRole(one.of_role) : role;
}

std::vector<int> WriteActions::BesideRoles(int role) const {
  std::vector<int> beside;
  const int root = RootRole(role);
  while (role != root) {
    role = shape_.roles[static_cast<std::size_t>(role)].of_role;
    beside.push_back(role);
  }
  return beside;
}

double WriteActions::MostInstances(int role) const {
  const CallRole& one = shape_.roles[static_cast<std::size_t>(role)];
  const double of = one.of_role == kLabNone ? 1 : MostInstances(one.of_role);
  switch (one.source) {
    case RoleSourceKind::kPicked:
    case RoleSourceKind::kCreated:
      return of * one.count;
    case RoleSourceKind::kChildren:
      if (IsCreatedByTraffic(input_.file, one.entity)) {
        return std::numeric_limits<double>::infinity();
      }
      return of * std::max(1.0, MostDrawn(EntityAt(input_.file, one.entity).count));
    case RoleSourceKind::kCreatedChildren:
      return of * std::max(1.0, MostDrawn(EntityAt(input_.file, one.entity).count));
    case RoleSourceKind::kReferred:
    case RoleSourceKind::kAncestor:
      return of;
  }
  return of;
}

const std::string* WriteActions::OldValue(int role, LabAttributeRef attribute) const {
  const auto known = knowledge_.find(role);
  if (known == knowledge_.end()) return nullptr;
  for (const LabCondition& one : known->second.old_values) {
    if (one.attribute == attribute) return &one.values.front();
  }
  return nullptr;
}

std::string WriteActions::ReasonOfKey() const {
  const WriteAction& first = actions_.front();
  const LabTable& table = input_.layout.tables[static_cast<std::size_t>(first.item->table)];
  const bool is_put = first.kind == ActionKind::kPut;
  return table.name +
         (is_put ? ": the item is put under the key " : ": the caller knows the key ") +
         PrimaryKeyText(table, *first.item);
}

void WriteActions::Reason(std::string sentence) {
  if (std::find(reasons_.begin(), reasons_.end(), sentence) == reasons_.end()) {
    reasons_.push_back(std::move(sentence));
  }
}

}  // namespace hashrange
