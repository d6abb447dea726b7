#include "lab/plan/item_images.h"

#include <algorithm>
#include <span>

#include "base/output_buffer.h"
#include "lab/plan/read_question.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

bool HasInstance(const std::vector<InstanceId>& instances, InstanceId id) {
  return std::find(instances.begin(), instances.end(), id) != instances.end();
}

void AddRole(const LabCall& call, int role, std::vector<InstanceId>& instances) {
  const auto& more = call.roles[static_cast<std::size_t>(role)];
  instances.insert(instances.end(), more.begin(), more.end());
}

}  // namespace

ItemImages::ItemImages(const PlannerInput& input, const LayoutPlan& layout, int pattern,
                       const Population& population, const LabCall& call)
    : input_(input), layout_(layout), population_(population), call_(call) {
  const CallShape& shape = layout.shapes[static_cast<std::size_t>(pattern)];
  for (std::size_t i = 0; i < shape.roles.size(); ++i) {
    const CallRole::Source source = shape.roles[i].source;
    if (source == CallRole::Source::kCreated || source == CallRole::Source::kCreatedChildren) {
      AddRole(call, static_cast<int>(i), created_);
    }
  }
  const auto& writes = input.file.patterns[static_cast<std::size_t>(pattern)].writes;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    if (writes[i].kind != LabWrite::Kind::kDelete) continue;
    AddRole(call, shape.writes[i].role, deleted_);
    for (const int child : shape.writes[i].with) AddRole(call, child, deleted_);
  }
  for (const auto& role : call.roles) {
    for (const InstanceId id : role) AddInstance(id);
  }
}

// Adds the items of the instance, or of the ancestor inside of whose item it is.
void ItemImages::AddInstance(InstanceId id) {
  while (const LabEmbedding* const embedding = EmbeddingOf(input_.layout, id.entity)) {
    id = population_.AncestorOf(id, embedding->parent);
  }
  if (HasInstance(added_, id)) return;
  added_.push_back(id);
  for (const StoredItem& stored : layout_.items) {
    if (stored.entity != id.entity) continue;
    if (!HasInstance(created_, id)) AddImage(stored, id, false);
    if (!HasInstance(deleted_, id)) AddImage(stored, id, true);
  }
}

void ItemImages::AddImage(const StoredItem& stored, InstanceId id, bool is_after) {
  LabCall rendered = {.now_epoch_ms = call_.now_epoch_ms};
  rendered.roles.push_back({id});
  for (const int entity : stored.embedded) {
    std::vector<InstanceId> children;
    population_.AppendChildren(id, entity, children);
    std::erase_if(children, [&](InstanceId child) {
      return HasInstance(is_after ? deleted_ : created_, child);
    });
    rendered.roles.push_back(std::move(children));
  }
  if (is_after) {
    // The roles of the call stand behind those of the item, for what the call writes.
    const auto offset = static_cast<int>(rendered.roles.size());
    rendered.roles.insert(rendered.roles.end(), call_.roles.begin(), call_.roles.end());
    rendered.new_values = call_.new_values;
    for (LabNewValue& value : rendered.new_values) value.role += offset;
  }
  std::string text;
  RenderRequest(stored.item, population_, rendered, text);
  if (text.empty()) return;
  const JsonValue* const json = Parse(std::move(text));
  const LabTable* const table = TableNamed(stored.table);
  if (json == nullptr || table == nullptr) return;
  const RenderedItem item(*json);
  ItemImage& image = images_[AddressOf(*table, item)];
  (is_after ? image.after : image.before) = item;
}

const ItemImage* ItemImages::Find(const LabTable& table, const RenderedItem& key) const {
  const auto found = images_.find(AddressOf(table, key));
  return found == images_.end() ? nullptr : &found->second;
}

std::string ItemImages::AddressOf(const LabTable& table, const RenderedItem& key) const {
  OutputBuffer out;
  JsonWriter writer(out);
  writer.BeginArray();
  writer.String(table.name);
  for (const auto* const names : {&table.hash, &table.range}) {
    for (const std::string& name : *names) {
      if (const JsonValue* const value = key.Find(name)) WriteJson(*value, writer);
    }
  }
  writer.EndArray();
  return std::string(out.view());
}

const JsonValue* ItemImages::Parse(std::string text) {
  std::string& kept = texts_.emplace_back(std::move(text));
  const auto json = ParseJson(std::span<char>(kept.data(), kept.size()), arena_);
  return json.ok() ? *json : nullptr;
}

const LabTable* ItemImages::TableNamed(std::string_view name) const {
  const auto& tables = input_.layout.tables;
  const auto found = std::find_if(tables.begin(), tables.end(),
                                  [&](const LabTable& table) { return table.name == name; });
  return found == tables.end() ? nullptr : &*found;
}

}  // namespace hashrange
