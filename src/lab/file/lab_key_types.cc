#include "lab/file/lab_key_types.h"

#include <optional>
#include <string>

#include "lab/file/lab_names.h"
#include "lab/file/lab_tables.h"
#include "lab/file/lab_templates.h"

namespace hashrange {
namespace {

LabType TypeOfTemplate(const LabFile& file, const LabTemplate& text) {
  if (!IsBarePlaceholder(text)) return LabType::kString;
  return AttributeOf(file, text.parts.front().attribute).type;
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
      if (of_template == LabType::kBool) {
        reading.Fail(key.text.place, "the key \"" + name +
                                         "\" would be true or false, and a key is a "
                                         "text or a number");
      }
      if (type && *type != of_template) {
        reading.Fail(key.text.place,
                     "the key \"" + name +
                         "\" would be a number in one item and a text "
                         "in another one; a number becomes text with a form, such as "
                         "\"{score:08}\"");
      }
      type = of_template;
    }
  }
  const LabTable& described = layout.tables[static_cast<std::size_t>(table)];
  if (!type) {
    reading.Fail(described.place, "no item of the table " + described.name +
                                      " has the key attribute \"" + name + "\"");
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
