#include "lab/plan/item_expression.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "lab/language/data/placeholder_form.h"
#include "lab/language/lab_facts.h"
#include "lab/plan/planner.h"

namespace hashrange {
namespace {

using ChangeKind = LabChange::Kind;
using Source = RequestSlot::Source;

RequestNodes TextNodes(std::string_view text) {
  RequestNodes nodes;
  AppendText(text, nodes);
  return nodes;
}

// Returns `"#n0":` and the nodes behind it.
RequestNodes MemberNodes(const std::string& placeholder, RequestNodes value) {
  RequestNodes nodes = TextNodes("\"" + placeholder + "\":");
  AppendNodes(std::move(value), nodes);
  return nodes;
}

// Returns {"S":"PAID"} of a value that is the same in each call.
RequestNodes ConstantNodes(LabType type, const std::string& value) {
  if (type == LabType::kBool) return TextNodes("{\"BOOL\":" + value + "}");
  std::string json = type == LabType::kNumber ? "{\"N\":\"" : "{\"S\":\"";
  AppendEscaped(value, json);
  return TextNodes(json + "\"}");
}

// Returns whether each call gives the same value.
bool IsConstant(const LabChange& change) {
  return change.kind == ChangeKind::kSet && change.generator.kind == LabGenerator::Kind::kConstant;
}

// Returns the key with the constants that the write sets in place of their placeholders.
LabItemKey WithNewConstants(const LabItemKey& key, const LabWrite& write) {
  LabItemKey made = key;
  made.text.parts.clear();
  std::string literal;
  for (const LabTemplatePart& part : key.text.parts) {
    literal += part.literal;
    if (part.attribute.entity == kLabNone) break;  // the last one
    const LabChange* const change = ChangeOf(write, part.attribute);
    if (change != nullptr && IsConstant(*change)) {
      AppendFormed(part, change->generator.text, literal);
      continue;
    }
    made.text.parts.push_back(part);
    made.text.parts.back().literal = std::exchange(literal, {});
  }
  if (!literal.empty()) made.text.parts.push_back({.literal = std::move(literal)});
  return made;
}

// Returns the role that has the factor of an addition: the one that the write is repeated for, or
// the written one.
int FactorRole(const ChangedAttribute& of, int entity) {
  for (int at = of.write.role; at != kLabNone;
       at = of.shape.roles[static_cast<std::size_t>(at)].of_role) {
    if (of.shape.roles[static_cast<std::size_t>(at)].entity == entity) return at;
  }
  return of.write.role;
}

RequestNodes AddedValue(const ChangedAttribute& of, const LabChange& change) {
  if (change.by_attribute.entity == kLabNone) {
    char number[40];
    std::snprintf(number, sizeof number, "%.15g", change.amount);
    return ConstantNodes(LabType::kNumber, number);
  }
  RequestNodes json = TextNodes("{\"N\":\"");
  AppendSlot({.role = FactorRole(of, change.by_attribute.entity),
              .part = {.attribute = change.by_attribute},
              .factor = change.amount},
             json);
  AppendText("\"}", json);
  return json;
}

}  // namespace

// --- The expressions ---

std::string ItemExpression::Name(std::string_view attribute) {
  const auto known = std::ranges::find(names_, attribute, &Clause::text);
  if (known != names_.end()) return "#n" + std::to_string(known - names_.begin());
  std::string name;
  AppendEscaped(attribute, name);
  const std::string placeholder = Name(TextNodes(name));
  names_.back().text = attribute;
  return placeholder;
}

std::string ItemExpression::Name(RequestNodes name) {
  const std::string placeholder = "#n" + std::to_string(names_.size());
  RequestNodes quoted = TextNodes("\"");
  AppendNodes(std::move(name), quoted);
  AppendText("\"", quoted);
  names_.push_back({.nodes = MemberNodes(placeholder, std::move(quoted))});
  return placeholder;
}

std::string ItemExpression::Value(RequestNodes json, const RoleCondition& only_when) {
  const std::string placeholder = ":v" + std::to_string(values_.size());
  values_.push_back({.nodes = MemberNodes(placeholder, std::move(json)), .only_when = only_when});
  return placeholder;
}

void ItemExpression::Set(const std::string& clause, const RoleCondition& only_when) {
  sets_.push_back({clause, TextNodes(clause), only_when});
}

void ItemExpression::Remove(const std::string& path, const RoleCondition& only_when) {
  removes_.push_back({path, TextNodes(path), only_when});
}

void ItemExpression::Require(const std::string& condition, const RoleCondition& only_when) {
  if (std::ranges::find(conditions_, condition, &Clause::text) != conditions_.end()) return;
  conditions_.push_back({condition, TextNodes(condition), only_when});
}

RequestNodes ItemExpression::MembersOf(const std::vector<Clause>& clauses) {
  RequestNodes members;
  for (const Clause& clause : clauses) AppendWhere(clause.only_when, clause.nodes, members);
  return members;
}

void ItemExpression::AppendMembers(RequestNodes& nodes) const {
  if (HasUpdate()) {
    RequestNodes parts;
    parts.push_back(
        {RequestJoined{.before = "SET ", .between = ", ", .members = MembersOf(sets_)}});
    parts.push_back(
        {RequestJoined{.before = "REMOVE ", .between = ", ", .members = MembersOf(removes_)}});
    nodes.push_back({RequestJoined{.before = R"(,"UpdateExpression":")",
                                   .between = " ",
                                   .after = "\"",
                                   .members = std::move(parts)}});
  }
  if (HasCondition()) {
    nodes.push_back({RequestJoined{.before = R"(,"ConditionExpression":")",
                                   .between = " AND ",
                                   .after = "\"",
                                   .members = MembersOf(conditions_)}});
  }
  nodes.push_back({RequestJoined{.before = R"(,"ExpressionAttributeNames":{)",
                                 .between = ",",
                                 .after = "}",
                                 .members = MembersOf(names_)}});
  nodes.push_back({RequestJoined{.before = R"(,"ExpressionAttributeValues":{)",
                                 .between = ",",
                                 .after = "}",
                                 .members = MembersOf(values_)}});
}

