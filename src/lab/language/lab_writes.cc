// What a pattern writes: `create`, `update`, `delete`, the writes of `also`, and what each gives to
// attributes.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "lab/language/joined_names.h"
#include "lab/language/lab_parts.h"

namespace hashrange {
namespace {

// Changes of attributes: `set`, `add` and `remove`.

// Returns the own attribute of that name, which an update may change.
int FindChanged(LabName name, const LabWrite& write, LabReading& reading) {
  const int attribute = FindOwnAttribute(write.entity, name, reading);
  if (attribute == kLabNone) return kLabNone;
  if (attribute == 0 && write.kind == LabWrite::Kind::kUpdate) {
    reading.Fail(name.place, "\"" + std::string(name.text) + "\" is the identity of " +
                                 EntityAt(reading.file, write.entity).name +
                                 ", which an update cannot change");
  }
  const bool is_changed =
      std::ranges::find(write.changes, attribute, &LabChange::attribute) != write.changes.end();
  if (is_changed) {
    reading.Fail(name.place, "\"" + std::string(name.text) + "\" is changed twice");
  }
  return attribute;
}

// Reads `-1`, or the name of an attribute in braces with a sign or a number before it. `scope` is
// the entity that has the attribute.
void ReadAmount(const LabNode& node, int scope, LabChange& change, LabReading& reading) {
  const std::string_view text = node.text;
  const auto fail = [&](const std::string& allowed) {
    reading.Fail(node.place, "an amount of `add` has to be a number" + allowed +
                                 ", and this is \"" + node.text + "\"");
  };
  const std::size_t brace = text.find('{');
  const std::string_view sign = text.substr(0, brace);
  std::optional<double> factor = ParseLabNumber(sign);
  if (brace == text.npos) {
    if (!factor) return fail("");
    change.amount = *factor;
    return;
  }
  if (sign.empty() || sign == "-") factor = sign.empty() ? 1 : -1;
  if (!factor || !text.ends_with('}')) {
    return fail(", or an attribute in braces such as \"-{quantity}\"");
  }
  change.amount = *factor;
  const std::string_view name = text.substr(brace + 1, text.size() - brace - 2);
  change.by_attribute = FindKnownAttribute(scope, {name, node.place}, reading);
  if (change.by_attribute.entity == kLabNone) return;
  if (LabAttributeAt(reading.file, change.by_attribute).type == LabType::kNumber) return;
  reading.Fail(node.place, "\"" + std::string(name) + "\" is no number, so `add` cannot add it");
}

// Returns the attribute of the first write's entity, `copies`, that "{name}" names, where the
// written entity has no other attribute of that name than the one that is set; entity kLabNone: the
// text says something else.
LabAttributeRef FindCopied(const LabNode& value, LabAttributeRef set, int copies,
                           const LabFile& file) {
  const std::string_view text = value.text;
  if (copies == kLabNone || value.kind != LabNode::Kind::kScalar || text.size() < 3 ||
      !text.starts_with('{') || !text.ends_with('}')) {
    return {};
  }
  const std::string_view name = text.substr(1, text.size() - 2);
  const LabAttributeRef own = KnownAttribute(file, set.entity, name);
  if (own.entity != kLabNone && own != set) return {};
  return KnownAttribute(file, copies, name);
}

// Adds what follows where the call creates or changes an instance of the entity `first`: a new
// instance that refers to such an entity refers to that one, and its copies are of that one.
void AddReferencesTo(int first, LabWrite& write, const LabFile& file) {
  const std::vector<LabAttribute>& attributes = EntityAt(file, write.entity).attributes;
  const std::vector<LabChange> given = write.changes;
  const auto is_given = [&](int attribute) {
    return std::ranges::find(given, attribute, &LabChange::attribute) != given.end();
  };
  const auto refers = [&](int attribute) {
    const LabGenerator& one = attributes[static_cast<std::size_t>(attribute)].generator;
    return one.kind == LabGenerator::Kind::kRef && one.other.entity == first;
  };
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    const int number = static_cast<int>(i);
    const LabGenerator& generator = attributes[i].generator;
    const bool is_copy = generator.kind == LabGenerator::Kind::kOfRef && refers(generator.with) &&
                         !is_given(generator.with);
    if (is_given(number) || !(refers(number) || is_copy)) continue;
    write.changes.push_back(
        {.attribute = number,
         .generator = {.kind = LabGenerator::Kind::kRef, .other = generator.other},
         .by_attribute = generator.other,
         .place = write.place});
  }
}

// `copies` is the entity of the first write, whose values may be set; kLabNone: none may.
void ReadSet(const LabNode& set, int copies, LabWrite& write, LabReading& reading) {
  for (const LabNode::Member& member : set.members) {
    LabChange change;
    change.attribute = FindChanged(NameOf(member), write, reading);
    if (change.attribute == kLabNone) return;
    change.place = member.value.place;
    const LabAttributeRef attribute = {write.entity, change.attribute};
    change.by_attribute = FindCopied(member.value, attribute, copies, reading.file);
    if (change.by_attribute.entity == kLabNone) {
      change.generator = ReadGeneratorFor(member.value, attribute, reading);
    } else {
      change.generator = {.kind = LabGenerator::Kind::kRef, .other = change.by_attribute};
      if (LabAttributeAt(reading.file, change.by_attribute).type !=
          LabAttributeAt(reading.file, attribute).type) {
        return reading.Fail(change.place,
                            member.value.text + " is of another type than \"" + member.name + "\"");
      }
    }
    write.changes.push_back(std::move(change));
  }
}

// `scope` is the entity whose attributes an amount may name: `add: {stock: "-{quantity}"}`.
void ReadAdd(const LabNode& add, int scope, LabWrite& write, LabReading& reading) {
  for (const LabNode::Member& member : add.members) {
    LabChange change;
    change.kind = LabChange::Kind::kAdd;
    change.attribute = FindChanged(NameOf(member), write, reading);
    if (change.attribute == kLabNone) return;
    if (LabAttributeAt(reading.file, {write.entity, change.attribute}).type != LabType::kNumber) {
      reading.Fail(member.place, "\"" + member.name + "\" is no number, so nothing can be added");
    }
    ReadAmount(member.value, scope, change, reading);
    write.changes.push_back(std::move(change));
  }
}

void ReadRemove(const LabNode& remove, LabWrite& write, LabReading& reading) {
  for (const LabName name : NamesInNode(remove)) {
    LabChange change;
    change.kind = LabChange::Kind::kRemove;
    change.attribute = FindChanged(name, write, reading);
    if (change.attribute == kLabNone) return;
    write.changes.push_back(std::move(change));
  }
}

// Templates that follow from changes.

const LabChange* FindChange(const std::vector<LabChange>& changes, int attribute) {
  const auto found = std::ranges::find(changes, attribute, &LabChange::attribute);
  return found == changes.end() ? nullptr : &*found;
}

// Returns the first of the changes that gives a value to what the template is made of; null: none
// does.
const LabChange* FindChangeOfPart(const std::vector<LabChange>& changes, const LabTemplate& text,
                                  int entity) {
  for (const LabTemplatePart& part : text.parts) {
    if (part.attribute.entity != entity) continue;
    if (const LabChange* const change = FindChange(changes, part.attribute.attribute)) {
      return change;
    }
  }
  return nullptr;
}

// Returns what follows for the template from the changes: a new text, or none where a part of it is
// removed; nothing when no part of it changes.
std::optional<LabChange> FollowingChange(const LabWrite& write, int attribute,
                                         const LabGenerator& generator) {
  const LabChange* const cause =
      FindChangeOfPart(write.changes, generator.text_template, write.entity);
  if (!cause) return std::nullopt;
  LabChange change{.attribute = attribute, .place = cause->place};
  const bool is_removed =
      std::ranges::any_of(generator.text_template.parts, [&](const LabTemplatePart& part) {
        if (part.attribute.entity != write.entity) return false;
        const LabChange* const of_part = FindChange(write.changes, part.attribute.attribute);
        return of_part && of_part->kind == LabChange::Kind::kRemove;
      });
  if (is_removed) {
    change.kind = LabChange::Kind::kRemove;
  } else {
    change.generator = generator;
  }
  return change;
}

// Puts what is set to a template last, each behind those that it is made of. Of templates that are
// made of each other, the one that was written first stays first.
void OrderTemplates(LabWrite& write) {
  const auto first = std::ranges::stable_partition(write.changes, [](const LabChange& change) {
                       return !IsSetToTemplate(change);
                     }).begin();
  std::vector<LabChange> templates(std::make_move_iterator(first),
                                   std::make_move_iterator(write.changes.end()));
  write.changes.erase(first, write.changes.end());
  while (!templates.empty()) {
    const auto is_ready = [&](const LabChange& change) {
      return std::ranges::none_of(change.generator.text_template.parts,
                                  [&](const LabTemplatePart& part) {
                                    return part.attribute.entity == write.entity &&
                                           part.attribute.attribute != change.attribute &&
                                           FindChange(templates, part.attribute.attribute);
                                  });
    };
    auto next = std::ranges::find_if(templates, is_ready);
    if (next == templates.end()) next = templates.begin();
    write.changes.push_back(std::move(*next));
    templates.erase(next);
  }
}

// Completes `write.changes`: an attribute that is a template changes with what it is made of,
// unless the write gives it a value of its own. What is set to a template stands behind what the
// template is made of, so that it can be made of the new values.
void AddFollowingTemplates(const LabFile& file, LabWrite& write) {
  const std::vector<LabAttribute>& attributes = EntityAt(file, write.entity).attributes;
  bool is_any_added = true;
  while (is_any_added) {  // templates may be made of templates
    is_any_added = false;
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      const LabAttribute& attribute = attributes[i];
      const bool may_change = i != 0 || write.kind == LabWrite::Kind::kCreate;  // 0: the identity
      if (!may_change || attribute.generator.kind != LabGenerator::Kind::kTemplate) continue;
      const int number = static_cast<int>(i);
      if (FindChange(write.changes, number)) continue;
      auto change = FollowingChange(write, number, attribute.generator);
      if (!change) continue;
      write.changes.push_back(std::move(*change));
      is_any_added = true;
    }
  }
  OrderTemplates(write);
}

