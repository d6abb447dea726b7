// The keys of a layout: each table's own, and those of its indexes. Pure functions; any thread.
#pragma once

#include <string>
#include <vector>

#include "lab/language/lab_file.h"

namespace hashrange {

// The key of a table, or of one of its indexes.
struct LabKey {
  int table = kLabNone;
  int index = kLabNone;

  friend bool operator==(const LabKey&, const LabKey&) = default;
};

const LabTable& TableOf(const LabLayout& layout, LabKey key);
const LabIndex* IndexOf(const LabLayout& layout, LabKey key);  // null: the table's own key
const std::vector<std::string>& HashOf(const LabLayout& layout, LabKey key);
const std::vector<std::string>& RangeOf(const LabLayout& layout, LabKey key);
// Returns all keys of the layout: each table's own, then the keys of its indexes.
std::vector<LabKey> KeysOf(const LabLayout& layout);

// Returns what an item has in an attribute of a key; null: nothing.
const LabItemKey* KeyOfItem(const LabItem& item, const std::string& attribute);

// Returns the templates of what an item has in the partition key: "CUST#{customer_id}", and of a
// partition key of several attributes one behind the other.
std::string HashTemplate(const LabLayout& layout, LabKey key, const LabItem& item);

}  // namespace hashrange
