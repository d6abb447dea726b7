// AttributeValue JSON ⇄ values: {"S":"text"}, {"M":{"a":{"N":"1"}}}.
//
// Reading checks what makes a value valid in itself (docs/service/02-types-and-sizes.md,
// sections 2 to 5): exactly one type, numbers, sets, nesting. The JSON types were checked when the
// request was bound. Values are views into the body and the arena. Pure functions; any thread.
#pragma once

#include <span>
#include <string_view>

#include "base/arena.h"
#include "base/result.h"
#include "value/attribute_value.h"
#include "value/item.h"
#include "wire/json.h"
#include "wire/json_writer.h"
#include "wire/validation_layer.h"

namespace hashrange {

// `max_levels`: the nesting allowed, the value itself being level 1. The older layer takes
// expression values one level deeper than items (docs/service/02-types-and-sizes.md, section 5).
// Errors: ValidationException  in the words and the envelope of `layer`
Result<ValueView> ReadAttributeValue(const JsonValue& json, ValidationLayer layer, Arena& arena,
                                     int max_levels = kMaxDepth);

// A map of names to attribute values (Item, Key, …), ascending by name, of repeated
// names the last.
// Errors: in this order: ValidationException "Empty attribute name" (bare on every layer);
//         too deep; the values, in the order of the request, as above
// `shape_prefix` stands before what refuses a value's shape: no type, several, NULL false,
// an empty SS or BS.
Result<std::span<Attribute>> ReadAttributes(const JsonValue& json, ValidationLayer layer,
                                            Arena& arena, std::string_view shape_prefix = {});

// {"N":"1"}; the members of sets ascending.
void WriteAttributeValue(ValueView value, JsonWriter& writer);
// {"name":{…},…}
void WriteAttributes(std::span<const Attribute> attributes, JsonWriter& writer);
void WriteItem(ItemView item, JsonWriter& writer);

}  // namespace hashrange