// Writes.

// Reads the names of children of the entity.
void ReadWith(const LabNode& node, LabWrite& write, LabReading& reading) {
  for (const LabName name : NamesInNode(node)) {
    const int child = FindEntity(name, reading);
    if (child == kLabNone) return;
    if (EntityAt(reading.file, child).parent != write.entity) {
      return reading.Fail(name.place, "`with` names entities that are `of: " +
                                          EntityAt(reading.file, write.entity).name + "`, and " +
                                          std::string(name.text) + " is not");
    }
    write.with.push_back(child);
  }
}

// Of which entities a write may name attributes, besides its own: in amounts, and as what is set.
struct WriteScope {
  int amounts = kLabNone;
  int copies = kLabNone;
  int referred = kLabNone;  // an entity to whose written instance a new instance refers
};

// Reads what all writes have.
void ReadMembersOfWrite(const LabNode& map, const WriteScope& scope, LabWrite& write,
                        LabReading& reading) {
  if (const LabNode* const with = map.Find("with")) ReadWith(*with, write, reading);
  if (const LabNode* const unique = map.Find("unique")) {
    for (const LabName name : NamesInNode(*unique)) {
      const int attribute = FindOwnAttribute(write.entity, name, reading);
      if (attribute == kLabNone) continue;
      RefuseVector({write.entity, attribute}, name.place, reading);
      write.unique.push_back(attribute);
    }
  }
  if (const LabNode* const condition = map.Find("if")) {
    write.conditions = ReadConditions(*condition, write.entity, reading);
  }
  if (const LabNode* const set = map.Find("set")) ReadSet(*set, scope.copies, write, reading);
  if (const LabNode* const add = map.Find("add")) ReadAdd(*add, scope.amounts, write, reading);
  if (const LabNode* const remove = map.Find("remove")) ReadRemove(*remove, write, reading);
  if (scope.referred != kLabNone) AddReferencesTo(scope.referred, write, reading.file);
  AddFollowingTemplates(reading.file, write);
  if (write.kind != LabWrite::Kind::kUpdate || !write.changes.empty()) return;
  reading.Fail(map.place, "an update needs `set`, `add` or `remove`");
}

