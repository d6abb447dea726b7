#include "lab/language/lab_key_types.h"

#include <algorithm>
#include <optional>
#include <string>

#include "lab/language/lab_names.h"
#include "lab/language/lab_tables.h"
#include "lab/language/lab_templates.h"

namespace hashrange {
namespace {

LabType TypeOfTemplate(const LabFile& file, const LabTemplate& text) {
  if (!IsBarePlaceholder(text)) return LabType::kString;
  return LabAttributeAt(file, text.parts.front().attribute).type;
}

void ReportUnusedKey(const LabLayout& layout, const LabTable& table, const std::string& name,
                     LabReading& reading) {
  std::string where = "the table " + table.name;
  LabPlace place = table.place;
  std::string way_out;
  for (const LabIndex& index : table.indexes) {
    const bool has_it = std::ranges::find(index.hash, name) != index.hash.end() ||
                        std::ranges::find(index.range, name) != index.range.end();
    if (!has_it) continue;
    where = "the index " + index.name;
    place = index.place;
    way_out = "; `" + index.name + ": null` leaves an index of another layout out";
    break;
  }
  reading.Fail(place, "in the layout \"" + layout.name + "\", no item has \"" + name +
                          "\", a key attribute of " + where + way_out);
}

// Reports a template whose type cannot be that of the key.
void CheckType(LabType type, std::optional<LabType> others, const LabItemKey& key,
               LabReading& reading) {
  if (type == LabType::kBool) {
    reading.Fail(key.text.place, "the key \"" + key.attribute +
                                     "\" would be true or false, and a key is a text or a number");
  }
  if (others && *others != type) {
    reading.Fail(key.text.place,
                 "the key \"" + key.attribute +
                     "\" would be a number in one item and a text in another one; a "
                     "number becomes text with a form, such as \"{score:08}\"");
  }
}

// Returns the type of one key attribute, by all items of the table that have it.
LabType TypeOfKey(const LabLayout& layout, int table, const std::string& name,
                  LabReading& reading) {
  std::optional<LabType> type;
  for (const LabItem& item : layout.items) {
    if (item.table != table) continue;
    for (const LabItemKey& key : item.keys) {
      if (key.attribute != name) continue;
      const LabType of_template = TypeOfTemplate(reading.file, key.text);
      CheckType(of_template, type, key, reading);
      type = of_template;
    }
  }
  if (!type) {
    ReportUnusedKey(layout, layout.tables[static_cast<std::size_t>(table)], name, reading);
  }
  return type.value_or(LabType::kString);
}

}  // namespace

void SetKeyTypes(LabLayout& layout, LabReading& reading) {
  for (std::size_t table = 0; table < layout.tables.size(); ++table) {
    for (const std::string& name : AllKeysOf(layout.tables[table])) {
      const LabType type = TypeOfKey(layout, static_cast<int>(table), name, reading);
      layout.tables[table].key_types[name] = type;
    }
  }
}

}  // namespace hashrange
