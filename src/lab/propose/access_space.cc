#include "lab/propose/access_space.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <set>

#include "base/text/short_text.h"
#include "lab/language/lab_facts.h"
#include "lab/plan/request/lab_call.h"

namespace hashrange {
namespace {

using Refs = std::vector<LabAttributeRef>;
using Words = std::vector<KeyWord>;

bool Has(const Refs& refs, LabAttributeRef ref) { return std::ranges::count(refs, ref) > 0; }

template <typename T>
void AddNew(const T& one, std::vector<T>& list) {
  if (std::ranges::find(list, one) == list.end()) list.push_back(one);
}

bool IsNone(LabAttributeRef ref) { return ref.entity == kLabNone; }

bool IsKeyType(const LabFile& file, LabAttributeRef ref) {
  const LabType type = LabAttributeAt(file, ref).type;
  return type == LabType::kString || type == LabType::kNumber;
}

// Returns whether each instance has the attribute, and keeps its value.
bool IsFixed(const LabFile& file, LabAttributeRef ref) {
  const LabAttributeRef root = RootOf(file, ref);
  if (MayLack(file, ref) || (root != ref && root.attribute != 0 && !IsFixed(file, root))) {
    return false;
  }
  for (const LabPattern& pattern : file.patterns) {
    for (const LabWrite& write : pattern.writes) {
      if (write.kind != LabWrite::Kind::kUpdate || write.entity != ref.entity) continue;
      for (const LabChange& change : write.changes) {
        if (change.attribute == ref.attribute) return false;
      }
    }
  }
  return true;
}

// --- Words ---

// Returns the entity to an identity of which the attribute refers; kLabNone: to none.
int IdentifiedBy(const LabFile& file, LabAttributeRef ref) {
  const bool is_identity = LabAttributeAt(file, ref).generator.other.attribute == 0;
  return is_identity ? ReferredEntity(file, ref) : kLabNone;
}

// Returns whether the entity, or what it belongs to, has another way to instances of `referred`.
bool HasOtherWay(const LabFile& file, LabAttributeRef ref, int referred) {
  if (IsAncestorOrSelf(file, referred, ref.entity)) return true;
  const auto attributes = static_cast<int>(EntityAt(file, ref.entity).attributes.size());
  for (int i = 0; i < attributes; ++i) {
    if (i != ref.attribute && IdentifiedBy(file, {ref.entity, i}) == referred) return true;
  }
  return false;
}

// Returns what stands before the value in a key: the entity that it identifies, where no other
// attribute could be meant, or the name of the attribute.
std::string LabelOf(const LabFile& file, LabAttributeRef ref) {
  const int referred = IdentifiedBy(file, ref);
  if (referred != kLabNone && !HasOtherWay(file, ref, referred)) {
    return LabelOfName(EntityAt(file, referred).name);
  }
  if (ref.attribute == 0 && referred == kLabNone) {
    return LabelOfName(EntityAt(file, ref.entity).name);
  }
  return LabelOfName(WithoutId(LabAttributeAt(file, ref).name));
}

// Returns the attribute in a form whose texts sort as its values do, if there is one.
LabTemplatePart SortingPart(const LabFile& file, LabAttributeRef ref) {
  LabTemplatePart part = {.attribute = ref};
  if (LabAttributeAt(file, ref).type != LabType::kNumber) return part;
  constexpr double kMostNumber = 1e15;
  const LabNumberBounds bounds = BoundsOfNumber(file, ref);
  const double greatest = std::min(kMostNumber, bounds.is_added_to ? kMostNumber : bounds.greatest);
  const int width = static_cast<int>(std::to_string(static_cast<long long>(greatest)).size());
  if (WhyFormDoesNotSort(bounds, LabTemplatePart::Form::kPadded, width) == nullptr) {
    part.form = LabTemplatePart::Form::kPadded;
    part.width = width;
  }
  return part;
}

KeyWord LabelWord(std::string label) { return {.label = std::move(label)}; }

KeyWord ValueWord(const LabFile& file, LabAttributeRef ref) {
  return {.label = LabelOf(file, ref), .value = {.attribute = ref}};
}

KeyWord SortingWord(const LabFile& file, LabAttributeRef ref) {
  return {.label = LabelOf(file, ref), .value = SortingPart(file, ref)};
}

// --- Where instances of an entity lie by themselves ---

// Returns whether the instance says which tenant it belongs to, and by which attribute.
LabAttributeRef TenantOf(const LabFile& file, int entity) {
  if (IsNone(file.tenant)) return {};
  if (IsAncestorOrSelf(file, file.tenant.entity, entity)) return file.tenant;
  const auto attributes = static_cast<int>(EntityAt(file, entity).attributes.size());
  for (int i = 0; i < attributes; ++i) {
    if (IsSameValue(file, {entity, i}, file.tenant)) return {entity, i};
  }
  return {};
}

// Puts the tenant in front where the entity has one.
void LeadByTenant(const LabFile& file, int entity, Words& hash) {
  const LabAttributeRef tenant = TenantOf(file, entity);
  if (IsNone(tenant)) return;
  const bool leads = !hash.empty() && hash.front().HasValue() &&
                     IsSameValue(file, hash.front().value.attribute, file.tenant);
  if (leads) return;
  std::erase_if(hash, [&](const KeyWord& word) {
    return word.HasValue() && IsSameValue(file, word.value.attribute, file.tenant);
  });
  hash.insert(hash.begin(), ValueWord(file, tenant));
}

Words OwnHash(const LabFile& file, int entity) {
  Words hash;
  for (const LabAttributeRef part : IdentityOf(file, entity)) {
    hash.push_back(
        {.label = LabelOfName(EntityAt(file, part.entity).name), .value = {.attribute = part}});
  }
  LeadByTenant(file, entity, hash);
  return hash;
}

bool HasWord(const Words& words, LabAttributeRef ref) {
  return std::ranges::any_of(words, [&](const KeyWord& word) {
    return word.HasValue() && word.value.attribute == ref && word.value.shards == 0 &&
           (word.value.form == LabTemplatePart::Form::kAsIs ||
            word.value.form == LabTemplatePart::Form::kPadded);
  });
}

// --- The end of a sort key ---

// Returns whether the identity sorts by the attribute, as an ULID does by its time.
bool SortsBy(const LabFile& file, int entity, LabAttributeRef ref) {
  return ref == LabAttributeRef{entity, 0} || TimeOfUlid(file, {entity, 0}) == ref;
}

// Returns the sort key of the entity: the attributes to sort by, and what is left of its identity
// besides the partition key; in place of that `distinct`, if there is any.
Words RangeOf(const LabFile& file, int entity, const Words& hash, const Refs& first,
              const Refs& sorted, const Refs& distinct = {}) {
  Words range;
  for (const LabAttributeRef ref : first) {
    if (!HasWord(hash, ref)) range.push_back({.value = SortingPart(file, ref)});
  }
  for (const LabAttributeRef ref : sorted) {
    const bool is_needed = !IsNone(ref) && !SortsBy(file, entity, ref) && !HasWord(range, ref);
    if (is_needed) range.push_back({.value = SortingPart(file, ref)});
  }
  for (const LabAttributeRef part : distinct.empty() ? IdentityOf(file, entity) : distinct) {
    if (!HasWord(hash, part) && !HasWord(range, part)) {
      range.push_back({.value = SortingPart(file, part)});
    }
  }
  const std::string label = LabelOfName(EntityAt(file, entity).name);
  if (range.empty()) return {LabelWord(label)};
  range.front().label = label;
  return range;
}

// --- Questions ---

// Returns the entity's own attribute that has the value; of no entity: none has it.
LabAttributeRef OwnAttributeWith(const LabFile& file, int entity, LabAttributeRef value) {
  const auto attributes = static_cast<int>(EntityAt(file, entity).attributes.size());
  for (int i = 0; i < attributes; ++i) {
    if (IsSameValue(file, {entity, i}, value)) return {entity, i};
  }
  return {};
}

// Returns the attribute of the entity, or the identity of an ancestor, that has the value which a
// caller knows. No key of the entity has another attribute of an ancestor.
LabAttributeRef AskedAttribute(const LabFile& file, int entity, LabAttributeRef known) {
  const LabAttributeRef direct = AttributeFor(file, entity, known);
  if (direct.entity == entity || direct.attribute == 0) return direct;
  return OwnAttributeWith(file, entity, known);
}

Refs AskedAttributes(const LabFile& file, int entity, const Refs& known) {
  Refs asked;
  for (const LabAttributeRef ref : known) {
    const LabAttributeRef own = AskedAttribute(file, entity, ref);
    if (!IsNone(own) && IsKeyType(file, own)) AddNew(own, asked);
  }
  return asked;
}

bool IsOf(const LabFile& file, int entity, LabAttributeRef ref) {
  return !IsNone(ref) && IsAncestorOrSelf(file, ref.entity, entity);
}

// Returns the attribute that leads from the entity to the other instance.
LabAttributeRef WayTo(const LabFile& file, const LabReturnedOther& other) {
  if (other.via != kLabNone) return {other.of, other.via};
  const LabAttributeRef identity = {other.attribute.entity, 0};
  if (EntityAt(file, other.of).parent == identity.entity) return identity;
  const LabAttributeRef own = OwnAttributeWith(file, other.of, identity);
  return IsNone(own) ? identity : own;
}

void AddReturned(const LabFile& file, const LabPattern& pattern, AccessQuestion& question) {
  question.returns_all = pattern.returns.empty();
  for (const LabAttributeRef ref : pattern.returns) {
    if (IsOf(file, question.entity, ref)) AddNew(ref, question.returns);
  }
  const auto attributes = static_cast<int>(EntityAt(file, question.entity).attributes.size());
  for (const LabReturnedOther& other : pattern.returned_others) {
    if (other.of != question.entity) continue;
    AddNew(WayTo(file, other), question.returns);
    for (int i = 0; i < attributes; ++i) {
      const LabAttributeRef own = {question.entity, i};
      const bool is_copy = IsCopyOf(file, own, other.attribute) &&
                           (other.via == kLabNone || ReferenceOfCopy(file, own) == other.via);
      if (is_copy) AddNew(own, question.returns);
    }
  }
}

AccessQuestion QuestionOf(const LabFile& file, const LabPattern& pattern, int number, int entity) {
  AccessQuestion question = {.pattern = number, .entity = entity};
  question.by = AskedAttributes(file, entity, pattern.by);
  for (const LabCondition& one : pattern.constants) {
    if (one.attribute.entity == entity) question.constants.push_back(one);
  }
  if (IsOf(file, entity, pattern.range.attribute)) {
    question.range = AskedAttribute(file, entity, pattern.range.attribute);
    question.prefix = pattern.range.prefix;
  }
  if (IsOf(file, entity, pattern.order)) {
    question.order = AskedAttribute(file, entity, pattern.order);
  }
  question.is_of_one = pattern.kind == LabPattern::Kind::kGet ||
                       (pattern.limit == 1 && IsNone(question.range) && IsNone(question.order));
  question.is_together = pattern.entities.size() > 1;
  AddReturned(file, pattern, question);
  return question;
}

void AddQuestionsOfRead(const LabFile& file, int form, int number,
                        std::vector<AccessQuestion>& questions) {
  const LabPattern& pattern = PatternForm(file, form);
  if (pattern.each) {
    AccessQuestion first = {.pattern = number, .entity = pattern.each->entity};
    first.by = AskedAttributes(file, first.entity, pattern.each->by);
    for (const LabCondition& one : pattern.each->constants) first.constants.push_back(one);
    first.returns = pattern.each->returns;
    questions.push_back(std::move(first));
  }
  for (const int entity : pattern.entities) {
    questions.push_back(QuestionOf(file, pattern, number, entity));
  }
}

void AddQuestionsOfWrite(const LabFile& file, int number, std::vector<AccessQuestion>& questions) {
  for (const LabWrite& write : file.patterns[static_cast<std::size_t>(number)].writes) {
    if (write.each != kLabNone && !IsNone(write.found_by)) {
      questions.push_back({.pattern = number,
                           .entity = write.each,
                           .by = AskedAttributes(file, write.each, {write.found_by})});
    }
    if (write.kind == LabWrite::Kind::kCreate) continue;
    AccessQuestion question = {.pattern = number, .entity = write.entity};
    question.by = write.by.empty() ? IdentityOf(file, write.entity)
                                   : AskedAttributes(file, write.entity, write.by);
    question.is_of_one = write.each == kLabNone;
    questions.push_back(question);
    if (write.kind != LabWrite::Kind::kDelete) continue;
    for (const int child : write.with) {
      questions.push_back(
          {.pattern = number, .entity = child, .by = IdentityOf(file, write.entity)});
    }
  }
}

std::vector<AccessQuestion> QuestionsOf(const LabFile& file) {
  std::vector<AccessQuestion> questions;
  for (int number = 0; number < static_cast<int>(file.patterns.size()); ++number) {
    const LabPattern& pattern = file.patterns[static_cast<std::size_t>(number)];
    if (pattern.kind == LabPattern::Kind::kWrite) {
      AddQuestionsOfWrite(file, number, questions);
      continue;
    }
    AddQuestionsOfRead(file, number, number, questions);
    if (pattern.or_form != kLabNone) {
      AddQuestionsOfRead(file, pattern.or_form, number, questions);
    }
  }
  return questions;
}

// --- Keys of a question ---

// Returns the attributes that a sort key has so that the question finds a range, or an order.
std::vector<Refs> SortsOf(const AccessQuestion& question) {
  const bool has_range = !IsNone(question.range);
  const bool has_order = !IsNone(question.order);
  if (has_range && has_order && question.range != question.order) {
    return {{question.range, question.order}, {question.order}};
  }
  if (has_range) return {{question.range}};
  if (has_order) return {{question.order}};
  return {{}};
}

// Returns whether the one is an identity that follows from the other: that of an event, where the
// talk is known, or that of a player, where the unique name is. A tenant is never left out.
bool IsImplied(const LabFile& file, LabAttributeRef one, LabAttributeRef other) {
  const LabAttributeRef root = RootOf(file, other);
  const bool is_unique = root.attribute != 0 && IsUnique(file, root);
  const int known = is_unique ? root.entity : other.entity;
  return one.attribute == 0 && one != file.tenant && (is_unique || other.attribute == 0) &&
         (is_unique || one.entity != known) && EntityAt(file, known).identity_is_global &&
         IsAncestorOrSelf(file, one.entity, known);
}

// Returns the attributes without the identities that follow from others.
Refs WithoutImplied(const LabFile& file, Refs by) {
  const Refs all = by;
  std::erase_if(by, [&](LabAttributeRef one) {
    return std::ranges::any_of(all, [&](LabAttributeRef other) {
      return other.attribute == 0 && IsImplied(file, one, other);
    });
  });
  return by;
}

// Returns the partition keys by which a question may be answered whose caller knows these values:
// all are in the key, or one of them that identifies an instance is, and the others lead the sort
// key.
std::vector<Refs> PartitionsOf(const LabFile& file, const Refs& by) {
  std::vector<Refs> partitions = {by};
  if (by.size() < 2) return partitions;
  for (const LabAttributeRef one : by) {
    const int identified = one.attribute == 0 ? one.entity : IdentifiedBy(file, one);
    const bool identifies = identified != kLabNone && EntityAt(file, identified).identity_is_global;
    if (identifies) partitions.push_back({one});
  }
  return partitions;
}

// Returns whether other questions about the entity ask for other values of an attribute that this
// question asks for by a constant. Where none does, an index of the constant's instances is enough.
bool HasOtherValues(const std::vector<AccessQuestion>& questions, const AccessQuestion& question) {
  return std::ranges::any_of(question.constants, [&](const LabCondition& constant) {
    return std::ranges::any_of(questions, [&](const AccessQuestion& other) {
      return Has(other.by, constant.attribute) ||
             std::ranges::any_of(other.constants, [&](const LabCondition& one) {
               return one.attribute == constant.attribute && one.values != constant.values;
             });
    });
  });
}

std::vector<ProposedKey> KeysOf(const LabFile& file, const std::vector<AccessQuestion>& questions,
                                const AccessQuestion& question) {
  std::vector<ProposedKey> keys;
  const std::string label = LabelOfName(EntityAt(file, question.entity).name);
  Refs constants;
  bool has_unkeyed = false;  // a constant of an attribute that no key can have
  for (const LabCondition& one : question.constants) {
    const bool is_equal = one.op == LabCondition::Op::kEqual && IsKeyType(file, one.attribute);
    if (is_equal) AddNew(one.attribute, constants);
    has_unkeyed = has_unkeyed || !is_equal;
  }
  const Refs by = WithoutImplied(file, question.by);
  for (const Refs& partition : PartitionsOf(file, by)) {
    Refs rest;
    for (const LabAttributeRef ref : by) {
      if (!Has(partition, ref)) rest.push_back(ref);
    }
    for (const bool is_sparse : {true, false}) {
      if (question.constants.empty() && is_sparse) continue;
      const bool is_of_all = !is_sparse && !question.constants.empty();
      if (is_of_all && (has_unkeyed || !HasOtherValues(questions, question))) continue;
      ProposedKey key;
      for (const LabAttributeRef ref : partition) key.hash.push_back(ValueWord(file, ref));
      if (is_sparse) key.when = question.constants;
      Refs first = rest;
      if (!is_sparse) {
        for (const LabAttributeRef ref : constants) {
          if (key.hash.empty()) {
            key.hash.push_back(ValueWord(file, ref));
          } else if (!HasWord(key.hash, ref)) {
            first.push_back(ref);
          }
        }
      }
      if (key.hash.empty()) {
        std::string name = PluralOfLabel(label);
        for (const LabCondition& one : key.when) {
          for (const std::string& value : one.values) name += "#" + LabelOfName(value);
        }
        key.hash.push_back(LabelWord(name));
        // The prefix that the caller knows tells partitions from each other.
        if (question.prefix > 0) {
          key.hash.back().value = {.attribute = question.range,
                                   .form = LabTemplatePart::Form::kPrefix,
                                   .width = question.prefix};
        }
      } else if (is_sparse && std::ranges::none_of(question.constants, [&](const auto& one) {
                   return Has(partition, one.attribute);
                 })) {
        // The label says which instances are there.
        for (const LabCondition& one : key.when) {
          if (one.op == LabCondition::Op::kEqual) {
            key.hash.front().label = LabelOfName(one.values.front()) + "#" + key.hash.front().label;
            break;
          }
        }
      }
      const LabAttributeRef tenant = TenantOf(file, question.entity);
      if (!IsNone(tenant) && Has(question.by, tenant)) {
        LeadByTenant(file, question.entity, key.hash);
      }
      std::vector<Refs> sorts = SortsOf(question);
      // Each change of what a list is sorted by moves an entry of the index. The client may sort a
      // short one that changes more often than it is read, and one that is read whole.
      const LabPattern& pattern = file.patterns[static_cast<std::size_t>(question.pattern)];
      const double reads = pattern.calls_per_second;
      // An index by an attribute lacks the instances that lack the attribute.
      const bool may_lack = !IsNone(question.order) && MayLack(file, question.order);
      const bool is_whole = pattern.kind != LabPattern::Kind::kWrite && pattern.limit == 0;
      if (IsNone(question.range) &&
          (may_lack || is_whole || ChangesPerSecond(file, question.order) > reads)) {
        sorts.push_back({});
      }
      for (const Refs& sorted : sorts) {
        ProposedKey one = key;
        one.range = RangeOf(file, question.entity, key.hash, first, sorted);
        AddNew(one, keys);
      }
    }
  }
  return keys;
}

// --- Paths ---

// What the questions of one key need of the items.
struct KeyUse {
  ProposedKey key = {};
  Refs returns = {};
  bool returns_all = false;
  std::vector<int> patterns = {};
  int together_for = kLabNone;
  bool is_by_identity = false;  // a question asks for the order that the identity has
  LabAttributeRef time = {};    // by which a question asks for that order
  bool is_of_one = true;        // each question expects one instance
};

void AddUse(const LabFile& file, const ProposedKey& key, const AccessQuestion& question,
            std::vector<KeyUse>& uses) {
  auto use = std::ranges::find(uses, key, &KeyUse::key);
  if (use == uses.end()) use = uses.insert(uses.end(), {.key = key});
  use->returns_all = use->returns_all || question.returns_all;
  for (const LabAttributeRef ref : question.returns) AddNew(ref, use->returns);
  AddNew(question.pattern, use->patterns);
  if (question.is_together) use->together_for = question.pattern;
  use->is_of_one = use->is_of_one && question.is_of_one;
  for (const LabAttributeRef ref : {question.range, question.order}) {
    if (IsNone(ref) || !SortsBy(file, question.entity, ref)) continue;
    use->is_by_identity = true;
    if (ref.attribute != 0) use->time = ref;
  }
}

// Returns whether each write that changes the attribute removes it, together with what the
// conditions ask for, and each instance is created with both.
bool IsRemovedWith(const LabFile& file, LabAttributeRef ref,
                   const std::vector<LabCondition>& conditions) {
  const auto change_of = [](const LabWrite& write, LabAttributeRef one) {
    return std::ranges::find(write.changes, one.attribute, &LabChange::attribute);
  };
  // Returns whether the write sets what the condition asks for; `is_other`: something else.
  const auto sets = [&](const LabWrite& write, const LabCondition& one, bool is_other) {
    const auto change = change_of(write, one.attribute);
    return one.op == LabCondition::Op::kEqual && change != write.changes.end() &&
           change->kind == LabChange::Kind::kSet &&
           change->generator.kind == LabGenerator::Kind::kConstant &&
           (change->generator.text != one.values.front()) == is_other;
  };
  for (const LabPattern& pattern : file.patterns) {
    for (const LabWrite& write : pattern.writes) {
      if (write.entity != ref.entity) continue;
      const auto removed = change_of(write, ref);
      const bool has_change = removed != write.changes.end();
      const bool is_removed = has_change && removed->kind == LabChange::Kind::kRemove;
      for (const LabCondition& one : conditions) {
        const bool is_touched = change_of(write, one.attribute) != write.changes.end();
        const bool is_create = write.kind == LabWrite::Kind::kCreate;
        const bool is_update = write.kind == LabWrite::Kind::kUpdate;
        if (is_create && (has_change || !sets(write, one, false))) return false;
        if (!is_update || (!has_change && !is_touched)) continue;
        if (!is_removed || !sets(write, one, true)) return false;
      }
      if (conditions.empty() && has_change) return false;
    }
  }
  return true;
}

// Returns whether an item of the key keeps the value unique: of a booking whose unique slot is
// "{room_id}#{starts_at}", one by its room and time. Where the value can be removed, the item is
// there only as long as the value is.
bool IsByParts(const LabFile& file, LabAttributeRef unique, const ProposedKey& key) {
  if (key.hash.size() != 1 || key.range.size() != 1) return false;
  Refs missing = WithParts(file, unique);
  missing.erase(missing.begin());
  const auto is_part = [&](const KeyWord& word) {
    const LabAttributeRef ref = word.value.attribute;
    return word.HasValue() && word.value.form == LabTemplatePart::Form::kAsIs &&
           Has(missing, ref) && IsKeyType(file, ref) && IsFixed(file, ref);
  };
  const bool are_parts = is_part(key.hash.front()) && is_part(key.range.front());
  for (const KeyWord& word : {key.hash.front(), key.range.front()}) {
    if (!are_parts) return false;
    for (const LabAttributeRef part : WithParts(file, word.value.attribute)) {
      std::erase(missing, part);
    }
  }
  return missing.empty() && IsFixed(file, unique) == key.when.empty() &&
         IsRemovedWith(file, unique, key.when);
}

// Returns the key of an index for the use. Several items may have the same, so what its items are
// sorted by is enough.
ProposedKey IndexKeyOf(const LabFile& file, const KeyUse& use, int entity) {
  ProposedKey key = use.key;
  const Refs identity = IdentityOf(file, entity);
  const auto ends_with_identity = [&] { return Has(identity, key.range.back().value.attribute); };
  if (use.is_of_one && key.range.size() == 1 && ends_with_identity()) {
    key.range = {LabelWord(key.range.front().label)};
  }
  while (!use.is_by_identity && key.range.size() > 1 && ends_with_identity()) {
    key.range.pop_back();
  }
  return key;
}

// Adds the forms in which the items can be found by the key.
void AddPaths(const LabFile& file, int entity, const KeyUse& use, EntitySpace& space) {
  std::vector<AccessPath>& paths = space.paths;
  const Refs identity = IdentityOf(file, entity);
  const Refs all = AllAttributes(file, entity);
  AccessPath path = {.key = IndexKeyOf(file, use, entity),
                     .patterns = use.patterns,
                     .together_for = use.together_for};
  // A write that knows the identity finds its item by that.
  const bool is_found_by_identity =
      std::ranges::any_of(space.questions, [&](const AccessQuestion& question) {
        const bool is_write =
            !file.patterns[static_cast<std::size_t>(question.pattern)].writes.empty();
        return is_write && Has(question.by, {entity, 0}) &&
               std::ranges::all_of(use.key.hash, [&](const KeyWord& word) {
                 return word.HasValue() && Has(question.by, word.value.attribute);
               });
      });
  const bool is_returned = use.returns_all || Has(use.returns, use.time);
  if (is_returned && !is_found_by_identity) path.time = use.time;
  Refs returned;
  const auto is_in = [](const ProposedKey& key, LabAttributeRef ref) {
    return HasWord(key.hash, ref) || HasWord(key.range, ref);
  };
  for (const LabAttributeRef ref : use.returns_all ? all : use.returns) {
    const bool is_in_tables_key = std::ranges::all_of(
        space.table_keys, [&](const ProposedKey& key) { return is_in(key, ref); });
    if (Has(all, ref) && !is_in(path.key, ref) && !is_in_tables_key) returned.push_back(ref);
  }
  path.has_all = use.returns_all;
  path.attributes = returned;
  const auto add = [&](AccessPath::Form form) {
    path.form = form;
    paths.push_back(path);
  };
  // What is found by a unique value is held by the item that keeps the value unique.
  const LabAttributeRef first = use.key.hash.front().value.attribute;
  const bool is_by_unique = use.key.hash.size() == 1 && use.key.when.empty() &&
                            first.entity == entity &&
                            std::ranges::count(space.unique, first.attribute) > 0;
  add(AccessPath::Form::kGlobalIndex);
  if (!is_by_unique) add(AccessPath::Form::kLocalIndex);
  path.key = is_by_unique ? SentinelKey(file, first) : use.key;
  const bool has_identity =
      std::ranges::all_of(identity, [&](LabAttributeRef ref) { return is_in(use.key, ref); });
  Refs only_identity;
  for (const LabAttributeRef ref : identity) {
    if (Has(all, ref)) only_identity.push_back(ref);
  }
  Refs copied = use.returns_all ? all : use.returns;
  std::erase_if(copied, [&](LabAttributeRef ref) { return !Has(all, ref); });
  for (const LabAttributeRef ref : only_identity) AddNew(ref, copied);
  if (has_identity || is_by_unique) {
    if (is_by_unique) path.sentinel_of = first.attribute;
    path.has_all = false;
    path.attributes = copied;
    add(AccessPath::Form::kCopy);
    if (only_identity != copied) {
      path.attributes = only_identity;
      add(AccessPath::Form::kCopy);
    }
  }
  for (const int unique : space.unique) {
    path.key = IndexKeyOf(file, use, entity);
    if (!IsByParts(file, {entity, unique}, path.key)) continue;
    path.sentinel_of = unique;
    path.has_all = false;
    path.attributes = copied;
    add(AccessPath::Form::kCopy);
  }
  if (!returned.empty() && !is_by_unique) {
    path.key = IndexKeyOf(file, use, entity);
    path.sentinel_of = kLabNone;
    path.has_all = false;
    path.attributes = {};
    add(AccessPath::Form::kGlobalIndex);
  }
}

// --- Table keys ---

// Adds the keys by which the entity lies in a collection: sorted by identity, by what questions
// sort by, and below the ancestors between. With `distinct`, which tells the instances of the
// collection from each other, that is in place of the identity.
void AddCollection(const LabFile& file, int entity, const Words& hash, const EntitySpace& space,
                   std::vector<ProposedKey>& keys, const Refs& distinct = {}) {
  const auto add = [&](const Refs& first, const Refs& sorted) {
    const bool is_fixed =
        std::ranges::all_of(sorted, [&](LabAttributeRef ref) { return IsFixed(file, ref); });
    if (!is_fixed) return;
    const Words range = RangeOf(file, entity, hash, first, sorted, distinct);
    AddNew(ProposedKey{.hash = hash, .range = range}, keys);
  };
  add({}, {});
  for (const AccessQuestion& question : space.questions) {
    for (const Refs& sorted : SortsOf(question)) add({}, sorted);
    // What the caller knows besides leads the sort key.
    Refs rest;
    for (const LabAttributeRef ref : question.by) {
      if (!HasWord(hash, ref) && IsFixed(file, ref) && ref != LabAttributeRef{entity, 0}) {
        rest.push_back(ref);
      }
    }
    if (rest.empty() || rest.size() == question.by.size()) continue;
    for (const Refs& sorted : SortsOf(question)) add(rest, sorted);
  }
}

// Adds the key of one part of a unique value and the other parts: of a ticket whose unique
// admission is "{event_id}#{attendee_id}", an attendee's tickets by event. Nothing else has to keep
// the value unique.
void AddPartsOf(const LabFile& file, LabAttributeRef unique, const Words& hash,
                std::vector<ProposedKey>& keys) {
  Refs parts = WithParts(file, unique);
  parts.erase(parts.begin());
  const bool are_key_parts = std::ranges::all_of(parts, [&](LabAttributeRef part) {
    return IsAncestorOrSelf(file, part.entity, unique.entity) && IsFixed(file, part) &&
           IsKeyType(file, part);
  });
  const bool is_by_parts = std::ranges::all_of(hash, [&](const KeyWord& word) {
    return !word.HasValue() || Has(parts, word.value.attribute);
  });
  if (parts.size() < 2 || !IsFixed(file, unique) || !are_key_parts || !is_by_parts) return;
  AddNew(ProposedKey{.hash = hash, .range = RangeOf(file, unique.entity, hash, {}, {}, parts)},
         keys);
}

// Returns the key without the identities that follow from one in its partition key.
ProposedKey WithoutImplied(const LabFile& file, ProposedKey key) {
  const Words hash = key.hash;
  const auto is_implied = [&](const KeyWord& word) {
    return word.HasValue() && std::ranges::any_of(hash, [&](const KeyWord& other) {
             return other.HasValue() &&
                    IsImplied(file, word.value.attribute, other.value.attribute);
           });
  };
  std::erase_if(key.hash, is_implied);
  const std::string label = key.range.front().label;
  std::erase_if(key.range, is_implied);
  if (key.range.empty()) return {.hash = key.hash, .range = {LabelWord(label)}};
  if (key.range.front().label.empty()) key.range.front().label = label;
  return key;
}

// Leaves the first of the keys with the same values in the same order.
void EraseRepeated(const LabFile& file, std::vector<ProposedKey>& keys) {
  std::vector<ProposedKey> kept;
  for (const ProposedKey& one : keys) {
    ProposedKey key = WithoutImplied(file, one);
    const auto is_same = [&](const KeyWord& a, const KeyWord& b) {
      return a.HasValue() == b.HasValue() && a.value.form == b.value.form &&
             (!a.HasValue() || IsSameValue(file, a.value.attribute, b.value.attribute));
    };
    const bool is_known = std::ranges::any_of(kept, [&](const ProposedKey& other) {
      return std::ranges::equal(other.hash, key.hash, is_same) &&
             std::ranges::equal(other.range, key.range, is_same);
    });
    if (!is_known) kept.push_back(std::move(key));
  }
  keys = std::move(kept);
}

// Returns whether no two instances have the same value, which stays as it is: a get asks by it, and
// its values are made so.
bool IsOfOne(const LabFile& file, LabAttributeRef ref) {
  using Kind = LabGenerator::Kind;
  const LabGenerator& generator = LabAttributeAt(file, ref).generator;
  const std::vector<LabTemplatePart>& parts = generator.text_template.parts;
  const LabAttributeRef identity = {ref.entity, 0};
  const bool has_identity = std::ranges::any_of(parts, [&](const LabTemplatePart& part) {
    return part.attribute == identity && part.shards == 0 &&
           part.form == LabTemplatePart::Form::kAsIs;
  });
  const bool is_distinct = generator.kind == Kind::kUuid || generator.kind == Kind::kSequence ||
                           generator.kind == Kind::kUlid || has_identity;
  return ref.attribute != 0 && is_distinct && IsFixed(file, ref) &&
         EntityAt(file, ref.entity).identity_is_global &&
         (IsCode(file, ref) || std::ranges::any_of(file.patterns, [&](const LabPattern& pattern) {
            return pattern.kind == LabPattern::Kind::kGet &&
                   pattern.by == std::vector<LabAttributeRef>{ref};
          }));
}

void AddTableKeys(const LabFile& file, int entity, EntitySpace& space) {
  const std::string label = LabelOfName(EntityAt(file, entity).name);
  std::vector<ProposedKey>& keys = space.table_keys;
  keys.push_back({.hash = OwnHash(file, entity), .range = {LabelWord(label)}});
  for (int parent = EntityAt(file, entity).parent; parent != kLabNone;
       parent = EntityAt(file, parent).parent) {
    const Words hash = OwnHash(file, parent);
    // The hierarchy below that ancestor: its children's identities, then those of their children.
    Words range;
    for (int one = entity; one != parent; one = EntityAt(file, one).parent) {
      range.insert(range.begin(), SortingWord(file, {one, 0}));
    }
    if (range.size() > 1) AddNew(ProposedKey{.hash = hash, .range = range}, keys);
    AddCollection(file, entity, hash, space, keys);
    for (const int unique : space.unique) AddPartsOf(file, {entity, unique}, hash, keys);
    const LabAttributeRef distinct = {entity, EntityAt(file, entity).distinct};
    const bool is_key =
        distinct.attribute != kLabNone && IsFixed(file, distinct) && IsKeyType(file, distinct);
    if (!is_key) continue;
    if (range.size() == 1) {
      AddCollection(file, entity, hash, space, keys, {distinct});
    } else {
      range.back() = SortingWord(file, distinct);
      AddNew(ProposedKey{.hash = hash, .range = range}, keys);
    }
  }
  for (const AccessQuestion& question : space.questions) {
    if (question.by.empty() && question.constants.empty() && question.prefix == 0) {
      AddCollection(file, entity, {LabelWord(PluralOfLabel(label))}, space, keys);
    }
    for (const LabAttributeRef ref : question.by) {
      // The identity of an ancestor, or the entity's own, leads to the collections above, and what
      // one instance has to the key below.
      const bool is_identity = ref.attribute == 0 && EntityAt(file, entity).identity_is_global;
      if (ref.entity != entity || is_identity || !IsFixed(file, ref) || IsOfOne(file, ref))
        continue;
      const int referred = ReferredEntity(file, ref);
      const bool is_whole = referred != kLabNone && EntityAt(file, referred).identity_is_global &&
                            LabAttributeAt(file, ref).generator.other.attribute == 0;
      KeyWord word = ValueWord(file, ref);
      if (is_whole) word.label = LabelOfName(EntityAt(file, referred).name);
      Words hash = {word};
      LeadByTenant(file, entity, hash);
      AddCollection(file, entity, hash, space, keys);
      for (const int unique : space.unique) AddPartsOf(file, {entity, unique}, hash, keys);
    }
    // By a unique value, nothing else has to keep it unique.
    for (const LabAttributeRef ref : question.by) {
      const bool is_unique =
          ref.entity == entity &&
          (std::ranges::count(space.unique, ref.attribute) > 0 || IsOfOne(file, ref));
      if (!is_unique || question.by.size() != 1) continue;
      AddNew(ProposedKey{.hash = SentinelKey(file, ref).hash, .range = {LabelWord(label)}}, keys);
    }
    // All that the caller knows, together.
    const bool is_fixed =
        std::ranges::all_of(question.by, [&](LabAttributeRef ref) { return IsFixed(file, ref); });
    if (question.by.size() < 2 || !is_fixed) continue;
    Words hash;
    for (const LabAttributeRef ref : question.by) hash.push_back(ValueWord(file, ref));
    LeadByTenant(file, entity, hash);
    AddCollection(file, entity, hash, space, keys);
  }
  EraseRepeated(file, keys);
  // The first key is the one of a layout in which nothing is chosen yet. An instance that only its
  // parent tells from others lies with its parent there.
  const LabEntity& described = EntityAt(file, entity);
  if (described.parent == kLabNone || described.identity_is_global) return;
  std::ranges::rotate(keys, keys.begin() + 1);
}

// Returns the label by which the instances that a page lists come behind all else that it shows, in
// the direction of reading; empty: their own does, or the key does not sort them so.
//
//   order: -created_at    #ORDER#{created_at} below CUSTOMER
std::string LabelOfListed(const LabFile& file, const LabPattern& pattern, int entity,
                          const ProposedKey& key) {
  const LabAttributeRef first = key.range.front().value.attribute;
  const bool is_listed = pattern.entities.size() > 1 && pattern.limit > 0 &&
                         pattern.order.entity == entity && first.entity == entity &&
                         (first == pattern.order || SortsBy(file, entity, pattern.order));
  const std::string& label = key.range.front().label;
  if (!is_listed || label.starts_with('#') || label.starts_with('~')) return "";
  const bool is_last = std::ranges::all_of(pattern.entities, [&](int other) {
    const std::string of_other = LabelOfName(EntityAt(file, other).name);
    return other == entity || (pattern.is_descending ? label < of_other : label > of_other);
  });
  if (is_last) return "";
  return (pattern.is_descending ? "#" : "~") + label;
}

bool HasTableKeyIn(const EntitySpace& space, const Words& hash) {
  return std::ranges::count(space.table_keys, hash, &ProposedKey::hash) > 0;
}

// Labels the table keys of what pages list, where it lies with other things that they show.
void LabelListed(const LabFile& file, AccessSpace& space) {
  for (const LabPattern& pattern : file.patterns) {
    if (pattern.order.entity == kLabNone) continue;
    const int entity = pattern.order.entity;
    for (ProposedKey& key : space.entities[static_cast<std::size_t>(entity)].table_keys) {
      const std::string label = LabelOfListed(file, pattern, entity, key);
      const bool is_with_others = std::ranges::any_of(pattern.entities, [&](int other) {
        return other != entity && HasTableKeyIn(SpaceAt(space, other), key.hash);
      });
      if (!label.empty() && is_with_others) key.range.front().label = label;
    }
  }
}

// Adds keys by which a question about several entities finds them beside others in a partition:
// their sort keys, and no others there, begin with #.
void AddSetApart(const LabFile& file, AccessSpace& space) {
  for (const LabPattern& pattern : file.patterns) {
    if (pattern.entities.size() < 2) continue;
    const auto is_asked = [&](int entity) {
      return std::ranges::count(pattern.entities, entity) > 0;
    };
    const std::vector<ProposedKey> first = SpaceAt(space, pattern.entities.front()).table_keys;
    for (const ProposedKey& shared : first) {
      bool is_shared = true;  // by all that are asked for
      bool has_others = false;
      for (int entity = 0; entity < static_cast<int>(space.entities.size()); ++entity) {
        const bool has_key = HasTableKeyIn(SpaceAt(space, entity), shared.hash);
        is_shared = is_shared && (has_key || !is_asked(entity));
        has_others = has_others || (has_key && !is_asked(entity));
      }
      if (!is_shared || !has_others) continue;
      for (const int entity : pattern.entities) {
        std::vector<ProposedKey>& keys =
            space.entities[static_cast<std::size_t>(entity)].table_keys;
        const std::vector<ProposedKey> before = keys;
        for (ProposedKey key : before) {
          std::string& label = key.range.front().label;
          const bool is_marked = label.starts_with('#') || label.starts_with('~');
          if (key.hash != shared.hash || label.empty() || is_marked) continue;
          label.insert(0, "#");
          AddNew(key, keys);
        }
      }
    }
  }
}

// --- The whole ---

std::vector<int> EntitiesOf(const LabFile& file, int number) {
  std::vector<int> entities;
  const auto add = [&](const LabPattern& pattern) {
    if (pattern.each) AddNew(pattern.each->entity, entities);
    for (const int entity : pattern.entities) AddNew(entity, entities);
    for (const LabReturnedOther& other : pattern.returned_others) {
      AddNew(other.attribute.entity, entities);
    }
    for (const LabWrite& write : pattern.writes) {
      AddNew(write.entity, entities);
      for (const int child : write.with) AddNew(child, entities);
      if (write.each != kLabNone) AddNew(write.each, entities);
    }
  };
  const LabPattern& pattern = file.patterns[static_cast<std::size_t>(number)];
  add(pattern);
  if (pattern.or_form != kLabNone) add(PatternForm(file, pattern.or_form));
  return entities;
}

// Returns whether a layout may do without the entity: each read of it has another form, and no
// pattern writes it but besides.
bool MayBeLeftOut(const LabFile& file, int entity) {
  bool has_other_form = false;
  for (int number = 0; number < static_cast<int>(file.patterns.size()); ++number) {
    const LabPattern& pattern = file.patterns[static_cast<std::size_t>(number)];
    const auto asks = [&](const LabPattern& one) {
      return std::ranges::count(one.entities, entity) > 0 ||
             (one.each && one.each->entity == entity);
    };
    if (pattern.or_form != kLabNone) {
      const bool in_first = asks(pattern);
      const bool in_other = asks(PatternForm(file, pattern.or_form));
      if (in_first && in_other) return false;
      has_other_form = has_other_form || in_first || in_other;
    }
    if (pattern.writes.empty()) continue;
    const LabWrite& first = pattern.writes.front();
    if (first.entity == entity || std::ranges::count(first.with, entity) > 0) return false;
  }
  return has_other_form && !IsNeededByReads(file, entity);
}

}  // namespace

bool operator==(const ProposedKey& one, const ProposedKey& other) {
  const auto same = [](const LabCondition& a, const LabCondition& b) {
    return a.attribute == b.attribute && a.op == b.op && a.values == b.values;
  };
  return one.hash == other.hash && one.range == other.range &&
         std::ranges::equal(one.when, other.when, same);
}

std::string WithoutId(std::string name) {
  constexpr std::string_view kSuffix = "_id";
  if (name.size() > kSuffix.size() && name.ends_with(kSuffix)) {
    name.resize(name.size() - kSuffix.size());
  }
  return name;
}

std::string PluralOfLabel(std::string label) {
  const bool ends_in_y =
      label.ends_with('Y') && label.size() > 2 &&
      std::string_view("AEIOU").find(label[label.size() - 2]) == std::string::npos;
  if (ends_in_y) {
    label.pop_back();
    return label + "IES";
  }
  // A series is one or several; an analysis becomes analyses.
  if (label.ends_with("SERIES")) return label;
  if (label.ends_with("SIS")) return label.substr(0, label.size() - 2) + "ES";
  const bool hisses = std::ranges::any_of(std::array{"S", "X", "Z", "CH", "SH"},
                                          [&](const char* end) { return label.ends_with(end); });
  return label + (hisses ? "ES" : "S");
}

std::string PluralNameOf(const std::string& entity) {
  return LowerCase(PluralOfLabel(LabelOfName(entity)));
}

std::string LabelOfName(const std::string& name) {
  std::string label;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto letter = static_cast<unsigned char>(name[i]);
    if (!std::isalnum(letter)) {
      label += '_';
      continue;
    }
    const bool is_new_word =
        i > 0 && std::isupper(letter) && std::islower(static_cast<unsigned char>(name[i - 1]));
    if (is_new_word) label += '_';
    label += static_cast<char>(std::toupper(letter));
  }
  return label;
}

