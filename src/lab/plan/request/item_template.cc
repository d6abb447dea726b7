#include "lab/plan/request/item_template.h"

#include <algorithm>
#include <string>
#include <vector>

#include "lab/language/lab_facts.h"
#include "lab/plan/request/layout_keys.h"

namespace hashrange {
namespace {

using Source = RequestSlot::Source;

std::string_view TypeTag(LabType type) {
  switch (type) {
    case LabType::kString:
      return "S";
    case LabType::kNumber:
      return "N";
    case LabType::kBool:
      return "BOOL";
    case LabType::kVector:
      return "L";
  }
  return "S";
}

std::string QuotedName(std::string_view name) { return QuotedJson(name) + ":"; }

// Appends a member that is there only where an instance has the attributes and matches.
void AppendSometimes(RoleCondition condition, RequestNodes member, RequestNodes& nodes) {
  if (condition.IsForAll()) {
    AppendNodes(std::move(member), nodes);
  } else {
    nodes.push_back({RequestWhen{std::move(condition), std::move(member)}});
  }
}

std::vector<LabAttributeRef> IfCanBeAbsent(const LabFile& file,
                                           std::vector<LabAttributeRef> attributes) {
  std::erase_if(attributes, [&](LabAttributeRef ref) { return !CanBeAbsent(file, ref); });
  return attributes;
}

void AddAttributes(const LabFile& file, const LabTemplate& text,
                   std::vector<LabAttributeRef>& attributes) {
  for (const LabTemplatePart& part : text.parts) {
    if (part.attribute.entity == kLabNone || !CanBeAbsent(file, part.attribute)) continue;
    if (std::ranges::find(attributes, part.attribute) != attributes.end()) {
      continue;
    }
    attributes.push_back(part.attribute);
  }
}

// Children in an item get a number behind all roles of calls.
constexpr int kFirstChildRole = 1000;

// Returns a child's JSON, without its place in the list or map.
RequestNodes ChildNodes(const PlannerInput& input, const LabEmbedding& embedding, int role,
                        int except) {
  RequestNodes members;
  const auto& attributes = EntityAt(input.file, embedding.entity).attributes;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (static_cast<int>(i) == embedding.map_by) continue;
    const LabAttributeRef ref = {embedding.entity, static_cast<int>(i)};
    RequestNodes member;
    AppendText(QuotedName(attributes[i].name), member);
    AppendAttributeValue(input.file, ref, {role, Source::kNewValue}, member);
    AppendWhere({.role = role, .has = IfCanBeAbsent(input.file, {ref})}, std::move(member),
                members);
  }
  for (const LabEmbedding& inner : input.layout.embeddings) {
    if (inner.parent != embedding.entity) continue;
    RequestNodes member;
    AppendText(QuotedName(inner.attribute), member);
    AppendChildList(input, inner, {.parent_role = role, .except = except}, member);
    members.push_back({RequestJoined{.members = std::move(member)}});
  }
  RequestNodes nodes;
  AppendText(R"({"M":{)", nodes);
  nodes.push_back({RequestJoined{.between = ",", .members = std::move(members)}});
  AppendText("}}", nodes);
  return nodes;
}

}  // namespace

bool IsPrimaryKeyOf(const LabTable& table, const std::string& attribute) {
  return std::ranges::find(table.hash, attribute) != table.hash.end() ||
         std::ranges::find(table.range, attribute) != table.range.end();
}

void AppendAttributeValue(const LabFile& file, LabAttributeRef attribute, const RoleSource& from,
                          RequestNodes& nodes) {
  const LabType type = LabAttributeAt(file, attribute).type;
  const bool is_vector = type == LabType::kVector;
  const std::string quote = type == LabType::kBool ? "" : "\"";
  AppendText("{\"" + std::string(TypeTag(type)) + "\":" + (is_vector ? "[" : quote), nodes);
  AppendSlot({.source = from.source,
              .role = from.role,
              .part = {.attribute = attribute},
              .is_json = is_vector},
             nodes);
  AppendText((is_vector ? "]" : quote) + "}", nodes);
}

void AppendChild(const PlannerInput& input, const LabEmbedding& embedding, int role,
                 RequestNodes& nodes) {
  AppendNodes(ChildNodes(input, embedding, role, kLabNone), nodes);
}

