// What the actions of a write are expected to cost (docs/service/08-capacity.md, section 2;
// docs/service/10-transactions.md, section 8).
#include <algorithm>
#include <string>
#include <string_view>

#include "lab/language/data/population.h"
#include "lab/language/lab_facts.h"
#include "lab/plan/cost/key_matches.h"
#include "lab/plan/cost/spread.h"
#include "lab/plan/cost/value_drift.h"
#include "lab/plan/write_actions.h"
#include "value/capacity.h"
#include "value/vector.h"

namespace hashrange {
namespace {

using ActionKind = WriteAction::Kind;
using GeneratorKind = LabGenerator::Kind;

// The same condition of two attributes of a key counts once.
void AppendNew(const std::vector<LabCondition>& more, std::vector<LabCondition>& conditions) {
  for (const LabCondition& one : more) {
    const bool is_there = std::ranges::any_of(conditions, [&](const LabCondition& other) {
      return one.attribute == other.attribute && one.op == other.op && one.values == other.values;
    });
    if (!is_there) conditions.push_back(one);
  }
}

// Returns the values that an update gives where they are a few; empty: there are many.
std::vector<LabGenerator::Choice> ValuesSet(const LabGenerator& generator) {
  switch (generator.kind) {
    case GeneratorKind::kConstant:
      return {{.value = generator.text}};
    case GeneratorKind::kFlag:
      return {{.value = "true", .weight = generator.probability},
              {.value = "false", .weight = 1 - generator.probability}};
    case GeneratorKind::kChoice:
      return generator.choices;
    default:
      return {};
  }
}

class WriteCostFinder {
 public:
  explicit WriteCostFinder(const WriteCall& call)
      : call_(call),
        file_(call.input.file),
        layout_(call.input.layout),
        model_(call.model.file_model()) {
    for (std::size_t i = 0; i < call.pattern.writes.size(); ++i) {
      const LabWrite& write = call.pattern.writes[i];
      const CallShape::WriteRoles& roles = call.shape.writes[i];
      if (write.kind == LabWrite::Kind::kCreate) continue;
      for (const LabCondition& condition : write.conditions) {
        success_ *= ShareBefore(roles.role, condition);
      }
    }
  }

  void Add(const PlannedAction& planned) {
    const WriteAction& action = *planned.action;
    const LabItem& item = *action.item;
    const double instances = planned.is_in_transaction
                                 ? model_.MeanDifferent(call_.number, action.role)
                                 : model_.MeanInRole(call_.number, action.role);
    const double count = instances * ShareOf(action);
    const double factor = planned.is_in_transaction ? 2 : 1;
    const LabKey table = {.table = item.table};
    cost_.Add({.key = table,
               .is_write = true,
               .units = count * factor *
                        MeanUnits(BytesOf(action, table, SizeOfItem::kWritten), kWriteUnitBytes),
               .hottest_share = HottestOf(action, table),
               .hottest_template = HashTemplate(layout_, table, item)});
    if (action.kind == ActionKind::kCheck) return;
    const auto& indexes = TableOfItem(layout_, item).indexes;
    for (std::size_t i = 0; i < indexes.size(); ++i) {
      const LabKey key = {.table = item.table, .index = static_cast<int>(i)};
      const Entries entries = EntriesOf(action, key);
      cost_.Add({.key = key,
                 .is_write = true,
                 .units = count * success_ * entries.All() *
                          MeanUnits(BytesOf(action, key, SizeOfItem::kRead), kWriteUnitBytes),
                 .hottest_share = HottestOfEntries(action, key, entries),
                 .hottest_template = HashTemplate(layout_, key, item)});
    }
    const auto& vectors = TableOfItem(layout_, item).vector_indexes;
    for (std::size_t i = 0; i < vectors.size(); ++i) {
      const int index = static_cast<int>(i);
      cost_.Add(VectorCost{
          .table = item.table,
          .written_bytes = count * success_ * ShareOfVectorWrites(action, vectors[i]) *
                           MeanVectorBytes(call_.model.EntryBytes(item, index), vectors[i])});
    }
  }

  PatternCost Take() { return std::move(cost_); }

 private:
  // --- What holds before and after the call ---