LabTemplate TemplateOfWords(const LabFile& file, const std::vector<KeyWord>& words,
                            bool is_native) {
  using Form = LabTemplatePart::Form;
  const bool has_value =
      std::ranges::any_of(words, [](const KeyWord& word) { return word.HasValue(); });
  LabTemplate text;
  std::string literal;
  for (const KeyWord& word : words) {
    const bool has_label = !word.label.empty() && !(is_native && has_value);
    if (!has_label && !word.HasValue()) continue;
    if (!literal.empty() || !text.parts.empty()) literal += '#';
    if (has_label) literal += word.label;
    if (!word.HasValue()) continue;
    if (has_label) literal += '#';
    LabTemplatePart part = word.value;
    part.literal = literal;
    // A number by itself sorts as it is.
    const bool is_alone = !has_label && words.size() == 1;
    if (is_alone && part.form == Form::kPadded) part.form = Form::kAsIs;
    const std::string& name = LabAttributeAt(file, part.attribute).name;
    text.text += literal;
    if (part.shards > 0) {
      text.text += "{shard(" + name + ", " + std::to_string(part.shards) + ")}";
    } else if (part.form == Form::kPadded) {
      text.text += "{" + name + ":0" + std::to_string(part.width) + "}";
    } else if (part.form == Form::kPrefix) {
      text.text += "{" + name + ":prefix" + std::to_string(part.width) + "}";
    } else if (part.form == Form::kMonth) {
      text.text += "{" + name + ":month}";
    } else if (part.form == Form::kDay) {
      text.text += "{" + name + ":day}";
    } else {
      text.text += "{" + name + "}";
    }
    text.parts.push_back(std::move(part));
    literal.clear();
  }
  if (!literal.empty()) {
    text.text += literal;
    text.parts.push_back({.literal = literal});
  }
  return text;
}

