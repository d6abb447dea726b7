#include "wire/attribute_json.h"

#include "value/value_writer.h"
#include "wire/attribute_reader.h"
#include "wire/attribute_tag.h"

namespace hashrange {
namespace {

// Whether the value has more than `levels` levels of nesting. The recursion ends at `levels`,
// however deep the JSON is.
bool IsDeeperThan(const JsonValue& json, int levels) {
  if (json.type != JsonValue::Type::kObject) return false;
  if (levels == 0) return true;
  for (const JsonMember& tag : json.members()) {
    const auto type = TypeOfTag(tag.name);
    if (type == AttributeType::kL) {
      for (const JsonValue& element : tag.value.elements()) {
        if (IsDeeperThan(element, levels - 1)) return true;
      }
    } else if (type == AttributeType::kM) {
      for (const JsonMember& entry : tag.value.members()) {
        if (IsDeeperThan(entry.value, levels - 1)) return true;
      }
    }
  }
  return false;
}

Error TooDeep(ValidationLayer layer) {
  return Enveloped(layer, ValidationError("Nesting Levels have exceeded supported limits: "
                                          "Attributes in the item have nested levels beyond "
                                          "supported limit"));
}

}  // namespace

Status CheckValueDepth(const JsonValue& json, ValidationLayer layer, int max_levels) {
  return IsDeeperThan(json, max_levels) ? Status(TooDeep(layer)) : Status();
}

Result<ValueView> ReadAttributeValue(const JsonValue& json, ValidationLayer layer, Arena& arena,
                                     int max_levels) {
  HR_RETURN_IF_ERROR(CheckValueDepth(json, layer, max_levels));
  AttributeReader reader(layer, arena);
  ValueView value;
  if (!reader.ReadValue(json, &value)) return std::move(reader).error();
  return value;
}

Result<std::span<Attribute>> ReadAttributes(const JsonValue& json, ValidationLayer layer,
                                            Arena& arena, std::string_view shape_prefix) {
  for (const JsonMember& member : json.members()) {
    if (member.name.empty()) return ValidationError("Empty attribute name");
  }
  for (const JsonMember& member : json.members()) {
    if (IsDeeperThan(member.value, kMaxDepth)) return TooDeep(layer);
  }
  const std::span<Attribute> attributes = arena.NewArray<Attribute>(json.size);
  AttributeReader reader(layer, arena, shape_prefix);
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    const JsonMember& member = json.members()[i];
    attributes[i].name = member.name;
    if (!reader.ReadValue(member.value, &attributes[i].value)) return std::move(reader).error();
  }
  return SortAttributes(attributes);
}

}  // namespace hashrange
