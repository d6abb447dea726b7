#include "lab/plan/unit_estimate.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "base/memory/output_buffer.h"
#include "lab/language/data/value_text.h"
#include "lab/language/lab_facts.h"
#include "lab/plan/cost/layout_model.h"
#include "value/capacity.h"
#include "value/vector.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

// --- Sizes ---

// Returns the size of an attribute's value.
std::size_t SizeOfAttributeJson(const JsonValue& value) {
  const JsonMember& tagged = value.members().front();
  if (tagged.name == "S") return tagged.value.string().size();
  if (tagged.name == "N") return SizeOfNumberText(tagged.value.string());
  constexpr std::size_t kContainer = 3;
  std::size_t bytes = kContainer;
  if (tagged.name == "L") {
    for (const JsonValue& element : tagged.value.elements()) {
      bytes += 1 + SizeOfAttributeJson(element);
    }
    return bytes;
  }
  if (tagged.name == "M") {
    for (const JsonMember& member : tagged.value.members()) {
      bytes += 1 + member.name.size() + SizeOfAttributeJson(member.value);
    }
    return bytes;
  }
  return 1;  // BOOL
}

// Returns whether two texts of JSON say the same. The order of an object's members does not matter.
bool IsSameJson(const JsonValue& one, const JsonValue& other) {
  if (one.type != other.type) return false;
  switch (one.type) {
    case JsonValue::Type::kString:
      return one.string() == other.string();
    case JsonValue::Type::kArray:
      return one.size == other.size && std::equal(one.elements().begin(), one.elements().end(),
                                                  other.elements().begin(), IsSameJson);
    case JsonValue::Type::kObject:
      return one.size == other.size &&
             std::all_of(one.members().begin(), one.members().end(), [&](const JsonMember& member) {
               const JsonValue* const same = other.Find(member.name);
               return same != nullptr && IsSameJson(member.value, *same);
             });
    default:
      return true;  // of BOOL, whose type says it; items have no other JSON
  }
}

}  // namespace

const JsonValue* RenderedItem::Find(std::string_view attribute) const {
  return json_ == nullptr ? nullptr : json_->Find(attribute);
}

bool RenderedItem::HasAll(const std::vector<std::string>& attributes) const {
  return std::ranges::all_of(attributes,
                             [&](const std::string& one) { return Find(one) != nullptr; });
}

std::size_t RenderedItem::SizeBytes() const {
  if (json_ == nullptr) return 0;
  std::size_t bytes = 0;
  for (const JsonMember& member : json_->members()) {
    bytes += member.name.size() + SizeOfAttributeJson(member.value);
  }
  return bytes;
}

std::size_t RenderedItem::SizeBytesOf(const std::vector<std::string>& attributes) const {
  std::size_t bytes = 0;
  for (const std::string& name : attributes) bytes += SizeBytesOf(name);
  return bytes;
}

std::size_t RenderedItem::SizeBytesOf(const std::string& attribute) const {
  const JsonValue* const value = Find(attribute);
  return value == nullptr ? 0 : attribute.size() + SizeOfAttributeJson(*value);
}

bool RenderedItem::HasSame(const RenderedItem& other,
                           const std::vector<std::string>& attributes) const {
  return std::ranges::all_of(attributes, [&](const std::string& name) {
    const JsonValue* const mine = Find(name);
    const JsonValue* const theirs = other.Find(name);
    if (mine == nullptr || theirs == nullptr) return mine == theirs;
    return IsSameJson(*mine, *theirs);
  });
}

bool RenderedItem::HasSame(const RenderedItem& other) const {
  if (json_ == nullptr || other.json_ == nullptr) return json_ == other.json_;
  return IsSameJson(*json_, *other.json_);
}

namespace {

// --- Images ---

struct ItemImage {
  RenderedItem before = {};
  RenderedItem after = {};
};

struct IsEarlierInstance {
  bool operator()(InstanceId one, InstanceId other) const {
    return std::pair(one.entity, one.number) < std::pair(other.entity, other.number);
  }
};
using InstanceSet = std::set<InstanceId, IsEarlierInstance>;

void AddRole(const LabCall& call, int role, InstanceSet& instances) {
  const auto& more = call.roles[static_cast<std::size_t>(role)];
  instances.insert(more.begin(), more.end());
}

// The items of the instances that one call is about, as they are before and after it. They are
// rendered from what the layout stores, and not from the call's requests.
class ItemImages {
 public:
  // All but the call outlive the object.
  ItemImages(const PlannerInput& input, const LayoutPlan& layout, int pattern,
             const Population& population, const LabCall& call)
      : input_(input),
        layout_(layout),
        population_(population),
        before_{.now_epoch_ms = call.now_epoch_ms},
        after_{.now_epoch_ms = call.now_epoch_ms, .new_values = call.new_values} {
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
      for (const InstanceId id : role) {
        if (id.entity != kLabNone) AddInstance(id);
      }
    }
  }