void AppendChildList(const PlannerInput& input, const LabEmbedding& embedding,
                     const ChildListRoles& roles, RequestNodes& nodes) {
  const bool has_role = roles.child_role != kLabNone;
  const int role = has_role ? roles.child_role : std::max(kFirstChildRole, roles.parent_role + 1);
  const bool is_map = embedding.map_by != kLabNone;
  RequestNodes child;
  if (is_map) {
    AppendText("\"", child);
    AppendSlot({.source = Source::kNewValue,
                .role = role,
                .part = {.attribute = {embedding.entity, embedding.map_by}}},
               child);
    AppendText("\":", child);
  }
  AppendNodes(ChildNodes(input, embedding, role, roles.except), child);
  AppendText(is_map ? R"({"M":{)" : R"({"L":[)", nodes);
  if (has_role) {
    nodes.push_back({RequestEach{.between = ",", .role = role, .body = std::move(child)}});
  } else {
    nodes.push_back({RequestChildren{.between = ",",
                                     .role = role,
                                     .of_role = roles.parent_role,
                                     .child_entity = embedding.entity,
                                     .except = roles.except,
                                     .body = std::move(child)}});
  }
  AppendText(is_map ? "}}" : "]}", nodes);
}

bool CanBeAbsent(const LabFile& file, const LabTemplate& text) {
  return std::ranges::any_of(text.parts, [&](const LabTemplatePart& part) {
    return part.attribute.entity != kLabNone && CanBeAbsent(file, part.attribute);
  });
}

bool CanBeAbsent(const LabFile& file, LabAttributeRef attribute) {
  const LabAttribute& described = LabAttributeAt(file, attribute);
  if (described.present < 1) return true;
  if (described.generator.kind == LabGenerator::Kind::kTemplate &&
      CanBeAbsent(file, described.generator.text_template)) {
    return true;
  }
  for (const LabPattern& pattern : file.patterns) {
    for (const LabWrite& write : pattern.writes) {
      if (write.entity != attribute.entity) continue;
      for (const LabChange& change : write.changes) {
        if (change.kind == LabChange::Kind::kRemove && change.attribute == attribute.attribute) {
          return true;
        }
      }
    }
  }
  return false;
}

std::vector<const LabEmbedding*> EmbeddedIn(const PlannerInput& input, const LabItem& item) {
  std::vector<const LabEmbedding*> found;
  if (item.attributes.has_value()) return found;
  for (const LabEmbedding& embedding : input.layout.embeddings) {
    if (embedding.parent == item.entity) found.push_back(&embedding);
  }
  return found;
}

std::vector<LabAttributeRef> StoredAttributes(const PlannerInput& input, const LabItem& item) {
  std::vector<LabAttributeRef> attributes;
  if (item.attributes.has_value()) {
    attributes = *item.attributes;
  } else {
    const auto own = static_cast<int>(EntityAt(input.file, item.entity).attributes.size());
    for (int i = 0; i < own; ++i) attributes.push_back({item.entity, i});
    for (int entity = EntityAt(input.file, item.entity).parent; entity != kLabNone;
         entity = EntityAt(input.file, entity).parent) {
      attributes.push_back({entity, 0});
      if (EntityAt(input.file, entity).identity_is_global) break;
    }
  }
  // Of two attributes of one name, the first counts.
  std::vector<std::string_view> names;
  for (const LabItemKey& key : item.keys) names.push_back(key.attribute);
  std::erase_if(attributes, [&](LabAttributeRef ref) {
    const std::string& name = LabAttributeAt(input.file, ref).name;
    if (std::ranges::find(names, name) != names.end()) return true;
    names.push_back(name);
    return false;
  });
  return attributes;
}

void AppendAttributesOf(const LabTemplate& text, std::vector<LabAttributeRef>& attributes) {
  for (const LabTemplatePart& part : text.parts) {
    if (part.attribute.entity != kLabNone) attributes.push_back(part.attribute);
  }
}

void AppendAttributesOf(const std::vector<LabCondition>& conditions,
                        std::vector<LabAttributeRef>& attributes) {
  for (const LabCondition& condition : conditions) attributes.push_back(condition.attribute);
}