std::vector<ProposedKey> InPeriods(const LabFile& file, int entity, const ProposedKey& key) {
  using Form = LabTemplatePart::Form;
  for (const KeyWord& word : key.range) {
    if (!word.HasValue()) continue;
    LabAttributeRef time = word.value.attribute;
    if (const LabAttributeRef of_ulid = TimeOfUlid(file, time); !IsNone(of_ulid)) time = of_ulid;
    const LabGenerator& generator = LabAttributeAt(file, time).generator;
    const bool is_time = time.entity == entity && IsFixed(file, time) &&
                         generator.kind == LabGenerator::Kind::kTime &&
                         generator.time_form == LabGenerator::TimeForm::kIso;
    if (!is_time) continue;
    std::vector<ProposedKey> keys;
    for (const Form form : {Form::kMonth, Form::kDay}) {
      keys.push_back(key);
      keys.back().hash.push_back({.value = {.attribute = time, .form = form}});
    }
    return keys;
  }
  return {};
}

namespace {

bool MayKnow(const LabFile& file, const AccessQuestion& question, const LabTemplatePart& part) {
  if (part.shards > 0 || part.form != LabTemplatePart::Form::kAsIs) return true;
  return std::ranges::any_of(
             question.by,
             [&](LabAttributeRef ref) { return IsSameValue(file, ref, part.attribute); }) ||
         std::ranges::any_of(question.constants, [&](const LabCondition& one) {
           return one.attribute == part.attribute;
         });
}

}  // namespace