  // Returns which share of the role's instances meets the condition before the call.
  double ShareBefore(int role, const LabCondition& condition) const {
    const LabType type = LabAttributeAt(file_, condition.attribute).type;
    const auto decides = [&](const std::vector<LabCondition>& known) -> const LabCondition* {
      for (const LabCondition& one : known) {
        const bool is_equal = one.op == LabCondition::Op::kEqual;
        if (is_equal && one.attribute == condition.attribute) return &one;
      }
      return nullptr;
    };
    const LabCondition* known = decides(call_.pattern.pick.where);
    for (const LabWrite& write : call_.pattern.writes) {
      if (known != nullptr) break;
      const LabCondition* const own = decides(write.conditions);
      if (own != nullptr && own != &condition) known = own;
    }
    if (known == nullptr) return ShareBeforeCall(model_, call_.number, role, condition);
    return ConditionHolds(condition, type, known->values.front()) ? 1 : 0;
  }

  // Returns what the call gives to the attribute of the role's instances; null: nothing.
  const LabChange* ChangeIn(int role, LabAttributeRef attribute) const {
    for (std::size_t i = 0; i < call_.pattern.writes.size(); ++i) {
      const bool is_own = CanonicalRole(call_.shape, call_.shape.writes[i].role) == role;
      const LabChange* const change =
          is_own ? ChangeOf(call_.pattern.writes[i], attribute) : nullptr;
      if (change != nullptr) return change;
    }
    return nullptr;
  }

  double ShareAfter(int role, const LabCondition& condition) const {
    const LabChange* const change = ChangeIn(role, condition.attribute);
    if (change == nullptr) return ShareBefore(role, condition);
    if (change->kind == LabChange::Kind::kRemove) return 0;
    const LabType type = LabAttributeAt(file_, condition.attribute).type;
    if (change->kind == LabChange::Kind::kSet) {
      if (const auto share = ShareMade(condition, type, change->generator)) return *share;
    }
    return model_.ShareOf(condition);
  }

  // Returns which share of the instances has another value after the call than before.
  double ShareChanged(int role, LabAttributeRef attribute) const {
    const LabChange* const change = ChangeIn(role, attribute);
    if (change == nullptr) return 0;
    if (change->kind != LabChange::Kind::kSet) return 1;
    const std::vector<LabGenerator::Choice> values = ValuesSet(change->generator);
    if (values.empty()) return 1 - model_.SameValueShare(attribute);
    double all = 0;
    double same = 0;
    for (const LabGenerator::Choice& one : values) {
      all += one.weight;
      same += one.weight * ShareBefore(role, {.attribute = attribute, .values = {one.value}});
    }
    return all > 0 ? 1 - same / all : 0;
  }

  double ShareOfAll(int role, const std::vector<LabCondition>& conditions, bool is_after) const {
    double share = 1;
    for (const LabCondition& one : conditions) {
      share *= is_after ? ShareAfter(role, one) : ShareBefore(role, one);
    }
    return share;
  }

  double ShareWith(const WriteAction& action, LabAttributeRef attribute, bool is_after) const {
    const LabChange* const change = is_after ? ChangeIn(action.role, attribute) : nullptr;
    if (change == nullptr) return model_.Present(attribute);
    return change->kind == LabChange::Kind::kRemove ? 0 : 1;
  }

  // Returns for which share of the instances the action is done.
  double ShareOf(const WriteAction& action) const {
    const RoleCondition& applies = action.applies;
    const bool is_after = !applies.is_before;
    double share = ShareOfAll(action.role, applies.when, is_after);
    for (const LabAttributeRef ref : applies.has) share *= ShareWith(action, ref, is_after);
    double same = 1;
    for (const LabAttributeRef ref : applies.changed) same *= 1 - ShareChanged(action.role, ref);
    if (!applies.changed.empty()) share *= 1 - same;
    for (const LabAttributeRef ref : applies.unchanged) {
      share *= 1 - ShareChanged(action.role, ref);
    }
    return applies.is_negated ? 1 - share : share;
  }

  // --- Sizes ---

  bool IsCreated(int role) const {
    const CallRole::Source source = call_.shape.roles[static_cast<std::size_t>(role)].source;
    return source == CallRole::Source::kCreated || source == CallRole::Source::kCreatedChildren;
  }

  // Returns the entity inside of the action's item of which calls pick an instance; kLabNone: they
  // pick none of these.
  int PickedInside(const WriteAction& action) const {
    for (const int role : action.inner_roles) {
      const CallRole& one = call_.shape.roles[static_cast<std::size_t>(role)];
      const bool is_picked =
          one.source == CallRole::Source::kPicked || one.source == CallRole::Source::kReferred;
      if (is_picked) return one.entity;
    }
    return kLabNone;
  }

