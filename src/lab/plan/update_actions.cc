// Updates: which items of an entity hold what is changed, and which keys follow from it.
#include <algorithm>
#include <cstdio>
#include <utility>

#include "lab/language/data/placeholder_form.h"
#include "lab/plan/call_values.h"
#include "lab/plan/item_pieces.h"
#include "lab/plan/name_list.h"
#include "lab/plan/read_question.h"
#include "lab/plan/write_actions.h"

namespace hashrange {
namespace {

using ActionKind = WriteAction::Kind;
using ChangeKind = LabChange::Kind;

// Returns {"S":"PAID"} of a value that is the same in each call.
std::string ConstantJson(LabType type, const std::string& value) {
  if (type == LabType::kBool) return "{\"BOOL\":" + value + "}";
  std::string json = type == LabType::kNumber ? "{\"N\":\"" : "{\"S\":\"";
  AppendEscaped(value, json);
  return json + "\"}";
}

std::vector<RequestPiece> ConstantPieces(LabType type, const std::string& value) {
  std::vector<RequestPiece> pieces;
  AppendText(ConstantJson(type, value), pieces);
  return pieces;
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

}  // namespace

const LabChange* ChangeOf(const LabWrite& write, LabAttributeRef attribute) {
  if (attribute.entity != write.entity) return nullptr;
  for (const LabChange& change : write.changes) {
    if (change.attribute == attribute.attribute) return &change;
  }
  return nullptr;
}

std::string JoinNames(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " and ") + name;
  return text;
}

void WriteActions::AddUpdate(const LabWrite& write, int role) {
  const LabItem* const main = MainItem(write.entity);
  bool is_main_written = false;
  bool is_written = false;
  for (const LabItem* const item : ItemsOf(write.entity)) {
    const bool is_item_written = AddUpdateOf(*item, write, role);
    is_written |= is_item_written;
    is_main_written |= is_item_written && item == main;
  }
  if (!is_main_written && (!is_written || !write.conditions.empty())) {
    Reason(is_written ? "The conditions are about an item that nothing else changes."
                      : "No item holds what is changed, so there is nothing but a check.");
    AddCheck(write, role);
  }
  RequireWhatWasRead(write, role);
  NoteCopies(write);
}

bool WriteActions::AddUpdateOf(const LabItem& item, const LabWrite& write, int role) {
  const LabTable& table = input_.layout.tables[static_cast<std::size_t>(item.table)];
  std::vector<LabAttributeRef> attributes = AttributesOfKey(item);
  AppendAttributesOf(ConditionOfItem(input_, item, role).when, attributes);
  const auto is_changed = [&](LabAttributeRef one) { return ChangeOf(write, one) != nullptr; };
  if (std::any_of(attributes.begin(), attributes.end(), is_changed)) {
    AddMove(item, write, role);
    return true;
  }
  std::vector<LabAttributeRef> stored = StoredAttributes(input_, item);
  for (const LabItemKey& key : item.keys) {
    if (IsPlainAttribute(key)) stored.push_back(key.text.parts.front().attribute);
  }
  bool is_touched = std::any_of(stored.begin(), stored.end(), is_changed);
  for (const LabItemKey& key : item.keys) {
    is_touched |= EffectOn(key, write, role).kind != KeyEffect::Kind::kUntouched;
  }
  if (!is_touched) return false;
  Know(role, write.entity, attributes, write, "the key of its item in " + table.name);
  WriteAction& action = ActionFor(ActionKind::kUpdate, item, role);
  action.applies = ConditionOfItem(input_, item, role);
  for (const LabChange& change : write.changes) {
    if (std::find(stored.begin(), stored.end(), LabAttributeRef{write.entity, change.attribute}) !=
        stored.end()) {
      AddChange(write, change, role, "", action.expression);
    }
  }
  for (const LabItemKey& key : item.keys) AddKeyChange(item, key, write, action);
  action.expression.Require("attribute_exists(" + action.expression.Name(HashName(item)) + ")");
  if (&item == MainItem(write.entity)) RequireConditions(write.conditions, "", action.expression);
  return true;
}

std::string WriteActions::AddedValue(const LabChange& change, int role,
                                     ItemExpression& expression) const {
  std::vector<RequestPiece> json;
  if (change.by_attribute.entity == kLabNone) {
    char number[40];
    std::snprintf(number, sizeof number, "%.15g", change.amount);
    return expression.Value(ConstantPieces(LabType::kNumber, number));
  }
  // The role that has the factor: the one that the write is repeated for, or the written one.
  int factor_role = role;
  for (int at = role; at != kLabNone; at = shape_.roles[static_cast<std::size_t>(at)].of_role) {
    if (shape_.roles[static_cast<std::size_t>(at)].entity != change.by_attribute.entity) continue;
    factor_role = at;
    break;
  }
  AppendText("{\"N\":\"", json);
  AppendSlot({.source = RequestSlot::Source::kAttribute,
              .role = factor_role,
              .part = {.attribute = change.by_attribute},
              .factor = change.amount},
             json);
  AppendText("\"}", json);
  return expression.Value(std::move(json));
}

void WriteActions::AddChange(const LabWrite& write, const LabChange& change, int role,
                             const std::string& path, ItemExpression& expression) {
  const LabAttributeRef attribute = {write.entity, change.attribute};
  const LabAttribute& declared = LabAttributeAt(input_.file, attribute);
  const std::string name = path + expression.Name(declared.name);
  switch (change.kind) {
    case ChangeKind::kRemove:
      return expression.Remove(name);
    case ChangeKind::kAdd: {
      std::string old_value = name;
      if (CanBeAbsent(input_.file, attribute)) {
        old_value = "if_not_exists(" + name + ", " +
                    expression.Value(ConstantPieces(LabType::kNumber, "0")) + ")";
      }
      return expression.Set(name + " = " + old_value + " + " +
                            AddedValue(change, role, expression));
    }
    case ChangeKind::kSet: {
      std::vector<RequestPiece> json;
      if (IsConstant(change)) {
        json = ConstantPieces(declared.type, change.generator.text);
      } else {
        AppendAttributeValue(input_.file, attribute, {role, RequestSlot::Source::kNewValue}, json);
      }
      // A template has no value where a part of it is absent.
      std::optional<RequestPiece> only_when;
      if (change.generator.kind == LabGenerator::Kind::kTemplate &&
          CanBeAbsent(input_.file, change.generator.text_template)) {
        only_when = {.kind = RequestPiece::Kind::kWhen, .role = role, .has = {attribute}};
      }
      return expression.Set(name + " = " + expression.Value(std::move(json), only_when), only_when);
    }
  }
}

WriteActions::KeyEffect WriteActions::EffectOn(const LabItemKey& key, const LabWrite& write,
                                               int role) const {
  KeyEffect effect = {.condition = ConditionOfKey(input_, key, role)};
  std::vector<LabAttributeRef> attributes;
  AppendAttributesOf(key.text, attributes);
  AppendAttributesOf(key.when, attributes);
  for (const LabAttributeRef one : attributes) {
    if (const LabChange* const change = ChangeOf(write, one)) {
      AddName(LabAttributeAt(input_.file, one).name, effect.causes);
      if (change->kind == ChangeKind::kRemove) effect.kind = KeyEffect::Kind::kRemoved;
    }
  }
  if (effect.causes.empty() || effect.kind == KeyEffect::Kind::kRemoved) return effect;
  const bool holds = ResolveCondition(write, effect.condition);
  const bool is_certain = effect.condition.has.empty() && effect.condition.when.empty();
  effect.kind = !holds       ? KeyEffect::Kind::kRemoved
                : is_certain ? KeyEffect::Kind::kSet
                             : KeyEffect::Kind::kSometimes;
  return effect;
}

bool WriteActions::ResolveCondition(const LabWrite& write, RequestPiece& condition) const {
  bool holds = true;
  std::erase_if(condition.has, [&](LabAttributeRef one) {
    const LabChange* const change = ChangeOf(write, one);
    if (change != nullptr) holds &= change->kind != ChangeKind::kRemove;
    return change != nullptr;
  });
  std::erase_if(condition.when, [&](const LabCondition& one) {
    const LabType type = LabAttributeAt(input_.file, one.attribute).type;
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

bool WriteActions::IsPlainAttribute(const LabItemKey& key) const {
  if (!key.when.empty() || key.text.parts.empty()) return false;
  const LabTemplatePart& part = key.text.parts.front();
  for (std::size_t i = 1; i < key.text.parts.size(); ++i) {
    const LabTemplatePart& more = key.text.parts[i];
    if (more.attribute.entity != kLabNone || !more.literal.empty()) return false;
  }
  return part.literal.empty() && part.attribute.entity != kLabNone && part.shards == 0 &&
         part.form == LabTemplatePart::Form::kAsIs &&
         LabAttributeAt(input_.file, part.attribute).name == key.attribute;
}

void WriteActions::AddKeyChange(const LabItem& item, const LabItemKey& key, const LabWrite& write,
                                WriteAction& action) {
  const LabTable& table = input_.layout.tables[static_cast<std::size_t>(item.table)];
  KeyEffect effect = EffectOn(key, write, action.role);
  if (effect.kind == KeyEffect::Kind::kUntouched) return;
  std::string what = "the attribute " + key.attribute;
  for (const LabIndex& index : table.indexes) {
    const bool is_hash = HasName(index.hash, key.attribute);
    if (!is_hash && !HasName(index.range, key.attribute)) continue;
    what = std::string(is_hash ? "the partition" : "the sort") + " key of " + index.name;
    ReasonOfIndex(index, effect, is_hash);
  }
  if (IsPlainAttribute(key)) return;  // it is written as the attribute that it is
  const std::string name = action.expression.Name(key.attribute);
  if (effect.kind == KeyEffect::Kind::kRemoved) return action.expression.Remove(name);
  std::vector<LabAttributeRef> needed;
  AppendAttributesOf(key.text, needed);
  AppendAttributesOf(effect.condition.when, needed);
  needed.insert(needed.end(), effect.condition.has.begin(), effect.condition.has.end());
  std::erase_if(needed, [&](LabAttributeRef one) {
    const LabChange* const change = ChangeOf(write, one);
    return change != nullptr && change->kind == ChangeKind::kSet;
  });
  Know(action.role, write.entity, needed, write, what);
  std::vector<RequestPiece> json;
  AppendTemplateValue(input_, item, WithNewConstants(key, write),
                      {.role = action.role, .source = RequestSlot::Source::kNewValue}, json);
  std::optional<RequestPiece> only_when;
  if (effect.kind == KeyEffect::Kind::kSometimes) only_when = effect.condition;
  action.expression.Set(name + " = " + action.expression.Value(std::move(json), only_when),
                        only_when);
  if (!only_when.has_value()) return;
  only_when->kind = RequestPiece::Kind::kUnless;
  action.expression.Remove(name, only_when);
}

// Says why the update writes the index; one sentence for each index and update is enough.
void WriteActions::ReasonOfIndex(const LabIndex& index, const KeyEffect& effect, bool is_hash) {
  const std::string about = " " + index.name + ": ";
  const auto is_said = [&](const std::string& sentence) {
    return sentence.find(about) != std::string::npos;
  };
  if (std::any_of(reasons_.begin(), reasons_.end(), is_said)) return;
  const std::string part = is_hash ? "partition" : "sort";
  const std::string causes = JoinNames(effect.causes);
  switch (effect.kind) {
    case KeyEffect::Kind::kUntouched:
      return;
    case KeyEffect::Kind::kSet:
      return Reason("Moves the item in" + about + "its " + part + " key has " + causes + ".");
    case KeyEffect::Kind::kRemoved:
      return Reason("Takes the item out of" + about + "its " + part + " key depends on " + causes +
                    ".");
    case KeyEffect::Kind::kSometimes:
      return Reason("Takes the item into or out of" + about + "its " + part + " key depends on " +
                    causes + ".");
  }
}

void WriteActions::RequireConditions(const std::vector<LabCondition>& conditions,
                                     const std::string& path, ItemExpression& expression) const {
  for (const LabCondition& condition : conditions) {
    const LabAttribute& attribute = LabAttributeAt(input_.file, condition.attribute);
    const std::string name = path + expression.Name(attribute.name);
    std::vector<std::string> values;
    for (const std::string& value : condition.values) {
      values.push_back(expression.Value(ConstantPieces(attribute.type, value)));
    }
    using Op = LabCondition::Op;
    const auto compared = [&](const char* sign) { return name + sign + values.front(); };
    switch (condition.op) {
      case Op::kEqual:
        expression.Require(compared(" = "));
        break;
      case Op::kNotEqual:
        expression.Require(compared(" <> "));
        break;
      case Op::kLess:
        expression.Require(compared(" < "));
        break;
      case Op::kAtMost:
        expression.Require(compared(" <= "));
        break;
      case Op::kGreater:
        expression.Require(compared(" > "));
        break;
      case Op::kAtLeast:
        expression.Require(compared(" >= "));
        break;
      case Op::kIn: {
        std::string list;
        for (const std::string& value : values) list += (list.empty() ? "" : ", ") + value;
        expression.Require(name + " IN (" + list + ")");
        break;
      }
    }
  }
}

// Other entities' items may have a changed attribute in their keys, or as a copy.
void WriteActions::NoteCopies(const LabWrite& write) {
  for (const LabItem& item : input_.layout.items) {
    if (item.entity == write.entity) continue;
    std::vector<LabAttributeRef> attributes =
        item.attributes.value_or(std::vector<LabAttributeRef>());
    for (const LabItemKey& key : item.keys) AppendAttributesOf(key.text, attributes);
    for (const LabAttributeRef one : attributes) {
      if (ChangeOf(write, one) == nullptr) continue;
      Reason("The items of " + EntityAt(input_.file, item.entity).name + " have a copy of " +
             LabAttributeAt(input_.file, one).name + ", which this does not change.");
    }
  }
}

}  // namespace hashrange