double ChangesPerSecond(const LabFile& file, LabAttributeRef ref) {
  double calls = 0;
  for (const LabPattern& pattern : file.patterns) {
    const bool changes = std::ranges::any_of(pattern.writes, [&](const LabWrite& write) {
      return write.kind == LabWrite::Kind::kUpdate && write.entity == ref.entity &&
             std::ranges::count(write.changes, ref.attribute, &LabChange::attribute) > 0;
    });
    if (changes) calls += pattern.calls_per_second;
  }
  return calls;
}

RelevantKeys RelevantKeysOf(const LabFile& file, const EntitySpace& space, int pattern) {
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  constexpr RelevantKeys kAllKeys = {.table_keys = kAll, .paths = kAll};
  if (!file.patterns[static_cast<std::size_t>(pattern)].writes.empty()) return kAllKeys;
  bool is_asked = false;
  RelevantKeys relevant;
  for (const AccessQuestion& question : space.questions) {
    if (question.pattern != pattern) continue;
    is_asked = true;
    const auto may_know = [&](const ProposedKey& key) {
      return std::ranges::all_of(key.hash, [&](const KeyWord& word) {
        return !word.HasValue() || MayKnow(file, question, word.value);
      });
    };
    for (std::size_t key = 0; key < std::min(space.table_keys.size(), kMostPaths); ++key) {
      if (may_know(space.table_keys[key])) relevant.table_keys |= std::uint64_t{1} << key;
    }
    for (std::size_t path = 0; path < space.paths.size(); ++path) {
      if (may_know(space.paths[path].key)) relevant.paths |= std::uint64_t{1} << path;
    }
  }
  return is_asked ? relevant : kAllKeys;
}