// Returns the attribute of the source, the entity of `each` or of the pattern's write, that refers
// to an instance of the entity: the one with the name that `by` has, or the only one there is.
int AttributeThatRefersTo(int entity, int source, const LabKnown& by, const LabFile& file) {
  std::vector<int> found;
  const std::vector<LabAttribute>& attributes = EntityAt(file, source).attributes;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    const bool refers = attributes[i].generator.kind == LabGenerator::Kind::kRef &&
                        attributes[i].generator.other.entity == entity;
    if (!refers) continue;
    const bool has_name = std::ranges::any_of(by.attributes, [&](LabAttributeRef known) {
      return LabAttributeAt(file, known).name == attributes[i].name;
    });
    if (has_name) return static_cast<int>(i);
    found.push_back(static_cast<int>(i));
  }
  return found.size() == 1 ? found.front() : kLabNone;
}

// Returns the attribute of the source that `by` names where the entity itself has none of the name,
// and that refers to the identity of one; kLabNone: it names none.
int ReferenceNamed(const LabNode& by, int entity, int source, const LabFile& file) {
  const bool is_name =
      by.elements.size() == 1 && by.elements.front().kind == LabNode::Kind::kScalar;
  if (!is_name || IdentityOf(file, entity).size() != 1) return kLabNone;
  const std::string& name = by.elements.front().text;
  if (KnownAttribute(file, entity, name).entity != kLabNone) return kLabNone;
  const std::vector<LabAttribute>& attributes = EntityAt(file, source).attributes;
  const auto found = std::ranges::find(attributes, name, &LabAttribute::name);
  if (found == attributes.end()) return kLabNone;
  const LabGenerator& generator = found->generator;
  const bool refers =
      generator.kind == LabGenerator::Kind::kRef && generator.other == LabAttributeRef{entity, 0};
  return refers ? static_cast<int>(found - attributes.begin()) : kLabNone;
}

