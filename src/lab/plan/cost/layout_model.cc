#include "lab/plan/cost/layout_model.h"

#include <algorithm>
#include <string>

#include "lab/language/lab_facts.h"
#include "lab/plan/request/item_template.h"

namespace hashrange {
namespace {

// Of a list or a map itself, and of each of its elements (docs/service/02-types-and-sizes.md,
// section 7).
constexpr double kContainerBytes = 3;
constexpr double kElementBytes = 1;

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// Returns the bytes of a list or a map without its elements.
double ContainerBytes(const LabEmbedding& embedding) {
  return static_cast<double>(embedding.attribute.size()) + kContainerBytes;
}

}  // namespace

bool HoldsVector(const LabFile& file, const LabLayout& layout, const LabItem& item,
                 const LabVectorIndex& index) {
  const LabAttributeRef vector = StoredAttribute(file, item.entity, index.attribute);
  if (vector.entity == kLabNone) return false;
  if (!index.hash.empty() && KeyOfItem(item, index.hash) == nullptr) return false;
  const std::vector<LabAttributeRef> held = StoredAttributes({file, layout}, item);
  return std::ranges::find(held, vector) != held.end();
}

LayoutModel::LayoutModel(const FileModel& model, const LabLayout& layout)
    : model_(model), layout_(layout) {
  constexpr auto kAll = LabIndex::Projection::kAll;
  for (const LabItem& item : layout.items) {
    const LabTable& table = TableOfItem(layout, item);
    OfItem sizes = {.in_table = BytesInTable(item, VectorCounts::kAsList)};
    for (const LabIndex& index : table.indexes) {
      std::vector<std::string> keys = index.hash;
      keys.insert(keys.end(), index.range.begin(), index.range.end());
      sizes.in_indexes.push_back(
          index.projection == kAll ? sizes.in_table : BytesInIndex(item, keys, index.included));
    }
    for (const LabVectorIndex& index : table.vector_indexes) {
      const KeyBytes entry = index.projection == kAll
                                 ? BytesInTable(item, VectorCounts::kNot)
                                 : BytesInIndex(item, SearchSchemaOf(index), index.included);
      const bool is_member = HoldsVector(model.file(), layout, item, index);
      sizes.in_vector_indexes.push_back(is_member ? entry.whole : Spread());
    }
    if (!table.vector_indexes.empty()) sizes.written = BytesInTable(item, VectorCounts::kAsFloats);
    items_.push_back(std::move(sizes));
  }
}

const LayoutModel::OfItem& LayoutModel::SizesOf(const LabItem& item) const {
  return items_[static_cast<std::size_t>(&item - layout_.items.data())];
}

const LayoutModel::KeyBytes& LayoutModel::At(const LabItem& item, LabKey key,
                                             SizeOfItem size) const {
  const OfItem& sizes = SizesOf(item);
  if (key.index != kLabNone) return sizes.in_indexes[static_cast<std::size_t>(key.index)];
  return size == SizeOfItem::kWritten && sizes.written ? *sizes.written : sizes.in_table;
}

const Spread& LayoutModel::EntryBytes(const LabItem& item, int vector_index) const {
  return SizesOf(item).in_vector_indexes[static_cast<std::size_t>(vector_index)];
}

double LayoutModel::ShareInVectors(const LabItem& item, int vector_index,
                                   const std::vector<LabAttributeRef>& known) const {
  const LabVectorIndex& index =
      TableOfItem(layout_, item).vector_indexes[static_cast<std::size_t>(vector_index)];
  if (!HoldsVector(model_.file(), layout_, item, index)) return 0;
  const LabAttributeRef vector = StoredAttribute(model_.file(), item.entity, index.attribute);
  std::vector<std::string> keys;
  if (!index.hash.empty()) keys.push_back(index.hash);
  return ShareWithAll(item, keys, known) * model_.Present(vector);
}

double LayoutModel::VectorIndexBytes(const LabItem& item) const {
  const std::vector<LabVectorIndex>& indexes = TableOfItem(layout_, item).vector_indexes;
  double bytes = 0;
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    const int number = static_cast<int>(i);
    bytes += ShareInVectors(item, number, {}) *
             (EntryBytes(item, number).Mean() + VectorBytesOf(indexes[i]));
  }
  return bytes;
}