  // Returns the images of the item that has the key; null when the call is not about it. `key` may
  // have other attributes than the key's.
  const ItemImage* Find(const LabTable& table, const RenderedItem& key) const {
    const auto found = images_.find(AddressOf(table, key));
    return found == images_.end() ? nullptr : &found->second;
  }

  // Returns the JSON of a text that the object keeps; null: it is none.
  const JsonValue* Parse(std::string text) {
    std::string& kept = texts_.emplace_back(std::move(text));
    const auto json = ParseJson(std::span<char>(kept.data(), kept.size()), arena_);
    return json.ok() ? *json : nullptr;
  }

  // Returns the table of that name; null when there is none.
  const LabTable* TableNamed(std::string_view name) const {
    const auto& tables = input_.layout.tables;
    const auto found = std::ranges::find(tables, name, &LabTable::name);
    return found == tables.end() ? nullptr : &*found;
  }

 private:
  // Adds the items of the instance, or of the ancestor inside of whose item it is.
  void AddInstance(InstanceId id) {
    while (const LabEmbedding* const embedding = EmbeddingOf(input_.layout, id.entity)) {
      id = population_.AncestorOf(id, embedding->parent);
    }
    if (!added_.insert(id).second) return;
    for (const StoredItem& stored : layout_.items) {
      if (stored.entity != id.entity) continue;
      if (!created_.contains(id)) AddImage(stored, id, false);
      if (!deleted_.contains(id)) AddImage(stored, id, true);
    }
  }

