#include "lab/plan/write_actions.h"

#include <algorithm>
#include <utility>

#include "lab/language/lab_facts.h"
#include "lab/plan/read/read_question.h"

namespace hashrange {
namespace {

using ActionKind = WriteAction::Kind;
using ChangeKind = LabChange::Kind;
using WriteKind = LabWrite::Kind;

// --- The items of a layout ---

std::vector<const LabItem*> ItemsOf(const LabLayout& layout, int entity) {
  std::vector<const LabItem*> items;
  for (const LabItem& item : layout.items) {
    if (item.entity == entity) items.push_back(&item);
  }
  return items;
}

// Returns the item that has all attributes; null: the entity has no items of its own.
const LabItem* MainItem(const LabLayout& layout, int entity) {
  const std::vector<const LabItem*> items = ItemsOf(layout, entity);
  const auto main = std::ranges::find_if(
      items, [](const LabItem* item) { return !item->attributes.has_value(); });
  if (main != items.end()) return *main;
  return items.empty() ? nullptr : items.front();
}

std::vector<LabAttributeRef> AttributesOfKey(const LabLayout& layout, const LabItem& item) {
  std::vector<LabAttributeRef> attributes;
  for (const LabItemKey& key : item.keys) {
    if (!IsPrimaryKeyOf(TableOfItem(layout, item), key.attribute)) continue;
    AppendAttributesOf(key.text, attributes);
  }
  return attributes;
}

constexpr const char* kExists = "attribute_exists";
constexpr const char* kIsMissing = "attribute_not_exists";

// Requires that the item is there, or that it is not.
void RequireItem(const LabLayout& layout, const LabItem& item, const char* function,
                 ItemExpression& expression) {
  const std::string& hash = TableOfItem(layout, item).hash.front();
  expression.Require(std::string(function) + "(" + expression.Name(hash) + ")");
}

// Returns all names with "and" between them.
std::string JoinNames(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " and ") + name;
  return text;
}

// --- What is noted and done ---

void Note(WriteNote note, WriteActions& done) { done.notes.back().push_back(std::move(note)); }

void Say(std::string sentence, WriteActions& done) { Note(WriteReason{std::move(sentence)}, done); }

// Returns what the look-up of the role's item knows.
WriteLookUp LookUpOf(const LabFile& file, const RoleWrite& write, int entity) {
  WriteLookUp look_up = {
      .role = write.role, .entity = entity, .assumed = write.declared.conditions};
  for (const LabAttributeRef one : write.declared.by) {
    if (AttributeFor(file, entity, one).entity != kLabNone) look_up.by.push_back(one);
  }
  return look_up;
}

// Notes what an action needs to be known of the item of `entity`.
void Need(const LabFile& file, const RoleWrite& write, int entity, WriteNeed need,
          WriteActions& done) {
  need.look_up = LookUpOf(file, write, entity);
  Note(std::move(need), done);
}

// Returns the action for the item; there is one only for each item and role.
WriteAction& ActionFor(ActionKind kind, const LabItem& item, int role, WriteActions& done) {
  for (WriteAction& action : done.actions) {
    if (action.item != &item || action.role != role) continue;
    // A move deletes one item and puts another.
    const bool is_move = (action.kind == ActionKind::kDelete) != (kind == ActionKind::kDelete) &&
                         action.kind != ActionKind::kCheck && kind != ActionKind::kCheck;
    if (is_move) continue;
    if (action.kind == ActionKind::kCheck) action.kind = kind;
    return action;
  }
  done.actions.push_back({.kind = kind, .item = &item, .role = role, .applies = {.role = role}});
  return done.actions.back();
}

// Says that the children stand inside of the items that have the instances of the other role.
void AddInnerRole(const WriteCall& call, int parent_role, int child_role, WriteActions& done) {
  for (WriteAction& action : done.actions) {
    std::vector<int>& inner = action.inner_roles;
    const bool has_parent =
        action.role == parent_role || std::ranges::find(inner, parent_role) != inner.end();
    if (has_parent && !EmbeddedIn(call.input, *action.item).empty()) inner.push_back(child_role);
  }
}

// --- Conditions that what was read is still so ---

// Returns the attributes that a look-up read and that the role's actions need.
std::vector<LabAttributeRef> ReadAttributes(const LabFile& file, const CallerKnowledge& known,
                                            int role, const WriteActions& done) {
  std::vector<LabAttributeRef> read;
  for (const auto& notes : done.notes) {
    for (const WriteNote& note : notes) {
      const auto* const need = std::get_if<WriteNeed>(&note);
      if (need == nullptr || need->look_up.role != role) continue;
      for (const LabAttributeRef one : need->attributes) {
        if (!Knows(file, known, role, one)) read.push_back(one);
      }
    }
  }
  return read;
}

bool ChangesInTime(const LabFile& file, LabAttributeRef attribute) {
  for (const LabPattern& pattern : file.patterns) {
    for (const LabWrite& write : pattern.writes) {
      if (write.kind == WriteKind::kUpdate && ChangeOf(write, attribute) != nullptr) return true;
    }
  }
  return false;
}

// Returns whether the action is about the item as it was before: not a new one.
bool IsOfOldItem(const WriteAction& action) {
  return action.kind != ActionKind::kPut || !action.applies.unchanged.empty();
}

// Makes the write of the main item depend on what was read and others may change meanwhile.
void RequireWhatWasRead(const WriteCall& call, const CallerKnowledge& known, const RoleWrite& write,
                        WriteActions& done) {
  const LabFile& file = call.input.file;
  const LabItem* const main = MainItem(call.input.layout, write.declared.entity);
  if (main == nullptr) return;
  std::vector<WriteAction*> actions;
  for (WriteAction& action : done.actions) {
    if (action.item == main && action.role == write.role && IsOfOldItem(action)) {
      actions.push_back(&action);
    }
  }
  const std::vector<LabAttributeRef> held = HeldAttributes(call.input, *main);
  const std::vector<LabAttributeRef> key = AttributesOfKey(call.input.layout, *main);
  std::vector<LabAttributeRef> required;
  std::vector<std::string> names;
  std::vector<std::string> unsure;
  const auto has = [](const std::vector<LabAttributeRef>& list, LabAttributeRef one) {
    return std::ranges::find(list, one) != list.end();
  };
  for (const LabAttributeRef one : ReadAttributes(file, known, write.role, done)) {
    // An item whose key has the attribute is not found where that has changed.
    if (!ChangesInTime(file, one) || has(key, one) || has(required, one)) continue;
    const bool can_require = has(held, one) && !actions.empty();
    AddName(LabAttributeAt(file, one).name, can_require ? names : unsure);
    if (can_require) required.push_back(one);
  }
  for (WriteAction* const action : actions) {
    for (const LabAttributeRef one : required) {
      RequireUnchanged(file, one, write, action->expression);
    }
  }
  const auto verb = [](const std::vector<std::string>& list) {
    return std::string(list.size() == 1 ? " is" : " are");
  };
  if (!names.empty()) {
    done.requires_what_was_read = true;
    Say("The write has the condition that " + JoinNames(names) + verb(names) +
            " as read; where that fails, the caller reads and writes again.",
        done);
  }
  if (unsure.empty()) return;
  Say("No condition says that " + JoinNames(unsure) + verb(unsure) +
          " still as read: what changes between the read and the write leaves a wrong key behind.",
      done);
}

// --- Entities inside of an item ---

// Where an embedded entity stands: in the items of `host`, inside of `path`'s lists and maps.
struct EmbeddedPlace {
  int host = kLabNone;
  int host_role = 0;                           // whose items, or whose ancestors' items
  std::vector<const LabEmbedding*> path = {};  // from the host inwards
  // Whether a document path leads to one child: all lists around it are maps.
  bool is_addressable = false;
};

EmbeddedPlace PlaceOfEmbedded(const WriteCall& call, const RoleWrite& write) {
  EmbeddedPlace place = {.host = write.declared.entity, .host_role = write.role};
  while (ItemsOf(call.input.layout, place.host).empty()) {
    const LabEmbedding* const embedding = EmbeddingOf(call.input.layout, place.host);
    place.path.insert(place.path.begin(), embedding);
    place.host = embedding->parent;
  }
  place.is_addressable = std::ranges::all_of(
      place.path, [](const LabEmbedding* embedding) { return embedding->map_by != kLabNone; });
  // All that is about the same host becomes one action on its item.
  for (int at = write.role; at != kLabNone;
       at = call.shape.roles[static_cast<std::size_t>(at)].of_role) {
    if (call.shape.roles[static_cast<std::size_t>(at)].entity != place.host) continue;
    place.host_role = CanonicalRole(call.shape, at);
    break;
  }
  // An `also` writes the same items by a role of its own.
  const std::vector<CallRole>& roles = call.shape.roles;
  for (std::size_t i = 0; i < roles.size(); ++i) {
    const bool is_host = roles[i].source == CallRole::Source::kAncestor &&
                         roles[i].entity == place.host && roles[i].of_role == write.role;
    if (is_host) place.host_role = CanonicalRole(call.shape, static_cast<int>(i));
  }
  return place;
}

// Appends new children to the list that is the whole path.
void AppendToList(const WriteCall& call, const LabEmbedding& list, const RoleWrite& write,
                  bool is_many, ItemExpression& expression) {
  const std::string name = expression.Name(list.attribute);
  RequestNodes empty;
  AppendText(R"({"L":[]})", empty);
  const std::string none = expression.Value(std::move(empty));
  RequestNodes children;
  if (is_many) {
    AppendChildList(call.input, list, {.child_role = write.role}, children);
  } else {
    AppendText(R"({"L":[)", children);
    AppendChild(call.input, list, write.role, children);
    AppendText("]}", children);
  }
  expression.Set(name + " = list_append(if_not_exists(" + name + ", " + none + "), " +
                 expression.Value(std::move(children)) + ")");
}

void ChangeAlongPath(const WriteCall& call, const EmbeddedPlace& place, const RoleWrite& write,
                     ItemExpression& expression) {
  std::string path;
  for (const LabEmbedding* const embedding : place.path) {
    RequestNodes key;
    AppendSlot({.source = RequestSlot::Source::kNewValue,
                .role = write.role,
                .part = {.attribute = {embedding->entity, embedding->map_by}}},
               key);
    path += (path.empty() ? "" : ".") + expression.Name(embedding->attribute) + ".";
    path += expression.Name(std::move(key));
  }
  const WriteKind kind = write.declared.kind;
  if (kind == WriteKind::kCreate) {
    RequestNodes child;
    AppendChild(call.input, *place.path.back(), write.role, child);
    expression.Require("attribute_not_exists(" + path + ")");
    expression.Set(path + " = " + expression.Value(std::move(child)));
    return;
  }
  expression.Require("attribute_exists(" + path + ")");
  RequireConditions(call.input.file, write.declared.conditions, path + ".", expression);
  if (kind == WriteKind::kDelete) expression.Remove(path);
  if (kind != WriteKind::kUpdate) return;
  for (const LabChange& change : write.declared.changes) {
    AddChange({call.input.file, call.shape, write}, change, path + ".", expression);
  }
}

// Without a path to one child, the outermost list is read, and written as a whole.
void RewriteList(const WriteCall& call, const EmbeddedPlace& place, const RoleWrite& write,
                 WriteAction& action, WriteActions& done) {
  const LabEmbedding& outer = *place.path.front();
  Need(call.input.file, {write.declared, place.host_role}, place.host,
       {.is_whole_item = true,
        .why = "a list has no path to one of its elements, so all " + outer.attribute +
               " are written anew, and of two calls at once the later one undoes the other"},
       done);
  RequestNodes children;
  const bool is_removed = write.declared.kind == WriteKind::kDelete;
  AppendChildList(call.input, outer,
                  {.parent_role = place.host_role, .except = is_removed ? write.role : kLabNone},
                  children);
  action.expression.Set(action.expression.Name(outer.attribute) + " = " +
                        action.expression.Value(std::move(children)));
  if (!write.declared.conditions.empty()) {
    Say("The conditions are about an element of a list, and are left to the application.", done);
  }
}

void WriteEmbeddedIn(const WriteCall& call, const LabItem& item, const EmbeddedPlace& place,
                     const RoleWrite& write, WriteActions& done) {
  const LabFile& file = call.input.file;
  const WriteKind kind = write.declared.kind;
  const std::string& host = EntityAt(file, place.host).name;
  const std::string& list = place.path.front()->attribute;
  Need(file, write, place.host,
       {.attributes = AttributesOfKey(call.input.layout, item), .why = "the key of its item"},
       done);
  WriteAction& action =
      ActionFor(kind == WriteKind::kCheck ? ActionKind::kCheck : ActionKind::kUpdate, item,
                place.host_role, done);
  if (kind != WriteKind::kCheck) action.inner_roles.push_back(write.role);
  if (action.kind == ActionKind::kPut) {
    action.child_roles.clear();  // the item that is put has all children
    return Say("The " + list + " are inside of the item of " + host + ", which is put.", done);
  }
  RequireItem(call.input.layout, item, kExists, action.expression);
  Say(EntityAt(file, write.declared.entity).name + " is inside of the item of " + host + " in " +
          TableOfItem(call.input.layout, item).name + ", whose whole size counts.",
      done);
  const LabEmbedding& own = *place.path.back();
  const bool is_many =
      MostInstances(file, call.shape, write.role) > 1 && write.role != place.host_role;
  if (kind == WriteKind::kCreate && place.path.size() == 1 && own.map_by == kLabNone) {
    AppendToList(call, own, write, is_many, action.expression);
  } else if (place.is_addressable && !is_many) {
    ChangeAlongPath(call, place, write, action.expression);
  } else if (kind != WriteKind::kCheck) {
    RewriteList(call, place, write, action, done);
  } else {
    Say("No path leads to one of the " + list + ", so only the item is checked.", done);
  }
}

void WriteEmbedded(const WriteCall& call, const RoleWrite& write, WriteActions& done) {
  const EmbeddedPlace place = PlaceOfEmbedded(call, write);
  for (const LabItem* const item : ItemsOf(call.input.layout, place.host)) {
    if (EmbeddedIn(call.input, *item).empty()) continue;
    WriteEmbeddedIn(call, *item, place, write, done);
  }
}

// --- Creates ---

void PutItems(const WriteCall& call, const RoleWrite& write, int entity,
              const std::vector<int>& child_roles, WriteActions& done) {
  const LabLayout& layout = call.input.layout;
  const std::vector<const LabItem*> items = ItemsOf(layout, entity);
  const LabItem* const main = MainItem(layout, entity);
  std::string keys;
  for (const LabItem* const item : items) {
    WriteAction& action = ActionFor(ActionKind::kPut, *item, write.role, done);
    action.child_roles = child_roles;
    action.applies = ConditionOfItem(call.input, *item, write.role);
    if (item == main && entity == write.declared.entity) {
      RequireItem(layout, *item, kIsMissing, action.expression);
    }
    keys += (keys.empty() ? "" : ", ") + TableOfItem(layout, *item).name + " \"" +
            PrimaryKeyText(layout, *item) + "\"";
  }
  if (items.size() > 1) {
    Say(EntityAt(call.input.file, entity).name + " is stored as " + std::to_string(items.size()) +
            " items: " + keys + ".",
        done);
  }
}

void RequireUnique(const WriteCall& call, const RoleWrite& write, WriteActions& done) {
  const LabLayout& layout = call.input.layout;
  for (const int attribute : write.declared.unique) {
    const LabAttributeRef unique = {write.declared.entity, attribute};
    const std::string& name = LabAttributeAt(call.input.file, unique).name;
    const LabItem* const sentinel = SentinelOf(call.input.file, layout, unique);
    if (sentinel == nullptr) {
      Say("No item's key is {" + name + "} alone, so nothing keeps two from having the same " +
              name + ".",
          done);
      continue;
    }
    RequireItem(layout, *sentinel, kIsMissing,
                ActionFor(ActionKind::kPut, *sentinel, write.role, done).expression);
    Say("The item \"" + PrimaryKeyText(layout, *sentinel) + "\" keeps " + name + " unique.", done);
  }
}

// Returns what all keys of the entity's items are made of.
std::vector<LabAttributeRef> AttributesOfKeys(const WriteCall& call, int entity) {
  std::vector<LabAttributeRef> attributes;
  for (const LabItem* const item : ItemsOf(call.input.layout, entity)) {
    for (const LabItemKey& key : item->keys) {
      AppendAttributesOf(key.text, attributes);
      AppendAttributesOf(key.when, attributes);
    }
    AppendAttributesOf(item->when, attributes);
  }
  return attributes;
}

// Returns the attributes that say to whom an instance belongs and refers.
std::vector<LabAttributeRef> ReferencesOf(const LabFile& file, int entity) {
  std::vector<LabAttributeRef> references;
  const int parent = EntityAt(file, entity).parent;
  if (parent != kLabNone) references.push_back({parent, 0});
  for (std::size_t i = 0; i < EntityAt(file, entity).attributes.size(); ++i) {
    const LabAttributeRef one = {entity, static_cast<int>(i)};
    if (LabAttributeAt(file, one).generator.kind == LabGenerator::Kind::kRef) {
      references.push_back(one);
    }
  }
  return references;
}

void NoteNotStored(const WriteCall& call, int entity, WriteActions& done) {
  const std::string& name = EntityAt(call.input.file, entity).name;
  Note(WriteObstacle{"the layout does not store " + name}, done);
}

void Create(const WriteCall& call, const RoleWrite& write, const std::vector<int>& with_roles,
            WriteActions& done) {
  const LabLayout& layout = call.input.layout;
  const std::vector<int>& with = write.declared.with;
  std::vector<int> child_roles;
  for (const LabEmbedding& embedding : layout.embeddings) {
    if (embedding.parent != write.declared.entity) continue;
    const auto found = std::ranges::find(with, embedding.entity);
    child_roles.push_back(found == with.end()
                              ? kLabNone
                              : with_roles[static_cast<std::size_t>(found - with.begin())]);
  }
  if (MainItem(layout, write.declared.entity) == nullptr) {
    WriteEmbedded(call, write, done);
  } else {
    PutItems(call, write, write.declared.entity, child_roles, done);
    RequireUnique(call, write, done);
  }
  for (std::size_t i = 0; i < with.size(); ++i) {
    const LabEmbedding* const embedding = EmbeddingOf(layout, with[i]);
    if (!ItemsOf(layout, with[i]).empty()) {
      PutItems(call, {write.declared, with_roles[i]}, with[i], {}, done);
    } else if (embedding == nullptr) {
      NoteNotStored(call, with[i], done);
    } else if (embedding->parent == write.declared.entity) {
      AddInnerRole(call, write.role, with_roles[i], done);
      Say("The " + embedding->attribute + " are written inside of the item of their " +
              EntityAt(call.input.file, write.declared.entity).name + ".",
          done);
    } else {
      const LabWrite of_child = {.kind = WriteKind::kCreate, .entity = with[i]};
      WriteEmbedded(call, {of_child, with_roles[i]}, done);
    }
  }
}

// --- Deletes and checks ---

void DeleteChildren(const WriteCall& call, const RoleWrite& write,
                    const std::vector<int>& with_roles, WriteActions& done) {
  for (std::size_t i = 0; i < with_roles.size(); ++i) {
    const int child = write.declared.with[i];
    const std::vector<const LabItem*> items = ItemsOf(call.input.layout, child);
    if (items.empty()) {  // they are inside of the item that is deleted, or stored nowhere
      AddInnerRole(call, write.role, with_roles[i], done);
      continue;
    }
    std::vector<LabAttributeRef> needed;
    for (const LabItem* const item : items) {
      WriteAction& action = ActionFor(ActionKind::kDelete, *item, with_roles[i], done);
      action.applies = ConditionOfItem(call.input, *item, with_roles[i]);
      const std::vector<LabAttributeRef> key = AttributesOfKey(call.input.layout, *item);
      needed.insert(needed.end(), key.begin(), key.end());
      AppendAttributesOf(action.applies.when, needed);
    }
    std::erase_if(needed, [&](LabAttributeRef one) {
      return std::ranges::any_of(write.declared.by, [&](LabAttributeRef known) {
        return IsSameValue(call.input.file, known, one);
      });
    });
    Note(WriteNeed{.look_up = {.role = write.role,
                               .entity = child,
                               .is_of_children = true,
                               .by = write.declared.by,
                               .returns = std::move(needed)},
                   .is_whole_item = true,
                   .why = "Each " + EntityAt(call.input.file, child).name +
                          " is read first, because the caller does not know its key."},
         done);
  }
}

void Delete(const WriteCall& call, const RoleWrite& write, WriteActions& done) {
  const LabLayout& layout = call.input.layout;
  const LabItem* const main = MainItem(layout, write.declared.entity);
  for (const LabItem* const item : ItemsOf(layout, write.declared.entity)) {
    std::vector<LabAttributeRef> needed = AttributesOfKey(layout, *item);
    RoleCondition applies = ConditionOfItem(call.input, *item, write.role);
    AppendAttributesOf(applies.when, needed);
    Need(call.input.file, write, write.declared.entity,
         {.attributes = std::move(needed),
          .why = "the key \"" + PrimaryKeyText(layout, *item) + "\""},
         done);
    WriteAction& action = ActionFor(ActionKind::kDelete, *item, write.role, done);
    action.applies = std::move(applies);
    if (item != main) continue;
    RequireItem(layout, *item, kExists, action.expression);
    RequireConditions(call.input.file, write.declared.conditions, "", action.expression);
  }
}

// Returns the item that the write's conditions are about: the first that has all of their
// attributes, if there is one.
const LabItem& ItemOfConditions(const WriteCall& call, const RoleWrite& write) {
  for (const LabItem* const item : ItemsOf(call.input.layout, write.declared.entity)) {
    const std::vector<LabAttributeRef> held = HeldAttributes(call.input, *item);
    const bool has_all =
        std::ranges::all_of(write.declared.conditions, [&](const LabCondition& one) {
          return std::ranges::find(held, one.attribute) != held.end();
        });
    if (has_all && !write.declared.conditions.empty()) return *item;
  }
  return *MainItem(call.input.layout, write.declared.entity);
}

void Check(const WriteCall& call, const RoleWrite& write, WriteActions& done) {
  const LabLayout& layout = call.input.layout;
  const LabItem& item = ItemOfConditions(call, write);
  Need(call.input.file, write, write.declared.entity,
       {.attributes = AttributesOfKey(layout, item), .why = "its key"}, done);
  ItemExpression& expression = ActionFor(ActionKind::kCheck, item, write.role, done).expression;
  RequireItem(layout, item, kExists, expression);
  RequireConditions(call.input.file, write.declared.conditions, "", expression);
}

// --- Updates of what an item's primary key, or its presence, depends on ---

// The caller has to know the whole item that is put, but for what the call sets.
void NeedNewItem(const WriteCall& call, const LabItem& item, const RoleWrite& write,
                 WriteActions& done) {
  std::vector<LabAttributeRef> needed = StoredAttributes(call.input, item);
  for (const LabItemKey& one : item.keys) {
    AppendAttributesOf(one.text, needed);
    AppendAttributesOf(one.when, needed);
  }
  AppendAttributesOf(item.when, needed);
  std::erase_if(needed, [&](LabAttributeRef one) {
    const LabChange* const change = ChangeOf(write.declared, one);
    return change != nullptr && change->kind != ChangeKind::kAdd;
  });
  Need(call.input.file, write, write.declared.entity,
       {.attributes = std::move(needed), .why = "an item that is put anew"}, done);
  if (EmbeddedIn(call.input, item).empty()) return;
  Need(call.input.file, write, write.declared.entity,
       {.is_whole_item = true, .why = "an item that is put anew has its children inside"}, done);
}

// The item with the old key is deleted, and one with the new key is put.
void MoveItem(const WriteCall& call, const LabItem& item, const RoleWrite& write,
              WriteActions& done) {
  const LabLayout& layout = call.input.layout;
  const std::string& table = TableOfItem(layout, item).name;
  const std::vector<LabAttributeRef> key = AttributesOfKey(layout, item);
  std::vector<LabAttributeRef> changed;
  std::vector<std::string> causes;
  std::vector<std::string> removed;
  for (const LabAttributeRef one : key) {
    const LabChange* const change = ChangeOf(write.declared, one);
    if (change == nullptr) continue;
    const std::string& name = LabAttributeAt(call.input.file, one).name;
    changed.push_back(one);
    AddName(name, causes);
    if (change->kind == ChangeKind::kRemove) AddName(name, removed);
  }
  if (!removed.empty() && &item == MainItem(layout, write.declared.entity)) {
    // Another item of the entity may go, as one that keeps a value unique does; with this one, all
    // other attributes would go.
    return Note(WriteObstacle{"The key of its item in " + table + " has " + JoinNames(removed) +
                              ", which the update removes: nothing would be left of the item."},
                done);
  }
  Need(call.input.file, write, write.declared.entity,
       {.attributes = key, .why = "the old key in " + table}, done);
  const auto require_old = [&](ItemExpression& expression) {
    if (&item != MainItem(layout, write.declared.entity)) return;
    RequireItem(layout, item, kExists, expression);
    RequireConditions(call.input.file, write.declared.conditions, "", expression);
  };
  WriteAction& old_item = ActionFor(ActionKind::kDelete, item, write.role, done);
  old_item.applies = ConditionOfItem(call.input, item, write.role);
  old_item.applies.is_before = true;
  old_item.applies.changed = changed;
  require_old(old_item.expression);
  Say("The key of an item in " + table + " has " + JoinNames(causes) +
          (removed.empty()
               ? ": the item is deleted and put again."
               : ": the item is deleted, for the update removes " + JoinNames(removed) + "."),
      done);
  RoleCondition stored = ConditionOfItem(call.input, item, write.role);
  if (!ResolveCondition(call.input.file, write.declared, stored)) return;
  NeedNewItem(call, item, write, done);
  WriteAction& new_item = ActionFor(ActionKind::kPut, item, write.role, done);
  new_item.applies = stored;
  new_item.applies.changed = changed;
  RequireItem(layout, item, kIsMissing, new_item.expression);
  // A call may give the value that is there already; the item then stays where it is.
  WriteAction same_item = {.kind = ActionKind::kPut, .item = &item, .role = write.role};
  same_item.applies = std::move(stored);
  same_item.applies.unchanged = std::move(changed);
  require_old(same_item.expression);
  done.actions.push_back(std::move(same_item));
}

// The item is put or deleted, by what its presence depends on.
void PutOrDelete(const WriteCall& call, const LabItem& item, const RoleWrite& write,
                 WriteActions& done) {
  const std::string& table = TableOfItem(call.input.layout, item).name;
  Need(call.input.file, write, write.declared.entity,
       {.attributes = AttributesOfKey(call.input.layout, item),
        .why = "the key of an item in " + table},
       done);
  RoleCondition stored = ConditionOfItem(call.input, item, write.role);
  const bool can_be_stored = ResolveCondition(call.input.file, write.declared, stored);
  const bool is_certain = stored.IsForAll();
  if (can_be_stored) {
    NeedNewItem(call, item, write, done);
    ActionFor(ActionKind::kPut, item, write.role, done).applies = stored;
  }
  if (!can_be_stored || !is_certain) {
    WriteAction& gone = ActionFor(ActionKind::kDelete, item, write.role, done);
    if (can_be_stored) {
      gone.applies = std::move(stored);
      gone.applies.is_negated = true;
    }
  }
  std::vector<std::string> names;
  for (const LabChange& change : write.declared.changes) {
    names.push_back(
        LabAttributeAt(call.input.file, {write.declared.entity, change.attribute}).name);
  }
  Say("Whether an item is in " + table + " depends on " + JoinNames(names) +
          ": it is put or deleted.",
      done);
}

// --- Updates ---

// Says why the update writes the index.
void SayIndexChange(const LabIndex& index, const KeyEffect& effect, bool is_hash,
                    WriteActions& done) {
  const std::string causes = JoinNames(effect.causes);
  const std::string key = std::string(is_hash ? "partition" : "sort") + " key ";
  std::string sentence;
  switch (effect.kind) {
    case KeyEffect::Kind::kUntouched:
      return;
    case KeyEffect::Kind::kSet:
      sentence = "Moves the item in " + index.name + ": its " + key + "has " + causes + ".";
      break;
    case KeyEffect::Kind::kRemoved:
      sentence =
          "Takes the item out of " + index.name + ": its " + key + "depends on " + causes + ".";
      break;
    case KeyEffect::Kind::kSometimes:
      sentence = "Takes the item into or out of " + index.name + ": its " + key + "depends on " +
                 causes + ".";
      break;
  }
  Note(WriteReason{std::move(sentence), index.name}, done);
}

void UpdateKey(const WriteCall& call, const LabItemKey& key, const RoleWrite& write,
               WriteAction& action, WriteActions& done) {
  const KeyEffect effect = EffectOn(call.input, key, write);
  if (effect.kind == KeyEffect::Kind::kUntouched) return;
  std::string what = "the attribute " + key.attribute;
  int indexes = 0;
  int left = 0;  // of these: the item leaves them, and does not come back by this value of the key
  for (const LabIndex& index : TableOfItem(call.input.layout, *action.item).indexes) {
    const bool is_hash = HasName(index.hash, key.attribute);
    if (!is_hash && !HasName(index.range, key.attribute)) continue;
    ++indexes;
    what = std::string(is_hash ? "the partition" : "the sort") + " key of " + index.name;
    const LabItemKey* const removed = RemovedBeside(call.input, index, *action.item, key, write);
    if (removed == nullptr) {
      SayIndexChange(index, effect, is_hash, done);
    } else if (ComesBackWith(call.input, *removed, key, write)) {
      ++left;
    }
  }
  // A plain attribute is written as the attribute that it is.
  if (IsPlainAttribute(call.input.file, key)) return;
  if (indexes > 0 && left == indexes) {
    return action.expression.Remove(action.expression.Name(key.attribute));
  }
  AddKeyChange(call.input, *action.item, key, write, action.expression);
  if (effect.kind == KeyEffect::Kind::kRemoved) return;
  std::vector<LabAttributeRef> needed;
  AppendAttributesOf(key.text, needed);
  AppendAttributesOf(effect.condition.when, needed);
  needed.insert(needed.end(), effect.condition.has.begin(), effect.condition.has.end());
  std::erase_if(needed, [&](LabAttributeRef one) {
    const LabChange* const change = ChangeOf(write.declared, one);
    return change != nullptr && change->kind == ChangeKind::kSet;
  });
  Need(call.input.file, write, write.declared.entity,
       {.attributes = std::move(needed), .why = std::move(what)}, done);
}

// Returns whether the update writes the item.
bool UpdateItem(const WriteCall& call, const LabItem& item, const RoleWrite& write,
                WriteActions& done) {
  const LabFile& file = call.input.file;
  const LabLayout& layout = call.input.layout;
  const auto is_changed = [&](LabAttributeRef one) {
    return ChangeOf(write.declared, one) != nullptr;
  };
  const std::vector<LabAttributeRef> key = AttributesOfKey(layout, item);
  std::vector<LabAttributeRef> attributes = key;
  AppendAttributesOf(ConditionOfItem(call.input, item, write.role).when, attributes);
  if (std::ranges::any_of(attributes, is_changed)) {
    const bool is_moved = std::ranges::any_of(key, is_changed);
    (is_moved ? MoveItem : PutOrDelete)(call, item, write, done);
    return true;
  }
  std::vector<LabAttributeRef> stored = StoredAttributes(call.input, item);
  for (const LabItemKey& one : item.keys) {
    if (IsPlainAttribute(file, one)) stored.push_back(one.text.parts.front().attribute);
  }
  bool is_touched = std::ranges::any_of(stored, is_changed);
  for (const LabItemKey& one : item.keys) {
    is_touched |= EffectOn(call.input, one, write).kind != KeyEffect::Kind::kUntouched;
  }
  if (!is_touched) return false;
  Need(file, write, write.declared.entity,
       {.attributes = std::move(attributes),
        .why = "the key of its item in " + TableOfItem(layout, item).name},
       done);
  WriteAction& action = ActionFor(ActionKind::kUpdate, item, write.role, done);
  action.applies = ConditionOfItem(call.input, item, write.role);
  for (const LabChange& change : write.declared.changes) {
    const LabAttributeRef ref = {write.declared.entity, change.attribute};
    if (std::ranges::find(stored, ref) == stored.end()) continue;
    AddChange({file, call.shape, write}, change, "", action.expression);
  }
  for (const LabItemKey& one : item.keys) UpdateKey(call, one, write, action, done);
  RequireItem(layout, item, kExists, action.expression);
  if (&item == &ItemOfConditions(call, write)) {
    RequireConditions(file, write.declared.conditions, "", action.expression);
  }
  return true;
}

// Other entities' items may have a changed attribute in their keys, or as a copy.
void NoteCopies(const WriteCall& call, const RoleWrite& write, WriteActions& done) {
  for (const LabItem& item : call.input.layout.items) {
    if (item.entity == write.declared.entity) continue;
    std::vector<LabAttributeRef> attributes =
        item.attributes.value_or(std::vector<LabAttributeRef>());
    for (const LabItemKey& key : item.keys) AppendAttributesOf(key.text, attributes);
    for (const LabAttributeRef one : attributes) {
      if (ChangeOf(write.declared, one) == nullptr) continue;
      Say("The items of " + EntityAt(call.input.file, item.entity).name + " have a copy of " +
              LabAttributeAt(call.input.file, one).name + ", which this does not change.",
          done);
    }
  }
}

void UpdateItems(const WriteCall& call, const RoleWrite& write, WriteActions& done) {
  const LabItem* const asked = &ItemOfConditions(call, write);
  bool is_asked_written = false;
  bool is_written = false;
  for (const LabItem* const item : ItemsOf(call.input.layout, write.declared.entity)) {
    const bool is_item_written = UpdateItem(call, *item, write, done);
    is_written |= is_item_written;
    is_asked_written |= is_item_written && item == asked;
  }
  if (is_asked_written || (is_written && write.declared.conditions.empty())) return;
  Say(is_written ? "The conditions are about an item that nothing else changes."
                 : "No item holds what is changed, so there is nothing but a check.",
      done);
  Check(call, write, done);
}

// Notes that the instances have to be read for which the write is repeated.
void NoteFound(const WriteCall& call, const RoleWrite& write, WriteActions& done) {
  const LabFile& file = call.input.file;
  const LabWrite& declared = write.declared;
  int role = write.role;
  const auto is_found = [&](int one) {
    const CallRole::Source source = call.shape.roles[static_cast<std::size_t>(one)].source;
    return source == CallRole::Source::kChildren || source == CallRole::Source::kReferring;
  };
  while (role != kLabNone && !is_found(role)) {
    role = call.shape.roles[static_cast<std::size_t>(role)].of_role;
  }
  if (role == kLabNone) return;  // found by its own identity, which the caller knows
  WriteLookUp look_up = {.entity = declared.each, .is_of_children = true};
  look_up.by = {declared.found_by};
  look_up.returns = declared.kind == WriteKind::kCreate ? ReferencesOf(file, declared.each)
                                                        : AttributesOfKeys(call, declared.entity);
  while (is_found(role)) role = call.shape.roles[static_cast<std::size_t>(role)].of_role;
  look_up.role = CanonicalRole(call.shape, SameInstanceRole(call.shape, role));
  Note(WriteNeed{.look_up = std::move(look_up),
                 .is_whole_item = true,
                 .why = "Each " + EntityAt(file, declared.each).name + " is read first" +
                        (declared.each == declared.entity
                             ? "."
                             : ", and for each of them a " + EntityAt(file, declared.entity).name +
                                   " is written.")},
       done);
}

// Says why a call may leave out the write.
void SayMayBeMissing(const WriteCall& call, const RoleWrite& write, WriteActions& done) {
  const LabFile& file = call.input.file;
  const std::string& name = EntityAt(file, write.declared.entity).name;
  if (!RolesWrittenBefore(call.shape, write.role).empty()) {
    Say("Where the call writes one " + name +
            " twice, it is written once, by the first of the "
            "writes.",
        done);
  }
  const auto at = [&](int one) -> const CallRole& {
    return call.shape.roles[static_cast<std::size_t>(one)];
  };
  for (int role = write.role; role != kLabNone; role = at(role).of_role) {
    if (at(role).source != CallRole::Source::kReferred) continue;
    const LabAttributeRef via = {at(at(role).of_role).entity, at(role).via};
    if (!MayLack(file, via)) continue;
    Say(name + " is written only where " + EntityAt(file, via.entity).name + " has " +
            LabAttributeAt(file, via).name + ".",
        done);
  }
}

void AddWrite(const WriteCall& call, const CallerKnowledge& known, std::size_t number,
              WriteActions& done) {
  const RoleWrite write = {call.pattern.writes[number],
                           CanonicalRole(call.shape, call.shape.writes[number].role)};
  const std::vector<int>& with_roles = call.shape.writes[number].with;
  const int entity = write.declared.entity;
  if (!IsStored(call.input.layout, entity)) {
    if (number == 0 || IsNeededByReads(call.input.file, entity)) {
      return NoteNotStored(call, entity, done);
    }
    return Say(EntityAt(call.input.file, entity).name +
                   " is not stored here and nothing needs it, so it is not written.",
               done);
  }
  if (write.declared.found_by.entity != kLabNone) NoteFound(call, write, done);
  if (MayBeMissing(call.input.file, call.shape, write.role)) SayMayBeMissing(call, write, done);
  if (write.declared.kind == WriteKind::kCreate) return Create(call, write, with_roles, done);
  if (MainItem(call.input.layout, entity) == nullptr) return WriteEmbedded(call, write, done);
  switch (write.declared.kind) {
    case WriteKind::kCreate:
      return;
    case WriteKind::kUpdate:
      UpdateItems(call, write, done);
      RequireWhatWasRead(call, known, write, done);
      return NoteCopies(call, write, done);
    case WriteKind::kDelete:
      Delete(call, write, done);
      RequireWhatWasRead(call, known, write, done);
      return DeleteChildren(call, write, with_roles, done);
    case WriteKind::kCheck:
      return Check(call, write, done);
  }
}

}  // namespace

