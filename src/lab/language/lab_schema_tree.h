// The schema of lab files as a tree, and which part of it a value of a lab file is about. A schema
// here is either a leaf or has alternatives (`anyOf`); references, and an `allOf` that only puts a
// description beside one, are followed. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lab/language/lab_document.h"
#include "wire/json.h"

namespace hashrange {

// JSON types, as bits of a mask.
enum SchemaTypes : std::uint8_t {
  kNoSchemaType = 0,
  kNullSchemaType = 1,
  kBooleanSchemaType = 2,
  kIntegerSchemaType = 4,
  kNumberSchemaType = 8,
  kStringSchemaType = 16,
  kArraySchemaType = 32,
  kObjectSchemaType = 64,
  kAnySchemaType = 127,
};

// Returns the whole schema.
const JsonValue& LabSchemaTree();
// Returns what is at a JSON pointer of the schema; null where there is nothing.
const JsonValue* LabSchemaAt(std::string_view pointer);

// Returns all leaves of the schema, in their order.
std::vector<const JsonValue*> SchemaLeaves(const JsonValue& schema);
// Returns the types that a leaf allows: all where it has no `type`.
unsigned TypesOfLeaf(const JsonValue& leaf);
unsigned TypesOfLeaves(const std::vector<const JsonValue*>& leaves);
// Returns the schema of a member, or of elements; null where any value is allowed or none.
const JsonValue* SchemaOfMember(const JsonValue& leaf, std::string_view name);
const JsonValue* SchemaOfElements(const JsonValue& leaf);
// Returns the first required member of a leaf for maps, which says which alternative it is; ""
// where there is none.
std::string_view LeadingMember(const JsonValue& leaf);

// Returns the type that a scalar has where the mask of types is allowed.
unsigned TypeOfScalar(const LabNode& node, unsigned allowed);

// Returns the leaf that fits the node best; null where none fits at all.
const JsonValue* BestLeaf(const std::vector<const JsonValue*>& leaves, const LabNode& node);
// Returns the place of the alternative, in a list of schemas, that has the best leaf; −1 where none
// fits.
int BestAlternative(const JsonValue& alternatives, const LabNode& node);

}  // namespace hashrange