  void AddImage(const StoredItem& stored, InstanceId id, bool is_after) {
    LabCall& rendered = is_after ? after_ : before_;
    rendered.roles = {{id}};
    for (const int entity : stored.embedded) {
      std::vector<InstanceId> children;
      population_.AppendChildren(id, entity, children);
      std::erase_if(children, [&](InstanceId child) {
        return (is_after ? deleted_ : created_).contains(child);
      });
      rendered.roles.push_back(std::move(children));
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

  std::string AddressOf(const LabTable& table, const RenderedItem& key) const {
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

  const PlannerInput& input_;
  const LayoutPlan& layout_;
  const Population& population_;
  // What an item is rendered with: the roles of its template, and what the call writes.
  LabCall before_;
  LabCall after_;
  InstanceSet created_ = {};
  InstanceSet deleted_ = {};
  InstanceSet added_ = {};
  std::map<std::string, ItemImage> images_ = {};
  std::deque<std::string> texts_ = {};
  Arena arena_;
};

// --- Units ---

constexpr double kTransactionFactor = 2;

std::vector<std::string> KeysOfIndex(const LabTable& table, const LabIndex& index) {
  std::vector<std::string> names = index.hash;
  for (const std::string& name : index.range) AddName(name, names);
  for (const std::string& name : TableKeyOf(table)) AddName(name, names);
  return names;
}

// One entry of an index, or none.
struct IndexEntry {
  bool exists = false;
  std::size_t bytes = 0;
};

// Returns the units that a write takes of one index.
double IndexUnits(const LabTable& table, const LabIndex& index, const ItemImage& image) {
  const std::vector<std::string> keys = KeysOfIndex(table, index);
  const bool has_all = index.projection == LabIndex::Projection::kAll;
  std::vector<std::string> projected = keys;
  if (index.projection == LabIndex::Projection::kInclude) {
    for (const std::string& name : index.included) AddName(name, projected);
  }
  const auto entry_of = [&](const RenderedItem& item) -> IndexEntry {
    if (!item.exists() || !item.HasAll(keys)) return {};
    return {true, has_all ? item.SizeBytes() : item.SizeBytesOf(projected)};
  };
  const IndexEntry before = entry_of(image.before);
  const IndexEntry after = entry_of(image.after);
  const double old_units = before.exists ? WriteUnitsOfSize(before.bytes) : 0;
  const double new_units = after.exists ? WriteUnitsOfSize(after.bytes) : 0;
  if (!before.exists || !after.exists || !image.before.HasSame(image.after, keys)) {
    return old_units + new_units;
  }
  const bool is_same =
      has_all ? image.before.HasSame(image.after) : image.before.HasSame(image.after, projected);
  return is_same ? 0 : std::max(old_units, new_units);
}

// Returns the size of an item that is written: of each vector, by its index.
std::size_t WrittenSizeBytes(const LabTable& table, const RenderedItem& item) {
  double bytes = static_cast<double>(item.SizeBytes());
  const std::vector<LabVectorIndex>& indexes = table.vector_indexes;
  for (auto index = indexes.begin(); index != indexes.end(); ++index) {
    const bool is_counted = std::ranges::find(indexes.begin(), index, index->attribute,
                                              &LabVectorIndex::attribute) != index;
    if (is_counted || item.Find(index->attribute) == nullptr) continue;
    bytes += VectorBytesOf(*index) - static_cast<double>(item.SizeBytesOf(index->attribute));
  }
  return static_cast<std::size_t>(bytes);
}

// Returns the bytes that a write takes of one vector index.
double VectorWriteBytes(const LabTable& table, const LabVectorIndex& index,
                        const ItemImage& image) {
  const bool has_all = index.projection == LabIndex::Projection::kAll;
  std::vector<std::string> projected = TableKeyOf(table);
  for (const std::string& name : SearchSchemaOf(index)) AddName(name, projected);
  for (const std::string& name : index.included) AddName(name, projected);
  const auto bytes_of = [&](const RenderedItem& item) {
    const bool is_in = item.Find(index.attribute) != nullptr &&
                       (index.hash.empty() || item.Find(index.hash) != nullptr);
    if (!is_in) return 0.0;
    const std::size_t others = has_all ? item.SizeBytes() - item.SizeBytesOf(index.attribute)
                                       : item.SizeBytesOf(projected);
    return VectorBytesOf(index) + static_cast<double>(others);
  };
  const double before = bytes_of(image.before);
  const double after = bytes_of(image.after);
  AddName(index.attribute, projected);
  const bool is_same =
      has_all ? image.before.HasSame(image.after) : image.before.HasSame(image.after, projected);
  const bool stays = before > 0 && after > 0 && is_same;
  return stays || before + after == 0 ? 0 : std::max({kLeastVectorRequestBytes, before, after});
}

// Returns the units of a write that is done.
double CommittedUnits(const LabTable& table, const ItemImage& image, double factor) {
  double units = factor * WriteUnitsOfSize(std::max(WrittenSizeBytes(table, image.before),
                                                    WrittenSizeBytes(table, image.after)));
  for (const LabIndex& index : table.indexes) units += IndexUnits(table, index, image);
  return units;
}

// Adds up the requests of one call.
class CallEstimate {
 public:
  CallEstimate(const PlannerInput& input, const LayoutPlan& layout, int pattern,
               const Population& population, const LabCall& call)
      : images_(input, layout, pattern, population, call) {
    const auto& writes = input.file.patterns[static_cast<std::size_t>(pattern)].writes;
    const CallShape& shape = layout.shapes[static_cast<std::size_t>(pattern)];
    for (std::size_t i = 0; i < writes.size(); ++i) {
      for (const InstanceId id : call.roles[static_cast<std::size_t>(shape.writes[i].role)]) {
        if (writes[i].kind == LabWrite::Kind::kCreate || id.entity == kLabNone) continue;
        is_refused_ |= !population.Matches(id, writes[i].conditions);
      }
    }
  }

  // Returns whether the units of the request are known.
  bool Add(const std::string& operation, std::string text) {
    const JsonValue* const json = images_.Parse(std::move(text));
    if (json == nullptr) return false;
    if (operation == "GetItem") return AddGet(*json, IsConsistent(*json) ? 1 : 0.5);
    if (operation == "BatchGetItem") return AddBatchGet(*json);
    if (operation == "TransactGetItems") return AddTransaction(*json);
    if (operation == "BatchWriteItem") return AddBatchWrite(*json);
    if (operation == "TransactWriteItems") return AddTransaction(*json);
    if (operation == "PutItem" || operation == "UpdateItem" || operation == "DeleteItem") {
      return AddWrite(*json, operation == "PutItem", 1);
    }
    return false;
  }

  // Whether a condition of the call does not hold.
  bool is_refused() const { return is_refused_; }
  const CallUnits& units() const { return units_; }

 private:
  static bool IsConsistent(const JsonValue& json) {
    const JsonValue* const consistent = json.Find("ConsistentRead");
    return consistent != nullptr && consistent->type == JsonValue::Type::kTrue;
  }

  const ItemImage* ImageOf(const LabTable* table, const JsonValue* key) const {
    return table == nullptr || key == nullptr ? nullptr : images_.Find(*table, RenderedItem(*key));
  }
  const LabTable* TableOf(const JsonValue& json) const {
    const JsonValue* const name = json.Find("TableName");
    return name == nullptr ? nullptr : images_.TableNamed(name->string());
  }

  bool AddRead(const ItemImage* image, double factor) {
    if (image == nullptr) return false;
    units_.read_units += factor * ReadUnitsOfSize(image->before.SizeBytes());
    return true;
  }
  bool AddGet(const JsonValue& json, double factor) {
    return AddRead(ImageOf(TableOf(json), json.Find("Key")), factor);
  }

  bool AddBatchGet(const JsonValue& json) {
    const JsonValue* const tables = json.Find("RequestItems");
    if (tables == nullptr) return false;
    for (const JsonMember& member : tables->members()) {
      const LabTable* const table = images_.TableNamed(member.name);
      const JsonValue* const keys = member.value.Find("Keys");
      if (keys == nullptr) return false;
      for (const JsonValue& key : keys->elements()) {
        if (!AddRead(ImageOf(table, &key), IsConsistent(member.value) ? 1 : 0.5)) return false;
      }
    }
    return true;
  }

  // A write, or a check, of an item with a key; or, `is_put`, of a whole item.
  bool AddWrite(const JsonValue& json, bool is_put, double factor) {
    return AddImage(TableOf(json), json.Find(is_put ? "Item" : "Key"), factor, !is_refused_);
  }
  bool AddImage(const LabTable* table, const JsonValue* key, double factor, bool is_done) {
    const ItemImage* const image = ImageOf(table, key);
    if (image == nullptr) return false;
    units_.write_units += is_done
                              ? CommittedUnits(*table, *image, factor)
                              : factor * WriteUnitsOfSize(WrittenSizeBytes(*table, image->before));
    for (const LabVectorIndex& index : table->vector_indexes) {
      if (is_done) units_.vector_write_bytes += VectorWriteBytes(*table, index, *image);
    }
    return true;
  }

  bool AddBatchWrite(const JsonValue& json) {
    const JsonValue* const tables = json.Find("RequestItems");
    if (tables == nullptr) return false;
    for (const JsonMember& member : tables->members()) {
      const LabTable* const table = images_.TableNamed(member.name);
      for (const JsonValue& request : member.value.elements()) {
        const JsonValue* const put = request.Find("PutRequest");
        const JsonValue* const deleted = request.Find("DeleteRequest");
        const JsonValue* const key = put != nullptr ? put->Find("Item") : deleted->Find("Key");
        if (!AddImage(table, key, 1, true)) return false;
      }
    }
    return true;
  }

  bool AddTransaction(const JsonValue& json) {
    const JsonValue* const items = json.Find("TransactItems");
    if (items == nullptr) return false;
    for (const JsonValue& item : items->elements()) {
      const JsonMember& action = item.members().front();
      if (action.name == "Get") {
        if (!AddGet(action.value, kTransactionFactor)) return false;
      } else if (action.name == "ConditionCheck") {
        const LabTable* const table = TableOf(action.value);
        if (!AddImage(table, action.value.Find("Key"), kTransactionFactor, false)) return false;
      } else if (!AddWrite(action.value, action.name == "Put", kTransactionFactor)) {
        return false;
      }
    }
    return true;
  }

  ItemImages images_;
  bool is_refused_ = false;
  CallUnits units_ = {};
};

}  // namespace

std::optional<CallUnits> UnitsOfCall(const PlannerInput& input, const LayoutPlan& layout,
                                     const PatternPlan& plan, const Population& population,
                                     const LabCall& call) {
  CallEstimate estimate(input, layout, plan.pattern, population, call);
  // Of several writes, what comes after the refused one is never sent.
  const auto writes =
      std::ranges::count_if(plan.steps, [](const PlanStep& step) { return !step.is_lookup; });
  if (estimate.is_refused() && writes > 1) return std::nullopt;
  LabCall selected = call;
  for (const PlanStep& step : plan.steps) {
    if (IsFetch(step)) return std::nullopt;
    const std::size_t requests = CountRequests(step, call);
    for (std::size_t i = 0; i < requests; ++i) {
      SelectRequest(step, i, selected);
      std::string text;
      RenderRequest(step.request, population, selected, text);
      if (!text.empty() && !estimate.Add(step.request.operation, std::move(text))) {
        return std::nullopt;
      }
    }
  }
  return estimate.units();
}

}  // namespace hashrange