double LayoutModel::ShareInKey(const LabItem& item, LabKey key,
                               const std::vector<LabAttributeRef>& known) const {
  std::vector<std::string> keys = HashOf(layout_, key);
  keys.insert(keys.end(), RangeOf(layout_, key).begin(), RangeOf(layout_, key).end());
  return ShareWithAll(item, keys, known);
}

// Returns which share of the instances has the item, and in it all of the key attributes.
double LayoutModel::ShareWithAll(const LabItem& item, const std::vector<std::string>& keys,
                                 std::vector<LabAttributeRef> counted) const {
  const auto is_new = [&](LabAttributeRef ref) {
    if (std::ranges::find(counted, ref) != counted.end()) return false;
    counted.push_back(ref);
    return true;
  };
  std::vector<LabCondition> conditions = item.when;
  std::vector<LabAttributeRef> attributes;
  for (const std::string& name : keys) {
    const LabItemKey* const own = KeyOfItem(item, name);
    if (own == nullptr) continue;
    conditions.insert(conditions.end(), own->when.begin(), own->when.end());
    AppendAttributesOf(own->text, attributes);
  }
  double share = 1;
  for (const LabCondition& condition : conditions) {
    if (is_new(condition.attribute)) share *= model_.ShareOf(condition);
  }
  for (const LabAttributeRef ref : attributes) {
    if (is_new(ref)) share *= model_.Present(ref);
  }
  return share;
}

Spread LayoutModel::AttributeBytes(LabAttributeRef attribute) const {
  const double name = static_cast<double>(LabAttributeAt(model_.file(), attribute).name.size());
  return (model_.ValueBytes(attribute) + name).WithPresence(model_.Present(attribute));
}

Spread LayoutModel::ChildBytes(const LabEmbedding& embedding) const {
  Spread bytes(kElementBytes + kContainerBytes);
  const auto& attributes = EntityAt(model_.file(), embedding.entity).attributes;
  for (int i = 0; i < static_cast<int>(attributes.size()); ++i) {
    const LabAttributeRef ref = {embedding.entity, i};
    // The key of a map is the name of the element.
    bytes = SumOf(bytes, i == embedding.map_by ? model_.ValueBytes(ref)
                                               : AttributeBytes(ref) + kElementBytes);
  }
  for (const LabEmbedding& inner : layout_.embeddings) {
    if (inner.parent == embedding.entity) bytes = SumOf(bytes, EmbeddedBytes(inner));
  }
  return bytes;
}

// Returns the bytes of the list, or the map, that has all children of one parent; of the parent of
// a picked child where the children, or what is inside of them, are of the entity `picked`.
Spread LayoutModel::EmbeddedBytes(const LabEmbedding& embedding, int picked) const {
  const bool is_by_child =
      picked != kLabNone && IsAncestorOrSelf(model_.file(), embedding.entity, picked);
  const double each = ChildBytes(embedding).Mean();
  const Spread counts = is_by_child ? model_.ChildrenWithSiblings(embedding.entity)
                                    : model_.Children(embedding.entity);
  std::vector<WeightedNumber> sums;
  for (std::size_t i = 0; i < Spread::kParts; ++i) sums.push_back({counts.part(i) * each, 1});
  return Spread::Of(std::move(sums)) + ContainerBytes(embedding);
}

Spread LayoutModel::BytesByChild(const LabItem& item, LabKey key, int entity,
                                 SizeOfItem size) const {
  const LabIndex* const index = IndexOf(layout_, key);
  Spread bytes = BytesWithoutChildren(item, key, size);
  for (const LabEmbedding* const embedding : EmbeddedIn({model_.file(), layout_}, item)) {
    const bool is_held = index == nullptr || index->projection == LabIndex::Projection::kAll ||
                         Contains(index->included, embedding->attribute);
    if (!is_held) continue;
    bytes = SumOf(bytes, EmbeddedBytes(*embedding, entity) + -ContainerBytes(*embedding));
  }
  return bytes;
}

