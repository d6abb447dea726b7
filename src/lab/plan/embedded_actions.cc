// Writes of entities that are stored inside of an item: what happens to that item.
#include <algorithm>
#include <utility>

#include "lab/plan/item_pieces.h"
#include "lab/plan/read_question.h"
#include "lab/plan/write_actions.h"

namespace hashrange {
namespace {

using ActionKind = WriteAction::Kind;
using WriteKind = LabWrite::Kind;

}  // namespace

// Where an embedded entity stands: in the items of `host`, inside of `path`'s lists and maps.
struct WriteActions::EmbeddedPlace {
  int host = kLabNone;
  int host_role = 0;                           // whose items, or whose ancestors' items
  int child_role = 0;                          // of the embedded entity itself
  std::vector<const LabEmbedding*> path = {};  // from the host inwards
  // Whether a document path leads to one child: all lists around it are maps.
  bool is_addressable = false;
};

WriteActions::EmbeddedPlace WriteActions::PlaceOfEmbedded(int entity, int role) const {
  EmbeddedPlace place = {.host = entity, .host_role = role, .child_role = role};
  while (ItemsOf(place.host).empty()) {
    const LabEmbedding* const embedding = EmbeddingOf(input_.layout, place.host);
    place.path.insert(place.path.begin(), embedding);
    place.host = embedding->parent;
  }
  place.is_addressable =
      std::all_of(place.path.begin(), place.path.end(),
                  [](const LabEmbedding* embedding) { return embedding->map_by != kLabNone; });
  // All that is about the same host becomes one action on its item.
  for (int at = role; at != kLabNone; at = shape_.roles[static_cast<std::size_t>(at)].of_role) {
    if (shape_.roles[static_cast<std::size_t>(at)].entity != place.host) continue;
    place.host_role = CanonicalRole(at);
    break;
  }
  return place;
}

void WriteActions::AddEmbedded(const LabWrite& write, int role) {
  const EmbeddedPlace place = PlaceOfEmbedded(write.entity, role);
  for (const LabItem* const item : ItemsOf(place.host)) {
    if (!EmbeddedIn(input_, *item).empty()) AddEmbeddedTo(*item, place, write);
  }
}

void WriteActions::AddEmbeddedTo(const LabItem& item, const EmbeddedPlace& place,
                                 const LabWrite& write) {
  const LabTable& table = input_.layout.tables[static_cast<std::size_t>(item.table)];
  const std::string& host = EntityAt(input_.file, place.host).name;
  const std::string& list = place.path.front()->attribute;
  Know(place.child_role, place.host, AttributesOfKey(item), write, "the key of its item");
  WriteAction& action =
      ActionFor(write.kind == WriteKind::kCheck ? ActionKind::kCheck : ActionKind::kUpdate, item,
                place.host_role);
  if (write.kind != WriteKind::kCheck) action.inner_roles.push_back(place.child_role);
  if (action.kind == ActionKind::kPut) {
    action.child_roles.clear();  // the item that is put has all children
    Reason("The " + list + " are inside of the item of " + host + ", which is put.");
    return;
  }
  action.expression.Require("attribute_exists(" + action.expression.Name(HashName(item)) + ")");
  Reason(EntityAt(input_.file, write.entity).name + " is inside of the item of " + host + " in " +
         table.name + ", whose whole size counts.");
  const LabEmbedding& own = *place.path.back();
  const bool is_many = MostInstances(place.child_role) > 1 && place.child_role != place.host_role;
  const bool is_appended =
      write.kind == WriteKind::kCreate && place.path.size() == 1 && own.map_by == kLabNone;
  if (is_appended) {
    const std::string name = action.expression.Name(own.attribute);
    std::vector<RequestPiece> empty;
    AppendText(R"({"L":[]})", empty);
    const std::string none = action.expression.Value(std::move(empty));
    std::vector<RequestPiece> children;
    if (is_many) {
      AppendChildList(input_, own, {.child_role = place.child_role}, children);
    } else {
      AppendText(R"({"L":[)", children);
      AppendChild(input_, own, place.child_role, children);
      AppendText("]}", children);
    }
    action.expression.Set(name + " = list_append(if_not_exists(" + name + ", " + none + "), " +
                          action.expression.Value(std::move(children)) + ")");
  } else if (place.is_addressable && !is_many) {
    AddAlongPath(place, write, action);
  } else if (write.kind != WriteKind::kCheck) {
    AddRewrite(place, write, item);
  } else {
    Reason("No path leads to one of the " + list + ", so only the item is checked.");
  }
}

void WriteActions::AddAlongPath(const EmbeddedPlace& place, const LabWrite& write,
                                WriteAction& action) {
  ItemExpression& expression = action.expression;
  std::string path;
  for (const LabEmbedding* const embedding : place.path) {
    std::vector<RequestPiece> key;
    AppendSlot({.source = RequestSlot::Source::kNewValue,
                .role = place.child_role,
                .part = {.attribute = {embedding->entity, embedding->map_by}}},
               key);
    path += (path.empty() ? "" : ".") + expression.Name(embedding->attribute) + ".";
    path += expression.Name(std::move(key));
  }
  if (write.kind == WriteKind::kCreate) {
    std::vector<RequestPiece> child;
    AppendChild(input_, *place.path.back(), place.child_role, child);
    expression.Require("attribute_not_exists(" + path + ")");
    expression.Set(path + " = " + expression.Value(std::move(child)));
    return;
  }
  expression.Require("attribute_exists(" + path + ")");
  RequireConditions(write.conditions, path + ".", expression);
  if (write.kind == WriteKind::kDelete) expression.Remove(path);
  if (write.kind != WriteKind::kUpdate) return;
  for (const LabChange& change : write.changes) {
    AddChange(write, change, place.child_role, path + ".", expression);
  }
}

// Without a path to one child, the outermost list is read, and written as a whole.
void WriteActions::AddRewrite(const EmbeddedPlace& place, const LabWrite& write,
                              const LabItem& item) {
  const LabEmbedding& outer = *place.path.front();
  LookUp(place.host_role == place.child_role ? place.child_role : place.host_role, place.host,
         write,
         "a list has no path to one of its elements, so all " + outer.attribute +
             " are written anew, and of two calls at once the later one undoes the other");
  std::vector<RequestPiece> children;
  const bool is_removed = write.kind == WriteKind::kDelete;
  AppendChildList(
      input_, outer,
      {.parent_role = place.host_role, .except = is_removed ? place.child_role : kLabNone},
      children);
  ItemExpression& expression = ActionFor(ActionKind::kUpdate, item, place.host_role).expression;
  expression.Set(expression.Name(outer.attribute) + " = " + expression.Value(std::move(children)));
  if (!write.conditions.empty()) {
    Reason("The conditions are about an element of a list, and are left to the application.");
  }
}

}  // namespace hashrange