RoleCondition ConditionOfItem(const PlannerInput& input, const LabItem& item, int role) {
  RoleCondition condition = {.role = role, .when = item.when};
  for (const LabItemKey& key : item.keys) {
    if (!IsPrimaryKeyOf(TableOfItem(input.layout, item), key.attribute)) continue;
    condition.when.insert(condition.when.end(), key.when.begin(), key.when.end());
    AddAttributes(input.file, key.text, condition.has);
  }
  return condition;
}

RoleCondition ConditionOfKey(const PlannerInput& input, const LabItemKey& key, int role) {
  RoleCondition condition = {.role = role, .when = key.when};
  AddAttributes(input.file, key.text, condition.has);
  return condition;
}

void AppendTemplateValue(const PlannerInput& input, const LabItem& item, const LabItemKey& key,
                         const RoleSource& from, RequestNodes& nodes) {
  const auto& types = TableOfItem(input.layout, item).key_types;
  const auto type = types.find(key.attribute);
  const LabType written = type == types.end() ? LabType::kString : type->second;
  AppendText("{\"" + std::string(TypeTag(written)) + "\":\"", nodes);
  AppendKeyTemplate(key.text, from.role, from.source, nodes);
  AppendText("\"}", nodes);
}

void AppendPrimaryKey(const PlannerInput& input, const LabItem& item, const RoleSource& from,
                      RequestNodes& nodes) {
  std::string before = "{";
  for (const LabItemKey& key : item.keys) {
    if (!IsPrimaryKeyOf(TableOfItem(input.layout, item), key.attribute)) continue;
    AppendText(before + QuotedName(key.attribute), nodes);
    AppendTemplateValue(input, item, key, from, nodes);
    before = ",";
  }
  AppendText("}", nodes);
}

void AppendItem(const PlannerInput& input, const LabItem& item, int role,
                const std::vector<int>& child_roles, RequestNodes& nodes) {
  const LabTable& table = TableOfItem(input.layout, item);
  std::string before = "{";
  for (const LabItemKey& key : item.keys) {
    RequestNodes member;
    AppendText(before + QuotedName(key.attribute), member);
    AppendTemplateValue(input, item, key, {.role = role, .source = Source::kNewValue}, member);
    before = ",";
    // Without its primary key, there is no item at all (ConditionOfItem).
    RoleCondition condition;
    if (!IsPrimaryKeyOf(table, key.attribute)) condition = ConditionOfKey(input, key, role);
    AppendSometimes(std::move(condition), std::move(member), nodes);
  }
  const bool has_type = KeyOfItem(item, table.type_attribute) != nullptr;
  if (!table.type_attribute.empty() && !has_type) {
    AppendText(before + QuotedName(table.type_attribute) + R"({"S":")" +
                   EntityAt(input.file, item.entity).name + "\"}",
               nodes);
  }
  for (const LabAttributeRef ref : StoredAttributes(input, item)) {
    RequestNodes member;
    AppendText("," + QuotedName(LabAttributeAt(input.file, ref).name), member);
    AppendAttributeValue(input.file, ref, {role, Source::kNewValue}, member);
    AppendSometimes({.role = role, .has = IfCanBeAbsent(input.file, {ref})}, std::move(member),
                    nodes);
  }
  const std::vector<const LabEmbedding*> embedded = EmbeddedIn(input, item);
  for (std::size_t i = 0; i < embedded.size(); ++i) {
    AppendText("," + QuotedName(embedded[i]->attribute), nodes);
    const int child_role = i < child_roles.size() ? child_roles[i] : kLabNone;
    AppendChildList(input, *embedded[i], {.parent_role = role, .child_role = child_role}, nodes);
  }
  AppendText("}", nodes);
}

std::vector<LabAttributeRef> HeldAttributes(const PlannerInput& input, const LabItem& item) {
  std::vector<LabAttributeRef> held = StoredAttributes(input, item);
  for (const LabItemKey& key : item.keys) {
    if (key.text.parts.size() != 1) continue;
    const LabTemplatePart& part = key.text.parts.front();
    const bool is_bare = part.literal.empty() && part.attribute.entity != kLabNone &&
                         part.form == LabTemplatePart::Form::kAsIs && part.shards == 0;
    if (is_bare && LabAttributeAt(input.file, part.attribute).name == key.attribute) {
      held.push_back(part.attribute);
    }
  }
  return held;
}

}  // namespace hashrange