// A key of a sparse index is there only for some items, but for all that are in the index.
double LayoutModel::BytesOfKey(const LabItem& item, const LabItemKey& key, bool is_in_index) const {
  const LabTable& table = TableOfItem(layout_, item);
  const auto type = table.key_types.find(key.attribute);
  const bool is_number = type != table.key_types.end() && type->second == LabType::kNumber;
  double bytes = static_cast<double>(key.attribute.size());
  if (is_number && key.text.parts.size() == 1) {
    bytes += model_.ValueBytes(key.text.parts.front().attribute).Mean();
  } else {
    bytes += model_.TextBytes(key.text);
  }
  if (is_in_index) return bytes;
  for (const LabCondition& condition : key.when) bytes *= model_.ShareOf(condition);
  for (const LabTemplatePart& part : key.text.parts) {
    if (part.attribute.entity != kLabNone) bytes *= model_.Present(part.attribute);
  }
  return bytes;
}

double LayoutModel::TypeBytes(const LabItem& item) const {
  const LabTable& table = TableOfItem(layout_, item);
  const bool is_key = KeyOfItem(item, table.type_attribute) != nullptr;
  if (table.type_attribute.empty() || is_key) return 0;
  return static_cast<double>(table.type_attribute.size() +
                             EntityAt(model_.file(), item.entity).name.size());
}

LayoutModel::KeyBytes LayoutModel::BytesInTable(const LabItem& item, VectorCounts counts) const {
  const std::vector<LabVectorIndex>& vectors = TableOfItem(layout_, item).vector_indexes;
  Spread bytes(TypeBytes(item));
  for (const LabItemKey& key : item.keys) bytes = bytes + BytesOfKey(item, key, false);
  for (const LabAttributeRef ref : HeldAttributes({model_.file(), layout_}, item)) {
    const std::string& name = LabAttributeAt(model_.file(), ref).name;
    if (KeyOfItem(item, name) != nullptr) continue;
    const auto index = std::ranges::find(vectors, name, &LabVectorIndex::attribute);
    if (index == vectors.end() || counts == VectorCounts::kAsList) {
      bytes = SumOf(bytes, AttributeBytes(ref));
    } else if (counts == VectorCounts::kAsFloats) {
      bytes = SumOf(bytes, Spread(VectorBytesOf(*index)).WithPresence(model_.Present(ref)));
    }
  }
  KeyBytes sizes = {.own = bytes, .whole = bytes};
  for (const LabEmbedding* const embedding : EmbeddedIn({model_.file(), layout_}, item)) {
    sizes.own = sizes.own + ContainerBytes(*embedding);
    sizes.whole = SumOf(sizes.whole, EmbeddedBytes(*embedding));
  }
  return sizes;
}

LayoutModel::KeyBytes LayoutModel::BytesInIndex(const LabItem& item,
                                                const std::vector<std::string>& keys,
                                                const std::vector<std::string>& included) const {
  const LabTable& table = TableOfItem(layout_, item);
  Spread bytes;
  for (const LabItemKey& key : item.keys) {
    const bool is_key = IsPrimaryKeyOf(table, key.attribute) || Contains(keys, key.attribute);
    if (is_key || Contains(included, key.attribute)) {
      bytes = bytes + BytesOfKey(item, key, is_key);
    }
  }
  if (Contains(included, table.type_attribute)) bytes = bytes + TypeBytes(item);
  for (const LabAttributeRef ref : HeldAttributes({model_.file(), layout_}, item)) {
    const std::string& name = LabAttributeAt(model_.file(), ref).name;
    if (KeyOfItem(item, name) == nullptr && Contains(included, name)) {
      bytes = SumOf(bytes, AttributeBytes(ref));
    }
  }
  KeyBytes sizes = {.own = bytes, .whole = bytes};
  for (const LabEmbedding* const embedding : EmbeddedIn({model_.file(), layout_}, item)) {
    if (!Contains(included, embedding->attribute)) continue;
    sizes.own = sizes.own + ContainerBytes(*embedding);
    sizes.whole = SumOf(sizes.whole, EmbeddedBytes(*embedding));
  }
  return sizes;
}

}  // namespace hashrange
