// LayoutModel: what the declarations of a layout say in numbers: how large its items are, in their
// table and in each index, and which share of them a sparse index has. Immutable after it was made;
// any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/language/lab_file.h"
#include "lab/plan/cost/file_model.h"
#include "lab/plan/cost/spread.h"
#include "lab/plan/request/layout_keys.h"

namespace hashrange {

// As what an item's size counts: a vector of a vector index counts less where the item is written
// or stored than where it is read (docs/service/15-vector-search.md, section 8).
enum class SizeOfItem : std::uint8_t { kRead, kWritten };

class LayoutModel {
 public:
  // Both outlive the object.
  LayoutModel(const FileModel& model, const LabLayout& layout);

  const FileModel& file_model() const { return model_; }
  const LabLayout& layout() const { return layout_; }

  // Returns the bytes of what a key has of an item of the layout: the whole item, with the children
  // that stand inside of it, or the projection of an index. Of an index, the item is one that is in
  // it.
  const Spread& Bytes(const LabItem& item, LabKey key, SizeOfItem size = SizeOfItem::kRead) const {
    return At(item, key, size).whole;
  }
  // Returns the bytes without the children that stand inside of the item, as a new one has none.
  const Spread& BytesWithoutChildren(const LabItem& item, LabKey key,
                                     SizeOfItem size = SizeOfItem::kRead) const {
    return At(item, key, size).own;
  }

  // Returns the bytes of the item where a call picks one of the children inside of it, which are of
  // `entity`: of a large item more are picked.
  Spread BytesByChild(const LabItem& item, LabKey key, int entity,
                      SizeOfItem size = SizeOfItem::kRead) const;

  // Returns the bytes of the item's entry in a vector index of its table, by the index's number,
  // without the vector; 0 where the item has no entry.
  const Spread& EntryBytes(const LabItem& item, int vector_index) const;
  // Returns which share of the entity's instances have such an entry, as ShareInKey does.
  double ShareInVectors(const LabItem& item, int vector_index,
                        const std::vector<LabAttributeRef>& known) const;

  // Returns which share of the entity's instances have this item in the key, a sparse index. What
  // `known` are the attributes of counts as met: it is the same for all that are asked for.
  double ShareInKey(const LabItem& item, LabKey key,
                    const std::vector<LabAttributeRef>& known) const;

  // Returns what the vector indexes of its table hold of an instance of the item, on average.
  double VectorIndexBytes(const LabItem& item) const;

  // Returns the bytes that one child adds to the item that it stands inside of.
  Spread ChildBytes(const LabEmbedding& embedding) const;

 private:
  struct KeyBytes {
    Spread own = {};
    Spread whole = {};
  };
  struct OfItem {
    KeyBytes in_table = {};
    std::vector<KeyBytes> in_indexes = {};
    // Of a table with vector indexes.
    std::optional<KeyBytes> written = {};
    std::vector<Spread> in_vector_indexes = {};
  };
  // How a vector counts that is the attribute of a vector index.
  enum class VectorCounts : std::uint8_t { kAsList, kAsFloats, kNot };

  const OfItem& SizesOf(const LabItem& item) const;
  const KeyBytes& At(const LabItem& item, LabKey key, SizeOfItem size) const;
  double ShareWithAll(const LabItem& item, const std::vector<std::string>& keys,
                      std::vector<LabAttributeRef> known) const;
  Spread AttributeBytes(LabAttributeRef attribute) const;
  Spread EmbeddedBytes(const LabEmbedding& embedding, int picked = kLabNone) const;
  double BytesOfKey(const LabItem& item, const LabItemKey& key, bool is_in_index) const;
  KeyBytes BytesInTable(const LabItem& item, VectorCounts counts) const;
  // `keys` are the attributes of the index's key, and `included` what else it projects.
  KeyBytes BytesInIndex(const LabItem& item, const std::vector<std::string>& keys,
                        const std::vector<std::string>& included) const;
  double TypeBytes(const LabItem& item) const;

  const FileModel& model_;
  const LabLayout& layout_;
  std::vector<OfItem> items_ = {};  // of each item of the layout
};

// Returns the bytes of a vector in its index, and in an item that is written or stored.
inline double VectorBytesOf(const LabVectorIndex& index) {
  constexpr int kFloatBytes = 4;
  return static_cast<double>(index.attribute.size()) + kFloatBytes * index.dimensions;
}

// Returns whether the item has the attribute of the vector index.
bool HoldsVector(const LabFile& file, const LabLayout& layout, const LabItem& item,
                 const LabVectorIndex& index);

}  // namespace hashrange