// Finds out which instance an `also` is about.
void FindWrittenInstance(const LabNode& node, const LabKnown& by, int source, LabWrite& write,
                         LabReading& reading) {
  const LabFile& file = reading.file;
  const std::string& name = EntityAt(file, write.entity).name;
  const std::string& source_name = EntityAt(file, source).name;
  if (write.kind == LabWrite::Kind::kCreate) {
    const int parent = EntityAt(file, write.entity).parent;
    if (parent == kLabNone || IsAncestorOrSelf(file, parent, source)) return;
    if (AttributeThatRefersTo(parent, source, {}, file) != kLabNone) return;
    return reading.Fail(node.place, "a new " + name + " needs its " + EntityAt(file, parent).name +
                                        ", and " + source_name +
                                        " neither belongs to one nor refers to one by a single "
                                        "attribute");
  }
  if (write.via != kLabNone || IsAncestorOrSelf(file, write.entity, source)) return;
  write.via = AttributeThatRefersTo(write.entity, source, by, file);
  if (write.via != kLabNone) return;
  reading.Fail(node.place, "which " + name + " is written cannot be found: " + source_name +
                               " has no attribute that is a `ref` to it and has the name that `by` "
                               "gives, and " +
                               name + " is none of its ancestors");
}

// Reads by which value the instances are found that the write is repeated for.
void ReadFound(const LabNode& by, const LabPattern& pattern, LabWrite& write, LabReading& reading) {
  const bool is_name =
      by.elements.size() == 1 && by.elements.front().kind == LabNode::Kind::kScalar;
  if (!is_name) {
    return reading.Fail(by.place, "`by` beside this `each` has one name: the value by which each " +
                                      EntityAt(reading.file, write.each).name + " is found");
  }
  const HandedValue value = ReadHandedValue(NameIn(by.elements.front()),
                                            {pattern.writes.front().entity, write.each}, reading);
  write.found_by = value.to;
  write.found_from = value.from;
}

