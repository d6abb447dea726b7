#include "lab/language/lab_key_sizes.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "lab/language/drawn_sizes.h"
#include "lab/language/lab_names.h"
#include "lab/language/lab_tables.h"

namespace hashrange {
namespace {

std::size_t LeastBytes(const LabFile& file, const LabTemplate& text);

// Returns the fewest bytes that a value of the attribute may have, as far as that is easily known.
// The sources of an attribute lie before it, so this ends.
std::size_t LeastBytes(const LabFile& file, LabAttributeRef attribute) {
  using Kind = LabGenerator::Kind;
  const LabGenerator& generator = LabAttributeAt(file, attribute).generator;
  switch (generator.kind) {
    case Kind::kConstant:
      return generator.text.size();
    case Kind::kTemplate:
      return LeastBytes(file, generator.text_template);
    case Kind::kText:
      return static_cast<std::size_t>(std::clamp(LeastOf(generator.distribution), 0.0, 1e9));
    case Kind::kChoice: {
      const auto shortest = std::ranges::min_element(
          generator.choices, {}, [](const auto& choice) { return choice.value.size(); });
      return shortest == generator.choices.end() ? 0 : shortest->value.size();
    }
    case Kind::kRef:
    case Kind::kOfRef:
    case Kind::kOfAncestor:
      return LeastBytes(file, generator.other);
    default:
      return static_cast<std::size_t>(generator.width);
  }
}

std::size_t LeastBytes(const LabFile& file, const LabTemplate& text) {
  using Form = LabTemplatePart::Form;
  std::size_t bytes = 0;
  for (const LabTemplatePart& part : text.parts) {
    bytes += part.literal.size();
    const bool keeps_value = part.form == Form::kAsIs || part.form == Form::kLower ||
                             part.form == Form::kUpper || part.form == Form::kPrefix;
    if (part.attribute.entity == kLabNone || part.shards > 0 || !keeps_value) continue;
    const std::size_t value = LeastBytes(file, part.attribute);
    const auto width = static_cast<std::size_t>(part.width);
    bytes += part.form == Form::kPrefix ? std::min(width, value) : value;
  }
  return bytes;
}

bool Has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

bool IsHash(const LabTable& table, const std::string& name) {
  return Has(table.hash, name) || std::ranges::any_of(table.indexes, [&](const LabIndex& index) {
           return Has(index.hash, name);
         });
}

bool IsRange(const LabTable& table, const std::string& name) {
  return Has(table.range, name) || std::ranges::any_of(table.indexes, [&](const LabIndex& index) {
           return Has(index.range, name);
         });
}

}  // namespace

void CheckKeySizes(const LabLayout& layout, LabReading& reading) {
  for (const LabItem& item : layout.items) {
    const LabTable& table = layout.tables[static_cast<std::size_t>(item.table)];
    for (const LabItemKey& key : item.keys) {
      const bool is_range = IsRange(table, key.attribute);
      if (!is_range && !IsHash(table, key.attribute)) continue;
      const std::size_t longest = is_range ? kMostRangeKeyBytes : kMostHashKeyBytes;
      const std::size_t least = LeastBytes(reading.file, key.text);
      if (least <= longest) continue;
      reading.Fail(key.text.place, "in the layout \"" + layout.name + "\", " + key.attribute +
                                       " of " + EntityAt(reading.file, item.entity).name +
                                       " would have " + std::to_string(least) +
                                       " bytes or more by the template \"" + key.text.text +
                                       "\", and a " + (is_range ? "sort key" : "partition key") +
                                       " has " + std::to_string(longest) + " at most");
    }
  }
}

}  // namespace hashrange