bool KeepsUnique(const LabFile& file, const ProposedKey& key, LabAttributeRef attribute) {
  const Refs parts = WithParts(file, attribute);
  bool has_value = false;
  for (const Words* const words : {&key.hash, &key.range}) {
    for (const KeyWord& word : *words) {
      if (!word.HasValue()) continue;
      if (!IsSaidBy(file, attribute.entity, parts, word.value.attribute)) return false;
      has_value = true;
    }
  }
  // Where the value is removed, its parts stay in the key, and nobody else could have the value.
  return has_value && key.when.empty() && (parts.size() == 1 || IsFixed(file, attribute));
}

bool IsNameOrAddress(const LabFile& file, LabAttributeRef attribute) {
  const LabGenerator& generator = LabAttributeAt(file, attribute).generator;
  return generator.kind == LabGenerator::Kind::kText ||
         (generator.kind == LabGenerator::Kind::kTemplate &&
          generator.text_template.text.find('@') != std::string::npos);
}

bool IsCode(const LabFile& file, LabAttributeRef attribute) {
  const LabAttributeRef identity = {attribute.entity, 0};
  const auto& parts = LabAttributeAt(file, attribute).generator.text_template.parts;
  return EntityAt(file, attribute.entity).identity_is_global && IsFixed(file, attribute) &&
         !IsNameOrAddress(file, attribute) &&
         std::ranges::any_of(parts, [&](const LabTemplatePart& part) {
           return part.attribute == identity && part.shards == 0 &&
                  part.form == LabTemplatePart::Form::kAsIs;
         });
}