// Reads `each` and, where it is not an entity that the pattern writes by `with`, `by`.
void ReadEach(const LabNode& map, const LabPattern& pattern, LabWrite& write, LabReading& reading) {
  const LabNode& node = *map.Find("each");
  const int each = FindEntity(NameIn(node), reading);
  if (each == kLabNone) return;
  write.each = each;
  const std::vector<int>& with = pattern.writes.front().with;
  if (std::ranges::find(with, each) != with.end()) return;
  const LabNode* const by = map.Find("by");
  if (write.kind == LabWrite::Kind::kCreate && write.entity == each) {
    return reading.Fail(node.place, "each call would create as many of " + node.text +
                                        " as it finds, so that there are twice as many each time");
  }
  const bool is_own = write.kind == LabWrite::Kind::kCreate || write.entity == each;
  if (by != nullptr && is_own && write.kind != LabWrite::Kind::kCheck) {
    return ReadFound(*by, pattern, write, reading);
  }
  reading.Fail(node.place, "`each` names an entity that the pattern writes by `with`, and " +
                               node.text +
                               " is not among them; or one whose instances are found by `by`, for "
                               "which something is created, or which are written themselves");
}

constexpr LabWord<LabWrite::Kind> kWrites[] = {
    {"create", LabWrite::Kind::kCreate},
    {"update", LabWrite::Kind::kUpdate},
    {"delete", LabWrite::Kind::kDelete},
    {"check", LabWrite::Kind::kCheck},
};

void ReadAlso(const LabNode& map, LabPattern& pattern, LabReading& reading) {
  const auto& row = *RowOf(map, kWrites);
  LabWrite write;
  write.place = map.place;
  write.kind = row.meaning;
  write.entity = FindEntity(NameIn(*map.Find(row.name)), reading);
  if (write.entity == kLabNone) return;
  if (map.Find("each") != nullptr) ReadEach(map, pattern, write, reading);
  if (!reading.ok()) return;
  const int first = pattern.writes.front().entity;
  const int source = write.each != kLabNone ? write.each : first;
  LabKnown by;
  const LabNode* const known = map.Find("by");
  if (known != nullptr && write.found_by.entity == kLabNone) {
    if (write.kind == LabWrite::Kind::kCreate) {
      return reading.Fail(known->place,
                          "`by` of a `create` says for which of `each` it is made, "
                          "and is not for those of `with`");
    }
    write.via = ReferenceNamed(*known, write.entity, source, reading.file);
    if (write.via == kLabNone) {
      by = ReadBy(*known, write.entity, reading);
    } else {
      by.attributes = {{write.entity, 0}};
    }
  }
  FindWrittenInstance(map, by, source, write, reading);
  write.by = by.attributes;
  const bool is_referred = write.kind == LabWrite::Kind::kCreate &&
                           pattern.writes.front().kind != LabWrite::Kind::kDelete;
  ReadMembersOfWrite(map, {source, first, is_referred ? first : kLabNone}, write, reading);
  pattern.writes.push_back(std::move(write));
}

}  // namespace

namespace {

// Returns whether the attribute is the root itself, or refers to it or copies it from an ancestor.
bool HasValueOf(const LabFile& file, LabAttributeRef attribute, LabAttributeRef root) {
  const bool is_beside_reference =
      LabAttributeAt(file, attribute).generator.kind == LabGenerator::Kind::kOfRef;
  return attribute == root || (IsCopyOf(file, attribute, root) && !is_beside_reference);
}

// Returns those of an entity's values that are alike `known`: an identity, its references and its
// copies in what belongs to it. They are its own attributes, or the identities of its ancestors,
// but for those of `except`.
std::vector<LabAttributeRef> FindAlike(const LabFile& file, int entity, LabAttributeRef known,
                                       const std::vector<LabAttributeRef>& except) {
  const LabAttributeRef root = RootOf(file, known);
  std::vector<LabAttributeRef> found;
  const auto add = [&](LabAttributeRef one) {
    if (std::ranges::find(except, one) == except.end()) found.push_back(one);
  };
  const std::size_t attributes = EntityAt(file, entity).attributes.size();
  for (std::size_t i = 0; i < attributes; ++i) {
    const LabAttributeRef one = {entity, static_cast<int>(i)};
    if (HasValueOf(file, one, root)) add(one);
  }
  for (int ancestor = EntityAt(file, entity).parent; ancestor != kLabNone;
       ancestor = EntityAt(file, ancestor).parent) {
    if (LabAttributeRef{ancestor, 0} == root) add(root);
  }
  return found;
}

// Reports that a name of `by` does not say which value of the other entity is meant.
void FailToFindOne(LabName name, int entity, const std::vector<LabAttributeRef>& found,
                   LabReading& reading) {
  const std::string& other = EntityAt(reading.file, entity).name;
  std::vector<std::string_view> names;
  for (const LabAttributeRef one : found) names.push_back(LabAttributeAt(reading.file, one).name);
  reading.Fail(name.place, std::string(name.text) +
                               (found.empty() ? " is no value that " + other + " has"
                                              : " may be " + JoinedNames(names, "or") + " of " +
                                                    other + ": write the one that is meant"));
}

}  // namespace