// --- What is required ---

const LabChange* ChangeOf(const LabWrite& write, LabAttributeRef attribute) {
  if (attribute.entity != write.entity) return nullptr;
  for (const LabChange& change : write.changes) {
    if (change.attribute == attribute.attribute) return &change;
  }
  return nullptr;
}

void RequireConditions(const LabFile& file, const std::vector<LabCondition>& conditions,
                       const std::string& path, ItemExpression& expression) {
  static constexpr const char* kSigns[] = {" = ", " <> ", " < ", " <= ", " > ", " >= "};
  for (const LabCondition& condition : conditions) {
    const LabAttribute& attribute = LabAttributeAt(file, condition.attribute);
    const std::string name = path + expression.Name(attribute.name);
    std::string values;
    for (const std::string& value : condition.values) {
      values +=
          (values.empty() ? "" : ", ") + expression.Value(ConstantNodes(attribute.type, value));
    }
    expression.Require(condition.op == LabCondition::Op::kIn
                           ? name + " IN (" + values + ")"
                           : name + kSigns[static_cast<std::size_t>(condition.op)] + values);
  }
}

void RequireUnchanged(const LabFile& file, LabAttributeRef attribute, const RoleWrite& write,
                      ItemExpression& expression) {
  const std::string name = expression.Name(LabAttributeAt(file, attribute).name);
  RequestNodes json;
  AppendAttributeValue(file, attribute, {.role = write.role}, json);
  for (RequestNode& node : json) {
    auto* const slot = std::get_if<RequestSlot>(&node.value);
    if (slot != nullptr) slot->is_old = ChangeOf(write.declared, attribute) != nullptr;
  }
  if (!CanBeAbsent(file, attribute)) {
    return expression.Require(name + " = " + expression.Value(std::move(json)));
  }
  RoleCondition present = {.role = write.role, .is_before = true, .has = {attribute}};
  expression.Require(name + " = " + expression.Value(std::move(json), present), present);
  present.is_negated = true;
  expression.Require("attribute_not_exists(" + name + ")", present);
}

// --- What is changed ---

void AddChange(const ChangedAttribute& of, const LabChange& change, const std::string& path,
               ItemExpression& expression) {
  const LabAttributeRef attribute = {of.write.declared.entity, change.attribute};
  const LabAttribute& declared = LabAttributeAt(of.file, attribute);
  const std::string name = path + expression.Name(declared.name);
  switch (change.kind) {
    case ChangeKind::kRemove:
      return expression.Remove(name);
    case ChangeKind::kAdd: {
      std::string old_value = name;
      if (CanBeAbsent(of.file, attribute)) {
        old_value = "if_not_exists(" + name + ", " +
                    expression.Value(ConstantNodes(LabType::kNumber, "0")) + ")";
      }
      return expression.Set(name + " = " + old_value + " + " +
                            expression.Value(AddedValue(of, change)));
    }
    case ChangeKind::kSet: {
      RequestNodes json;
      if (IsConstant(change)) {
        json = ConstantNodes(declared.type, change.generator.text);
      } else {
        AppendAttributeValue(of.file, attribute, {of.write.role, Source::kNewValue}, json);
      }
      // A template has no value where a part of it is absent.
      RoleCondition only_when;
      if (change.generator.kind == LabGenerator::Kind::kTemplate &&
          CanBeAbsent(of.file, change.generator.text_template)) {
        only_when = {.role = of.write.role, .has = {attribute}};
      }
      return expression.Set(name + " = " + expression.Value(std::move(json), only_when), only_when);
    }
  }
}