ProposedKey SentinelKey(const LabFile& file, LabAttributeRef attribute) {
  const std::string label = LabelOfName(LabAttributeAt(file, attribute).name);
  return {.hash = {{.label = label, .value = {.attribute = attribute}}},
          .range = {LabelWord(label)}};
}

std::vector<LabAttributeRef> AllAttributes(const LabFile& file, int entity) {
  Refs all;
  const LabEntity& described = EntityAt(file, entity);
  for (int i = 0; i < static_cast<int>(described.attributes.size()); ++i)
    all.push_back({entity, i});
  if (described.parent != kLabNone) AddNew({described.parent, 0}, all);
  return all;
}

std::vector<LabAttributeRef> ProjectedBy(const LabFile& file, int entity, const AccessPath& path) {
  return path.has_all ? AllAttributes(file, entity) : path.attributes;
}

AccessSpace WithSharedNames(const LabFile& file, AccessSpace space,
                            const std::vector<std::uint64_t>& used, int pattern) {
  using Form = AccessPath::Form;
  const auto count = static_cast<int>(space.entities.size());
  for (const Form form : {Form::kGlobalIndex, Form::kLocalIndex}) {
    // Of each entity: the names that its indexes may project.
    std::vector<std::set<std::string>> names(space.entities.size());
    for (int entity = 0; entity < count; ++entity) {
      const std::vector<AccessPath>& paths = SpaceAt(space, entity).paths;
      for (std::size_t i = 0; i < paths.size(); ++i) {
        const AccessPath& path = paths[i];
        const bool is_used = (used[static_cast<std::size_t>(entity)] >> i & 1) != 0;
        if (path.form != form || !is_used) continue;
        for (const LabAttributeRef ref : ProjectedBy(file, entity, path)) {
          names[static_cast<std::size_t>(entity)].insert(LabAttributeAt(file, ref).name);
        }
      }
    }
    for (int entity = 0; entity < count; ++entity) {
      EntitySpace& own = space.entities[static_cast<std::size_t>(entity)];
      Refs shared;
      for (const LabAttributeRef ref : AllAttributes(file, entity)) {
        const std::string& name = LabAttributeAt(file, ref).name;
        bool is_shared = false;
        for (int other = 0; other < count; ++other) {
          is_shared = is_shared ||
                      (other != entity && names[static_cast<std::size_t>(other)].contains(name));
        }
        const bool is_asked =
            pattern == kLabNone ||
            std::ranges::any_of(own.questions, [&](const AccessQuestion& question) {
              return question.pattern == pattern &&
                     (question.returns_all || Has(question.returns, ref));
            });
        if (is_shared && is_asked) shared.push_back(ref);
      }
      for (AccessPath& path : own.paths) {
        if (path.form != form || path.has_all) continue;
        for (const LabAttributeRef ref : shared) AddNew(ref, path.attributes);
      }
    }
  }
  return space;
}