CallerKnowledge KnowledgeOfCaller(const WriteCall& call) {
  CallerKnowledge knowledge;
  for (std::size_t i = 0; i < call.pattern.writes.size(); ++i) {
    const LabWrite& write = call.pattern.writes[i];
    const CallShape::WriteRoles& roles = call.shape.writes[i];
    RoleKnowledge& known = knowledge[CanonicalRole(call.shape, roles.role)];
    known.is_all |= write.kind == WriteKind::kCreate || write.found_by.entity != kLabNone;
    known.attributes.insert(known.attributes.end(), write.by.begin(), write.by.end());
    for (const LabCondition& condition : write.conditions) {
      if (condition.op != LabCondition::Op::kEqual) continue;
      known.attributes.push_back(condition.attribute);
      known.old_values.push_back(condition);
    }
    for (std::size_t child = 0; child < roles.with.size(); ++child) {
      const bool is_read = write.kind == WriteKind::kDelete &&
                           !ItemsOf(call.input.layout, write.with[child]).empty();
      if (write.kind == WriteKind::kCreate || is_read) knowledge[roles.with[child]].is_all = true;
    }
  }
  return knowledge;
}

bool Knows(const LabFile& file, const CallerKnowledge& known, int role, LabAttributeRef attribute) {
  const auto found = known.find(role);
  if (found == known.end()) return false;
  const auto& attributes = found->second.attributes;
  return found->second.is_all || std::ranges::any_of(attributes, [&](LabAttributeRef one) {
           return IsSameValue(file, one, attribute) || TimeOfUlid(file, one) == attribute;
         });
}

