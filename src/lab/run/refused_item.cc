#include "lab/run/refused_item.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "lab/language/lab_facts.h"
#include "measure/number_text.h"

namespace hashrange {
namespace {

// What a key may be.
struct KeyRule {
  std::string_view kind;
  std::size_t longest;
};
constexpr KeyRule kHashRule = {"partition key", kMostHashKeyBytes};
constexpr KeyRule kRangeRule = {"sort key", kMostRangeKeyBytes};

// Returns what is wrong with the value of a key; empty: nothing.
std::string ValueFault(const JsonValue& json, const std::string& attribute, const KeyRule& rule) {
  const JsonValue* const value = json.Find(attribute);
  const JsonValue* const text = value == nullptr ? nullptr : value->Find("S");
  if (text == nullptr) return {};
  const std::size_t bytes = text->string().size();
  if (bytes == 0) return " is empty, and a " + std::string(rule.kind) + " must not be";
  if (bytes <= rule.longest) return {};
  return " has " + CountText(bytes) + " bytes, and a " + std::string(rule.kind) + " has " +
         CountText(rule.longest) + " at most";
}

// Returns what is wrong with one of the keys, by its attribute.
std::optional<std::string> FirstFault(const LabLayout& layout, const LabItem& stored,
                                      const JsonValue& json, const std::vector<std::string>& keys,
                                      const KeyRule& rule) {
  for (const std::string& attribute : keys) {
    const std::string fault = ValueFault(json, attribute, rule);
    if (fault.empty()) continue;
    std::string sentence = "Layout \"" + layout.name + "\": " + attribute;
    const auto key = std::ranges::find(stored.keys, attribute, &LabItemKey::attribute);
    if (key == stored.keys.end()) return sentence + fault;
    return sentence + ", by the template \"" + key->text.text + "\" in line " +
           std::to_string(key->text.place.line) + "," + fault;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> KeyFault(const LabFile& file, const LabLayout& layout,
                                    const LabItem& stored, const JsonValue& json) {
  const LabTable& table = layout.tables[static_cast<std::size_t>(stored.table)];
  std::vector<std::string> hash = table.hash;
  std::vector<std::string> range = table.range;
  for (const LabIndex& index : table.indexes) {
    hash.insert(hash.end(), index.hash.begin(), index.hash.end());
    range.insert(range.end(), index.range.begin(), index.range.end());
  }
  std::optional<std::string> fault = FirstFault(layout, stored, json, hash, kHashRule);
  if (!fault) fault = FirstFault(layout, stored, json, range, kRangeRule);
  if (!fault) return std::nullopt;
  const std::string& entity = file.entities[static_cast<std::size_t>(stored.entity)].name;
  return "An item of " + entity + " cannot be stored. " + *fault;
}

}  // namespace hashrange