  Spread BytesOf(const WriteAction& action, LabKey key, SizeOfItem size) const {
    const LabItem& item = *action.item;
    if (action.kind != ActionKind::kPut || !IsCreated(action.role)) {
      const int picked = PickedInside(action);
      return picked == kLabNone ? call_.model.Bytes(item, key, size)
                                : call_.model.BytesByChild(item, key, picked, size);
    }
    // Only the children that are created along are inside of a new item.
    const std::vector<const LabEmbedding*> embedded = EmbeddedIn(call_.input, item);
    const auto is_created = [&](std::size_t i) {
      return i < action.child_roles.size() && action.child_roles[i] != kLabNone;
    };
    bool has_all = true;
    for (std::size_t i = 0; i < embedded.size(); ++i) has_all = has_all && is_created(i);
    return has_all ? call_.model.Bytes(item, key, size)
                   : call_.model.BytesWithoutChildren(item, key, size);
  }

  // --- Entries of an index ---

  // How many entries an action writes: of an item that moves, it removes one and puts another.
  struct Entries {
    double removed = 0;
    double put = 0;     // or changed in place
    double before = 0;  // that are there before the call

    double All() const { return removed + put; }
  };

  Entries EntriesOf(const WriteAction& action, LabKey key) const {
    const LabItem& item = *action.item;
    double unmoved = 1;
    std::vector<LabCondition> conditions;
    std::vector<LabAttributeRef> attributes;
    for (const auto* const names : {&HashOf(layout_, key), &RangeOf(layout_, key)}) {
      for (const std::string& name : *names) {
        const LabItemKey* const own = KeyOfItem(item, name);
        if (own == nullptr) return {};
        AppendNew(own->when, conditions);
        AppendAttributesOf(own->text, attributes);
      }
    }
    double before = ShareOfAll(action.role, conditions, false);
    double after = ShareOfAll(action.role, conditions, true);
    std::ranges::sort(attributes, {},
                      [](LabAttributeRef ref) { return std::pair(ref.entity, ref.attribute); });
    const auto repeated = std::ranges::unique(attributes);
    attributes.erase(repeated.begin(), repeated.end());
    for (const LabAttributeRef ref : attributes) {
      before *= ShareWith(action, ref, false);
      after *= ShareWith(action, ref, true);
      unmoved *= 1 - ShareChanged(action.role, ref);
    }
    if (action.kind == ActionKind::kDelete) return {.removed = before};
    if (action.kind == ActionKind::kPut) return {.put = after};
    // Of the entries that are there before and after, those whose key keeps its value stay in
    // place.
    const double stays = std::min(before, after) * unmoved;
    return {.removed = before - stays,
            .put = after - stays + stays * ShareProjected(action, key, attributes),
            .before = before};
  }

  // Returns for which share of the instances an attribute changes that the index holds, of those
  // instances that keep the attributes of its key.
  double ShareProjected(const WriteAction& action, LabKey key,
                        const std::vector<LabAttributeRef>& kept) const {
    const LabIndex& index = *IndexOf(layout_, key);
    return ShareChangedIn(action, HoldsChildren(index, *action.item), [&](LabAttributeRef ref) {
      return std::ranges::find(kept, ref) == kept.end() && Holds(index, *action.item, ref);
    });
  }

  // Returns for which share of the instances an attribute changes of which `is_held` is true, or
  // something changes inside of the item where the index holds that.
  template <typename IsHeld>
  double ShareChangedIn(const WriteAction& action, bool holds_children,
                        const IsHeld& is_held) const {
    double same = 1;
    for (std::size_t i = 0; i < call_.pattern.writes.size(); ++i) {
      const LabWrite& write = call_.pattern.writes[i];
      const int role = CanonicalRole(call_.shape, call_.shape.writes[i].role);
      if (role != action.role) {
        const bool is_inside = std::ranges::count(action.inner_roles, role) > 0;
        if (is_inside && holds_children) return 1;
        continue;
      }
      for (const LabChange& change : write.changes) {
        const LabAttributeRef ref = {write.entity, change.attribute};
        if (is_held(ref)) same *= 1 - ShareChanged(role, ref);
      }
    }
    return 1 - same;
  }

  // --- Vector indexes ---

  // An entry takes 1 KB at least, by the larger one of before and after.
  static double MeanVectorBytes(const Spread& entry, const LabVectorIndex& index) {
    double sum = 0;
    for (std::size_t i = 0; i < Spread::kParts; ++i) {
      sum += std::max(kLeastVectorRequestBytes, entry.part(i) + VectorBytesOf(index));
    }
    return sum / Spread::kParts;
  }

