// AttributeValue JSON ⇄ values: {"S":"text"}, {"M":{"a":{"N":"1"}}}.
//
// Reading checks the rules that concern the value alone (docs/service/02-types-and-sizes.md,
// sections 2 to 5): exactly one type, numbers, sets, nesting. The JSON types were checked when the
// request was bound. The values are views into the body and the arena. Pure functions; any thread.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/memory/arena.h"
#include "base/result.h"
#include "value/attribute_value.h"
#include "value/item.h"
#include "wire/json.h"
#include "wire/json_writer.h"
#include "wire/validation_layer.h"

namespace hashrange {

// Checks that the value has at most `max_levels` levels of nesting; the value itself is level 1.
// Errors: ValidationException  in the words and the envelope of `layer`
Status CheckValueDepth(const JsonValue& json, ValidationLayer layer, int max_levels = kMaxDepth);

// Returns one attribute value, after the check of CheckValueDepth. A transaction accepts one level
// more in expression values than in items (docs/service/02-types-and-sizes.md, section 5).
// Errors: ValidationException  in the words and the envelope of `layer`
Result<ValueView> ReadAttributeValue(const JsonValue& json, ValidationLayer layer, Arena& arena,
                                     int max_levels = kMaxDepth);

// Returns a map of names to attribute values (Item, Key, …), ascending by name. Of a repeated
// name the last value counts. `shape_prefix` precedes the messages that refuse the shape of a
// value: no type, several types, NULL false, an empty SS or BS.
// Errors: ValidationException, in this order: "Empty attribute name", which has no envelope on any
//         layer; a value is too deep; the errors of ReadAttributeValue, in the order of the request
Result<std::span<Attribute>> ReadAttributes(const JsonValue& json, ValidationLayer layer,
                                            Arena& arena, std::string_view shape_prefix = {});

// Writes a value: {"N":"1"}. The members of a set are written in ascending order.
void WriteAttributeValue(ValueView value, JsonWriter& writer);
// Each writes {"name":{…},…}; an item that does not exist is {}.
void WriteAttributes(std::span<const Attribute> attributes, JsonWriter& writer);
void WriteItem(ItemView item, JsonWriter& writer);

// Returns the type of a tag, S in {"S": …}. None for any other name: the service ignores such a
// member.
inline std::optional<AttributeType> TypeOfTag(std::string_view tag) {
  const char first = tag.empty() ? '\0' : tag[0];
  if (tag.size() == 1) {
    switch (first) {
      case 'S':
        return AttributeType::kS;
      case 'N':
        return AttributeType::kN;
      case 'B':
        return AttributeType::kB;
      case 'L':
        return AttributeType::kL;
      case 'M':
        return AttributeType::kM;
      default:
        return std::nullopt;
    }
  }
  if (tag.size() == 2 && tag[1] == 'S') {
    switch (first) {
      case 'S':
        return AttributeType::kSS;
      case 'N':
        return AttributeType::kNS;
      case 'B':
        return AttributeType::kBS;
      default:
        return std::nullopt;
    }
  }
  if (tag == "BOOL") return AttributeType::kBool;
  if (tag == "NULL") return AttributeType::kNull;
  return std::nullopt;
}

}  // namespace hashrange