WriteActions ActionsOf(const WriteCall& call, const CallerKnowledge& known) {
  WriteActions done;
  const auto is_obstacle = [](const WriteNote& note) {
    return std::holds_alternative<WriteObstacle>(note);
  };
  for (std::size_t i = 0; i < call.pattern.writes.size(); ++i) {
    done.notes.emplace_back();
    AddWrite(call, known, i, done);
    if (std::ranges::any_of(done.notes.back(), is_obstacle)) break;
  }
  for (WriteAction& action : done.actions) {
    action.applies.may_be_missing = MayBeMissing(call.input.file, call.shape, action.role);
  }
  return done;
}

const LabItem* SentinelOf(const LabFile& file, const LabLayout& layout, LabAttributeRef unique) {
  const std::vector<LabAttributeRef> parts = WithParts(file, unique);
  const LabItem* sentinel = nullptr;
  for (const LabItem& item : layout.items) {
    if (item.entity != unique.entity) continue;
    const std::vector<LabAttributeRef> attributes = AttributesOfKey(layout, item);
    const bool is_alone = std::ranges::all_of(
        attributes, [&](LabAttributeRef one) { return IsSaidBy(file, unique.entity, parts, one); });
    if (!attributes.empty() && is_alone) sentinel = &item;
  }
  return sentinel;
}

std::string PrimaryKeyText(const LabLayout& layout, const LabItem& item) {
  std::string text;
  for (const LabItemKey& key : item.keys) {
    if (!IsPrimaryKeyOf(TableOfItem(layout, item), key.attribute)) continue;
    text += (text.empty() ? "" : " / ") + key.text.text;
  }
  return text;
}

}  // namespace hashrange