  // Returns for which share of the instances the action writes an entry.
  double ShareOfVectorWrites(const WriteAction& action, const LabVectorIndex& index) const {
    const LabItem& item = *action.item;
    if (!HoldsVector(file_, layout_, item, index)) return 0;
    const LabAttributeRef vector = StoredAttribute(file_, item.entity, index.attribute);
    std::vector<LabCondition> conditions;
    std::vector<LabAttributeRef> attributes = {vector};
    if (const LabItemKey* const hash = KeyOfItem(item, index.hash)) {
      AppendNew(hash->when, conditions);
      AppendAttributesOf(hash->text, attributes);
    }
    double before = ShareOfAll(action.role, conditions, false);
    double after = ShareOfAll(action.role, conditions, true);
    for (const LabAttributeRef ref : attributes) {
      before *= ShareWith(action, ref, false);
      after *= ShareWith(action, ref, true);
    }
    if (action.kind == ActionKind::kDelete) return before;
    if (action.kind == ActionKind::kPut) return after;
    for (const std::string& name : SearchSchemaOf(index)) {
      const LabItemKey* const key = KeyOfItem(item, name);
      if (key == nullptr) continue;
      AppendAttributesOf(key->text, attributes);
      AppendAttributesOf(key->when, attributes);
    }
    const double changed =
        ShareChangedIn(action, HoldsChildren(index, item), [&](LabAttributeRef ref) {
          return std::ranges::find(attributes, ref) != attributes.end() || Holds(index, item, ref);
        });
    const double stays = std::min(before, after);
    return before - stays + after - stays + stays * changed;
  }

  // `Index` is LabIndex or LabVectorIndex.
  template <typename Index>
  bool HoldsChildren(const Index& index, const LabItem& item) const {
    if (index.projection == LabIndex::Projection::kAll) return true;
    return std::ranges::any_of(EmbeddedIn(call_.input, item), [&](const LabEmbedding* embedding) {
      return HasName(index.included, embedding->attribute);
    });
  }

  template <typename Index>
  bool Holds(const Index& index, const LabItem& item, LabAttributeRef ref) const {
    const std::vector<LabAttributeRef> held = HeldAttributes(call_.input, item);
    if (std::ranges::find(held, ref) == held.end()) return false;
    return index.projection == LabIndex::Projection::kAll ||
           HasName(index.included, LabAttributeAt(file_, ref).name);
  }

  // --- Heat ---

  // Returns the placeholders of the item's partition key.
  std::vector<LabTemplatePart> PartsOfHash(const LabItem& item, LabKey key) const {
    std::vector<LabTemplatePart> parts;
    for (const std::string& name : HashOf(layout_, key)) {
      const LabItemKey* const own = KeyOfItem(item, name);
      if (own == nullptr) continue;
      for (const LabTemplatePart& part : own->text.parts) {
        if (part.attribute.entity != kLabNone) parts.push_back(part);
      }
    }
    return parts;
  }

  double HottestOf(const WriteAction& action, LabKey key) const {
    return HottestOfAll(file_, PartsOfHash(*action.item, key), [&](const LabTemplatePart& part) {
      return HottestOfWrite(action.role, part);
    });
  }

  // Returns the constant that the call gives to the attribute; null: it gives none.
  const std::string* ConstantSet(int role, LabAttributeRef attribute) const {
    const LabChange* const change = ChangeIn(role, attribute);
    const bool is_set = change != nullptr && change->kind == LabChange::Kind::kSet;
    const bool is_constant = is_set && change->generator.kind == GeneratorKind::kConstant;
    return is_constant ? &change->generator.text : nullptr;
  }

  // Returns the greatest share of the entries' units that one partition key gets: an entry that
  // moves to another key is removed from the key of the old value and put at the one of the new
  // value, so one key gets both only of different instances.
  double HottestOfEntries(const WriteAction& action, LabKey key, const Entries& entries) const {
    const std::vector<LabTemplatePart> parts = PartsOfHash(*action.item, key);
    const double put = HottestOf(action, key);
    double removed = put;
    double unmoved = 1;  // the share of the instances whose partition key stays the same
    for (const LabTemplatePart& part : parts) {
      unmoved *= 1 - ShareChanged(action.role, part.attribute);
    }
    const bool is_to_constant = std::ranges::any_of(parts, [&](const LabTemplatePart& part) {
      return ConstantSet(action.role, part.attribute) != nullptr;
    });
    if (is_to_constant) {
      removed = HottestOfAll(file_, parts, [&](const LabTemplatePart& part) {
        return HottestOfOld(action.role, part);
      });
    }
    const double moved = std::min(entries.removed, entries.before * (1 - unmoved));
    const double at_new = put * (entries.put + entries.removed - moved);
    const double at_old = removed * moved;
    const double all = std::max(entries.All(), 1e-9);
    return (is_to_constant ? std::max(at_new, at_old) : at_new + at_old) / all;
  }