HandedValue ReadHandedValue(LabName name, const HandedEntities& entities, LabReading& reading) {
  const LabFile& file = reading.file;
  const LabAttributeRef from = KnownAttribute(file, entities.from, name.text);
  const bool is_of_from = from.entity != kLabNone;
  const LabAttributeRef known = is_of_from ? from : KnownAttribute(file, entities.to, name.text);
  if (known.entity == kLabNone) {
    FindKnownAttribute(entities.from, name, reading);  // says which names there are
    return {};
  }
  const LabAttributeRef root = RootOf(file, known);
  const bool is_value_of_both = root.attribute == 0 && HasValueOf(file, known, root);
  if (!is_value_of_both) {
    reading.Fail(name.place, std::string(name.text) +
                                 " neither is the identity of an entity nor refers to one");
    return {};
  }
  const int other = is_of_from ? entities.to : entities.from;
  // Of an entity that refers to itself, a name finds the instances that refer, not the one itself.
  const bool finds_referring = entities.from == entities.to && !entities.is_get;
  if (finds_referring && known != root && known.entity == other) return {root, known};
  std::vector<LabAttributeRef> alike =
      FindAlike(file, other, known, is_of_from ? std::vector<LabAttributeRef>() : entities.except);
  // As everywhere in `by`, the identity of an ancestor goes before a reference; and so does the
  // instance's own.
  const auto ancestor =
      std::ranges::find_if(alike, [&](LabAttributeRef one) { return one.entity != other; });
  if (ancestor != alike.end()) {
    alike = {*ancestor};
  } else if (finds_referring) {
    std::erase(alike, root);
  } else if (std::ranges::find(alike, root) != alike.end()) {
    alike = {root};
  }
  if (alike.size() != 1) {
    FailToFindOne(name, other, alike, reading);
    return {};
  }
  return is_of_from ? HandedValue{from, alike.front()} : HandedValue{alike.front(), known};
}

LabKnown ReadBy(const LabNode& node, int entity, LabReading& reading) {
  LabKnown known;
  for (const LabNode& element : node.elements) {
    if (element.kind == LabNode::Kind::kScalar) {
      known.attributes.push_back(FindKnownAttribute(entity, NameIn(element), reading));
      RefuseVector(known.attributes.back(), element.place, reading);
    }
    for (LabCondition& constant : ReadConditions(element, entity, reading)) {
      known.constants.push_back(std::move(constant));
    }
    if (!reading.ok()) return {};
  }
  return known;
}

void ReadWrites(const LabNode& map, LabWrite::Kind kind, int entity, LabPattern& pattern,
                LabReading& reading) {
  LabWrite write;
  write.place = pattern.place;
  write.kind = kind;
  write.entity = entity;
  if (const LabNode* const known = map.Find("by")) {
    LabKnown by = ReadBy(*known, entity, reading);
    pattern.by = by.attributes;
    pattern.constants = std::move(by.constants);
    write.by = std::move(by.attributes);
  }
  ReadMembersOfWrite(map, {.amounts = entity}, write, reading);
  pattern.writes.push_back(std::move(write));
  const LabNode* const also = map.Find("also");
  if (!also || !reading.ok()) return;
  for (const LabNode& element : also->elements) ReadAlso(element, pattern, reading);
}

}  // namespace hashrange
