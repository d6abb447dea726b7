#include "lab/plan/request/layout_keys.h"

namespace hashrange {

const LabTable& TableOf(const LabLayout& layout, LabKey key) {
  return layout.tables[static_cast<std::size_t>(key.table)];
}

const LabIndex* IndexOf(const LabLayout& layout, LabKey key) {
  if (key.index == kLabNone) return nullptr;
  return &TableOf(layout, key).indexes[static_cast<std::size_t>(key.index)];
}

const std::vector<std::string>& HashOf(const LabLayout& layout, LabKey key) {
  const LabIndex* index = IndexOf(layout, key);
  return index != nullptr ? index->hash : TableOf(layout, key).hash;
}

const std::vector<std::string>& RangeOf(const LabLayout& layout, LabKey key) {
  const LabIndex* index = IndexOf(layout, key);
  return index != nullptr ? index->range : TableOf(layout, key).range;
}

std::vector<LabKey> KeysOf(const LabLayout& layout) {
  std::vector<LabKey> keys;
  for (std::size_t table = 0; table < layout.tables.size(); ++table) {
    keys.push_back({.table = static_cast<int>(table)});
    for (std::size_t index = 0; index < layout.tables[table].indexes.size(); ++index) {
      keys.push_back({.table = static_cast<int>(table), .index = static_cast<int>(index)});
    }
  }
  return keys;
}

const LabItemKey* KeyOfItem(const LabItem& item, const std::string& attribute) {
  for (const LabItemKey& key : item.keys) {
    if (key.attribute == attribute) return &key;
  }
  return nullptr;
}

std::string HashTemplate(const LabLayout& layout, LabKey key, const LabItem& item) {
  std::string text;
  for (const std::string& name : HashOf(layout, key)) {
    if (const LabItemKey* const own = KeyOfItem(item, name)) text += own->text.text;
  }
  return text;
}

}  // namespace hashrange
