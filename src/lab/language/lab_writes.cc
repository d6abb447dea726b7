#include "lab/language/lab_writes.h"

#include <algorithm>
#include <utility>

#include "lab/language/lab_changes.h"
#include "lab/language/lab_conditions.h"
#include "lab/language/lab_names.h"

namespace hashrange {
namespace {

using Kind = LabWrite::Kind;

// Reads the names of children of the entity.
void ReadWith(const LabNode& node, LabWrite& write, LabReading& reading) {
  for (const LabName name : ReadNames(node, "`with`", reading)) {
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

void ReadUnique(const LabNode& node, LabWrite& write, LabReading& reading) {
  for (const LabName name : ReadNames(node, "`unique`", reading)) {
    const int attribute = FindOwnAttribute(write.entity, name, reading);
    if (attribute == kLabNone) return;
    write.unique.push_back(attribute);
  }
}

// Reads what all writes have. `scope` is the entity whose attributes amounts may name.
void ReadMembersOfWrite(NodeReader& map, int scope, LabWrite& write) {
  LabReading& reading = map.reading();
  const bool is_create = write.kind == Kind::kCreate;
  const bool is_update = write.kind == Kind::kUpdate;
  if (is_create || write.kind == Kind::kDelete) {
    if (const LabNode* const with = map.Member("with")) ReadWith(*with, write, reading);
  }
  if (is_create) {
    if (const LabNode* const unique = map.Member("unique")) ReadUnique(*unique, write, reading);
  } else if (const LabNode* const condition = map.Member("if")) {
    write.conditions = ReadConditions(*condition, write.entity, "`if`", reading);
  }
  if (is_create || is_update) ReadSet(map, write);
  if (is_update) ReadAddAndRemove(map, scope, write);
  AddFollowingTemplates(reading.file, write);
  if (!is_update) return;
  if (!write.changes.empty()) return;
  reading.Fail(map.node().place, "an update needs `set`, `add` or `remove`");
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

// Finds out which instance an `also` is about.
void FindWrittenInstance(const LabNode& node, const LabKnown& by, int source, LabWrite& write,
                         LabReading& reading) {
  const LabFile& file = reading.file;
  const std::string& name = EntityAt(file, write.entity).name;
  const std::string& source_name = EntityAt(file, source).name;
  if (write.kind == Kind::kCreate) {
    const int parent = EntityAt(file, write.entity).parent;
    if (parent == kLabNone || IsAncestorOrSelf(file, parent, source)) return;
    return reading.Fail(node.place, "a new " + name + " needs its " + EntityAt(file, parent).name +
                                        ", and " + source_name + " does not belong to one");
  }
  if (IsAncestorOrSelf(file, write.entity, source)) return;
  write.via = AttributeThatRefersTo(write.entity, source, by, file);
  if (write.via != kLabNone) return;
  reading.Fail(node.place, "which " + name + " is written cannot be found: " + source_name +
                               " has no attribute that is a `ref` to it and has the name that `by` "
                               "gives, and " +
                               name + " is none of its ancestors");
}

void ReadEach(const LabNode& node, const LabPattern& pattern, LabWrite& write,
              LabReading& reading) {
  const int each = FindEntity(NameIn(node), reading);
  if (each == kLabNone) return;
  const std::vector<int>& with = pattern.writes.front().with;
  if (std::ranges::find(with, each) == with.end()) {
    return reading.Fail(
        node.place, "`each` names an entity that the pattern writes by `with`, and " + node.text +
                        " is not among them");
  }
  write.each = each;
}

struct WriteRow {
  const char* name;
  Kind kind;
};
constexpr WriteRow kWrites[] = {
    {"create", Kind::kCreate},
    {"update", Kind::kUpdate},
    {"delete", Kind::kDelete},
    {"check", Kind::kCheck},
};

void ReadAlso(const LabNode& node, LabPattern& pattern, LabReading& reading) {
  NodeReader map(node, "a write of `also`", reading);
  const WriteRow* const row = map.OneOf(kWrites);
  if (!row) return;
  LabWrite write;
  write.place = node.place;
  write.kind = row->kind;
  write.entity = FindEntity(NameIn(*node.Find(row->name)), reading);
  if (write.entity == kLabNone) return;
  if (const LabNode* const each = map.Member("each")) ReadEach(*each, pattern, write, reading);
  const int source = write.each != kLabNone ? write.each : pattern.writes.front().entity;
  LabKnown by;
  if (write.kind != Kind::kCreate) {
    if (const LabNode* const known = map.Require("by")) by = ReadBy(*known, write.entity, reading);
  }
  FindWrittenInstance(node, by, source, write, reading);
  write.by = by.attributes;
  ReadMembersOfWrite(map, source, write);
  map.Finish();
  pattern.writes.push_back(std::move(write));
}

}  // namespace

LabKnown ReadBy(const LabNode& node, int entity, LabReading& reading) {
  LabKnown known;
  if (node.kind != LabNode::Kind::kList) {
    reading.Fail(node.place, "`by` has to be a list, such as [customer_id, {status: OPEN}]");
  }
  for (const LabNode& element : node.elements) {
    if (element.kind == LabNode::Kind::kScalar) {
      known.attributes.push_back(FindKnownAttribute(entity, NameIn(element), reading));
    } else {
      for (LabCondition& constant :
           ReadConditions(element, entity, "a constant that the caller knows", reading)) {
        if (constant.op != LabCondition::Op::kEqual) {
          reading.Fail(element.place,
                       "a caller knows one value, such as {status: OPEN}; `range` is for "
                       "several");
        }
        known.constants.push_back(std::move(constant));
      }
    }
    if (!reading.ok()) return {};
  }
  return known;
}

void ReadWrites(NodeReader& map, Kind kind, int entity, LabPattern& pattern) {
  LabReading& reading = map.reading();
  LabWrite write;
  write.place = pattern.place;
  write.kind = kind;
  write.entity = entity;
  if (kind != Kind::kCreate) {
    if (const LabNode* const known = map.Require("by")) {
      LabKnown by = ReadBy(*known, entity, reading);
      pattern.by = by.attributes;
      pattern.constants = std::move(by.constants);
      write.by = std::move(by.attributes);
    }
  }
  ReadMembersOfWrite(map, entity, write);
  pattern.writes.push_back(std::move(write));
  const LabNode* const also = map.Member("also");
  if (!also || !reading.ok()) return;
  if (also->kind != LabNode::Kind::kList || also->elements.empty()) {
    return reading.Fail(also->place, "`also` has to be a list of writes");
  }
  for (const LabNode& element : also->elements) ReadAlso(element, pattern, reading);
}

}  // namespace hashrange
