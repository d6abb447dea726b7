// Item keys: the checks of a written item's key attributes, of the attributes that its indexes take
// and of the Keys of a request (docs/service/02-types-and-sizes.md, section 6; vector indexes:
// docs/service/15-vector-search.md, section 6), and the position of an item. Pure functions; any
// thread.
#pragma once

#include <span>

#include "base/memory/arena.h"
#include "base/result.h"
#include "engine/engine.h"
#include "engine/table_version.h"
#include "value/attribute_value.h"
#include "value/item.h"
#include "value/key.h"

namespace hashrange {

// Returns the value of the attribute `name`, or null; `attributes` are ascending by name.
const ValueView* FindAttribute(std::span<const Attribute> attributes, std::string_view name);

// Checks the key attributes of an item that is to be stored: none is missing, of another type,
// empty or too long.
// Errors: ValidationException, never enveloped
Status CheckItemKey(const KeySchema& schema, std::span<const Attribute> item);

// Checks the item's attributes that are key attributes of an index, or that a vector index takes:
// none is of another type, no key attribute is empty or too long, and a vector is one. The first
// error is returned. The indexes are checked in the order of TableVersion::indexes.
// Errors: ValidationException, never enveloped
Status CheckIndexKeys(const TableVersion& table, std::span<const Attribute> item);

// Checks the item's keys for the table and its indexes: CheckItemKey, then CheckIndexKeys.
// Errors: ValidationException, never enveloped
Status CheckItemFits(const TableVersion& table, std::span<const Attribute> item);

// Checks the size of an item that is to be stored.
// Errors: ValidationException  the item is larger than 400 KB
Status CheckItemSize(std::span<const Attribute> item);

// Checks that a value of this type may be stored in the attribute `part` of the index's key or
// search schema.
// Errors: ValidationException "… Type mismatch for Index Key <a> Expected: …"; for a vector index
//         "… Attribute '<a>' type mismatch. Expected: …"
Status CheckIndexKeyType(const IndexSchema& index, const KeyPart& part, AttributeType type);

// Checks that the value may be stored in the vector attribute of the vector index: it is a list of
// as many numbers as the index has dimensions, each of which is a 32-bit floating-point number.
// Errors: ValidationException, never enveloped, about the first problem that CheckVector finds
Status CheckVectorValue(const IndexSchema& index, const ValueView& value);

// Checks the item's attributes that the vector index takes: CheckVectorValue, then the types of the
// attributes of its search schema. Attributes that `before` has with the same value are not
// checked. Errors: ValidationException, never enveloped
Status CheckVectorAttributes(const IndexSchema& index, std::span<const Attribute> item,
                             ItemView before);

// Returns whether the attributes have every key attribute, each with a value of its type.
bool HasKey(const KeySchema& schema, std::span<const Attribute> attributes);
// Returns ValidationException "The provided key element does not match the schema".
Error KeyMismatch();
inline constexpr std::string_view kKeyMismatch =
    "The provided key element does not match the schema";

// Checks the Key of a request: it has exactly the key's attributes, each of its type.
// Errors: ValidationException  kKeyMismatch
Status CheckKeyMatchesSchema(const KeySchema& schema, std::span<const Attribute> key);
// Checks that none of the key's values is empty or too long. `key` has every key attribute.
// Errors: ValidationException, never enveloped
Status CheckKeyValues(const KeySchema& schema, std::span<const Attribute> key);
// Checks that one value of a key attribute is not empty and not too long.
// Errors: ValidationException, never enveloped
Status CheckKeyValue(const KeyPart& part, const ValueView& value, bool is_hash);
// Checks the length of one value of a key attribute of a table or an index: at most 2,048 bytes for
// a HASH attribute, 1,024 for a RANGE attribute. A number always passes.
// Errors: ValidationException, never enveloped
Status CheckKeyLength(const ValueView& value, bool is_hash);

// Checks the Key of a request: CheckKeyMatchesSchema, then CheckKeyValues.
// Errors: ValidationException, never enveloped
Status CheckKey(const KeySchema& schema, std::span<const Attribute> key);

// Returns the position of the item with these (checked) key attributes.
Position PositionOf(const KeySchema& schema, std::span<const Attribute> attributes, Arena& arena);

// Returns whether two of the keys have the same attributes with the same values; numbers are
// compared by value. The keys are of one table, whose schema is not needed. `arena` is for
// temporary data, here and below. Cost: O(n log n).
bool HasDuplicateKeys(std::span<const std::span<const Attribute>> keys, Arena& arena);

// Returns whether two of the addresses are of the same item.
// Cost: O(n log n).
bool HasDuplicateAddresses(std::span<const ItemAddress> addresses, Arena& arena);

}  // namespace hashrange