ProposedKey WithShards(ProposedKey key, int entity, int shards) {
  key.hash.push_back({.value = {.attribute = {entity, 0}, .shards = shards}});
  return key;
}

AccessSpace SpaceOf(const LabFile& file) {
  AccessSpace space;
  space.entities.resize(file.entities.size());
  for (int number = 0; number < static_cast<int>(file.patterns.size()); ++number) {
    space.entities_of_pattern.push_back(EntitiesOf(file, number));
    for (const int entity : space.entities_of_pattern.back()) {
      space.entities[static_cast<std::size_t>(entity)].patterns.push_back(number);
    }
    for (const LabWrite& write : file.patterns[static_cast<std::size_t>(number)].writes) {
      for (const int attribute : write.unique) {
        AddNew(attribute, space.entities[static_cast<std::size_t>(write.entity)].unique);
      }
    }
  }
  for (AccessQuestion& question : QuestionsOf(file)) {
    space.entities[static_cast<std::size_t>(question.entity)].questions.push_back(
        std::move(question));
  }
  for (int entity = 0; entity < static_cast<int>(file.entities.size()); ++entity) {
    EntitySpace& one = space.entities[static_cast<std::size_t>(entity)];
    one.may_be_left_out = MayBeLeftOut(file, entity);
    AddTableKeys(file, entity, one);
    std::vector<KeyUse> uses;
    for (const AccessQuestion& question : one.questions) {
      for (ProposedKey key : KeysOf(file, one.questions, question)) {
        const std::string label = LabelOfListed(
            file, file.patterns[static_cast<std::size_t>(question.pattern)], entity, key);
        if (!label.empty()) key.range.front().label = label;
        AddUse(file, key, question, uses);
      }
    }
    for (const KeyUse& use : uses) AddPaths(file, entity, use, one);
    if (one.paths.size() <= kMostPaths) continue;
    one.paths.resize(kMostPaths);
    space.left_out.push_back(EntityAt(file, entity).name + " has more keys than are tried.");
  }
  LabelListed(file, space);
  AddSetApart(file, space);
  return space;
}

}  // namespace hashrange