  // Returns the share of the hottest old value among the instances whose value the call changes to
  // a constant.
  double HottestOfOld(int role, const LabTemplatePart& part) const {
    const std::string* const constant = ConstantSet(role, part.attribute);
    if (constant == nullptr) return HottestOfWrite(role, part);
    const LabGenerator& generator = LabAttributeAt(file_, part.attribute).generator;
    const double changed = std::max(ShareChanged(role, part.attribute), 1e-9);
    double greatest = 0;
    std::vector<LabGenerator::Choice> values = ValuesSet(generator);
    if (values.empty()) return std::min(1.0, model_.GreatestValueShare(part) / changed);
    for (const LabGenerator::Choice& one : values) {
      if (one.value == *constant) continue;
      const LabCondition is_value = {.attribute = part.attribute, .values = {one.value}};
      greatest = std::max(greatest, ShareBefore(role, is_value));
    }
    const double share = std::min(1.0, greatest / changed);
    return part.shards > 0 ? share + (1 - share) / part.shards : share;
  }

  double HottestOfWrite(int role, LabTemplatePart part) const {
    if (ConstantSet(role, part.attribute) != nullptr) return 1;
    part.attribute = OriginalOf(file_, part.attribute);
    const int shards = part.shards;
    part.shards = 0;
    double share = model_.GreatestValueShare(part);
    // Find the role whose instances, or whose ancestors, have the value.
    while (role != kLabNone && IsCreated(role)) {
      const CallRole& one = call_.shape.roles[static_cast<std::size_t>(role)];
      if (one.entity == part.attribute.entity) {
        share = HottestOfNew(part);
        return shards > 0 ? share + (1 - share) / shards : share;
      }
      role = one.of_role;
    }
    if (role != kLabNone) {
      share = HottestOfPart(SubjectOf(model_, call_.number, role), part);
    }
    return shards > 0 ? share + (1 - share) / shards : share;
  }

  // Returns the share of the hottest value of an attribute of what calls create: a time is now, an
  // identity is a new one.
  double HottestOfNew(const LabTemplatePart& part) const {
    const LabGenerator& generator = LabAttributeAt(file_, part.attribute).generator;
    const double all = std::max(1.0, 2 * model_.Created(part.attribute.entity));
    switch (generator.kind) {
      case GeneratorKind::kTime: {
        double length_ms = 0;
        for (const LabPhase& phase : file_.traffic) {
          length_ms += static_cast<double>(phase.length_ms);
        }
        const double alike_ms = MeanBucketMs(part.form);
        return alike_ms == 0 ? 1 / all : std::min(1.0, alike_ms / std::max(1.0, length_ms));
      }
      case GeneratorKind::kSequence:
      case GeneratorKind::kUlid:
      case GeneratorKind::kUuid:
        return 1 / all;
      case GeneratorKind::kTemplate:
        return part.attribute.attribute == 0 ? 1 / all : HottestOfNewText(part);
      default:
        return model_.GreatestValueShare(part);
    }
  }

  // The same of a template: it is no hotter than what it is made of.
  double HottestOfNewText(const LabTemplatePart& part) const {
    double share = model_.GreatestValueShare(part);
    for (const LabTemplatePart& one :
         LabAttributeAt(file_, part.attribute).generator.text_template.parts) {
      if (one.attribute.entity != part.attribute.entity) continue;
      const LabGenerator& generator = LabAttributeAt(file_, one.attribute).generator;
      if (generator.kind != GeneratorKind::kTemplate) share = std::min(share, HottestOfNew(one));
    }
    return share;
  }

  const WriteCall& call_;
  const LabFile& file_;
  const LabLayout& layout_;
  const FileModel& model_;
  double success_ = 1;  // the share of calls whose conditions hold
  PatternCost cost_ = {};
};

}  // namespace

PatternCost CostOfActions(const WriteCall& call, const std::vector<PlannedAction>& actions) {
  WriteCostFinder finder(call);
  for (const PlannedAction& one : actions) finder.Add(one);
  return finder.Take();
}

}  // namespace hashrange
