// LayoutModel: what the declarations of a layout say in numbers: how large its items are, in their
// table and in each index, and which share of them a sparse index has. Immutable after it was made;
// any thread.
#pragma once

#include <cstddef>
#include <vector>

#include "lab/language/lab_file.h"
#include "lab/plan/cost/file_model.h"
#include "lab/plan/cost/spread.h"
#include "lab/plan/request/layout_keys.h"

namespace hashrange {

class LayoutModel {
 public:
  // Both outlive the object.
  LayoutModel(const FileModel& model, const LabLayout& layout);

  const FileModel& file_model() const { return model_; }
  const LabLayout& layout() const { return layout_; }

  // Returns the bytes of what a key has of an item of the layout: the whole item, with the children
  // that stand inside of it, or the projection of an index. Of an index, the item is one that is in
  // it.
  const Spread& Bytes(const LabItem& item, LabKey key) const { return At(item, key).whole; }
  // Returns the bytes without the children that stand inside of the item, as a new one has none.
  const Spread& BytesWithoutChildren(const LabItem& item, LabKey key) const {
    return At(item, key).own;
  }

  // Returns the bytes of the item where a call picks one of the children inside of it, which are of
  // `entity`: of a large item more are picked.
  Spread BytesByChild(const LabItem& item, LabKey key, int entity) const;

  // Returns which share of the entity's instances have this item in the key, a sparse index. What
  // `known` are the attributes of counts as met: it is the same for all that are asked for.
  double ShareInKey(const LabItem& item, LabKey key,
                    const std::vector<LabAttributeRef>& known) const;

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
  };

  const KeyBytes& At(const LabItem& item, LabKey key) const;
  Spread AttributeBytes(LabAttributeRef attribute) const;
  Spread EmbeddedBytes(const LabEmbedding& embedding, int picked = kLabNone) const;
  double BytesOfKey(const LabItem& item, const LabItemKey& key, bool is_in_index) const;
  KeyBytes BytesInTable(const LabItem& item) const;
  KeyBytes BytesInIndex(const LabItem& item, const LabIndex& index) const;
  double TypeBytes(const LabItem& item) const;

  const FileModel& model_;
  const LabLayout& layout_;
  std::vector<OfItem> items_ = {};  // of each item of the layout
};

}  // namespace hashrange