KeyEffect EffectOn(const PlannerInput& input, const LabItemKey& key, const RoleWrite& write) {
  KeyEffect effect = {.condition = ConditionOfKey(input, key, write.role)};
  std::vector<LabAttributeRef> attributes;
  AppendAttributesOf(key.text, attributes);
  AppendAttributesOf(key.when, attributes);
  for (const LabAttributeRef one : attributes) {
    if (const LabChange* const change = ChangeOf(write.declared, one)) {
      AddName(LabAttributeAt(input.file, one).name, effect.causes);
      if (change->kind == ChangeKind::kRemove) effect.kind = KeyEffect::Kind::kRemoved;
    }
  }
  if (effect.causes.empty() || effect.kind == KeyEffect::Kind::kRemoved) return effect;
  const bool holds = ResolveCondition(input.file, write.declared, effect.condition);
  effect.kind = !holds                        ? KeyEffect::Kind::kRemoved
                : effect.condition.IsForAll() ? KeyEffect::Kind::kSet
                                              : KeyEffect::Kind::kSometimes;
  return effect;
}

const LabItemKey* RemovedBeside(const PlannerInput& input, const LabIndex& index,
                                const LabItem& item, const LabItemKey& key,
                                const RoleWrite& write) {
  const auto is_removed = [&](const LabItemKey& one) {
    return EffectOn(input, one, write).kind == KeyEffect::Kind::kRemoved;
  };
  if (is_removed(key)) return nullptr;
  for (const auto* const names : {&index.hash, &index.range}) {
    for (const std::string& name : *names) {
      const LabItemKey* const other = KeyOfItem(item, name);
      if (other != nullptr && is_removed(*other)) return other;
    }
  }
  return nullptr;
}

bool ComesBackWith(const PlannerInput& input, const LabItemKey& removed, const LabItemKey& key,
                   const RoleWrite& write) {
  const auto sets = [&](const LabWrite& other, const LabItemKey& one) {
    const KeyEffect::Kind kind = EffectOn(input, one, {other, write.role}).kind;
    return kind == KeyEffect::Kind::kSet || kind == KeyEffect::Kind::kSometimes;
  };
  return std::ranges::all_of(input.file.patterns, [&](const LabPattern& pattern) {
    return std::ranges::all_of(pattern.writes, [&](const LabWrite& other) {
      const bool is_update =
          other.kind == LabWrite::Kind::kUpdate && other.entity == write.declared.entity;
      return !is_update || !sets(other, removed) || sets(other, key);
    });
  });
}

bool ResolveCondition(const LabFile& file, const LabWrite& write, RoleCondition& condition) {
  bool holds = true;
  std::erase_if(condition.has, [&](LabAttributeRef one) {
    const LabChange* const change = ChangeOf(write, one);
    if (change != nullptr) holds &= change->kind != ChangeKind::kRemove;
    return change != nullptr;
  });
  std::erase_if(condition.when, [&](const LabCondition& one) {
    const LabType type = LabAttributeAt(file, one.attribute).type;
    if (const LabChange* const change = ChangeOf(write, one.attribute)) {
      if (change->kind == ChangeKind::kRemove) holds = false;
      if (IsConstant(*change)) holds &= ConditionHolds(one, type, change->generator.text);
      return IsConstant(*change);
    }
    for (const LabCondition& known : write.conditions) {
      if (known.attribute != one.attribute || known.op != LabCondition::Op::kEqual) continue;
      holds &= ConditionHolds(one, type, known.values.front());
      return true;
    }
    return false;
  });
  return holds;
}

bool IsPlainAttribute(const LabFile& file, const LabItemKey& key) {
  if (!key.when.empty() || key.text.parts.empty()) return false;
  const LabTemplatePart& part = key.text.parts.front();
  for (std::size_t i = 1; i < key.text.parts.size(); ++i) {
    const LabTemplatePart& more = key.text.parts[i];
    if (more.attribute.entity != kLabNone || !more.literal.empty()) return false;
  }
  return part.literal.empty() && part.attribute.entity != kLabNone && part.shards == 0 &&
         part.form == LabTemplatePart::Form::kAsIs &&
         LabAttributeAt(file, part.attribute).name == key.attribute;
}

void AddKeyChange(const PlannerInput& input, const LabItem& item, const LabItemKey& key,
                  const RoleWrite& write, ItemExpression& expression) {
  const KeyEffect effect = EffectOn(input, key, write);
  const std::string name = expression.Name(key.attribute);
  if (effect.kind == KeyEffect::Kind::kRemoved) return expression.Remove(name);
  RequestNodes json;
  AppendTemplateValue(input, item, WithNewConstants(key, write.declared),
                      {.role = write.role, .source = Source::kNewValue}, json);
  RoleCondition only_when;
  if (effect.kind == KeyEffect::Kind::kSometimes) only_when = effect.condition;
  expression.Set(name + " = " + expression.Value(std::move(json), only_when), only_when);
  if (only_when.IsForAll()) return;
  only_when.is_negated = true;
  expression.Remove(name, only_when);
}

}  // namespace hashrange
