// Item keys: what a written item's key attributes, its index keys, and the Key of a
// request must be (docs/service/02-types-and-sizes.md, section 6), and the position they lead to.
#pragma once

#include <span>

#include "base/arena.h"
#include "base/result.h"
#include "engine/table_version.h"
#include "value/attribute_value.h"
#include "value/key.h"

namespace hashrange {

// The value of that name, or null; `attributes` are ascending by name.
const ValueView* FindAttribute(std::span<const Attribute> attributes, std::string_view name);

// What is wrong with the key attributes of an item that is to be stored: one missing, of
// another type, empty, too long.
// Errors: ValidationException, never enveloped
Status CheckItemKey(const KeySchema& schema, std::span<const Attribute> item);

// An item's key attributes that belong to an index: of another type, empty, too long. The
// first in definition order, global indexes before local ones.
// Errors: ValidationException, never enveloped
Status CheckIndexKeys(const TableVersion& table, std::span<const Attribute> item);

// CheckItemKey, then CheckIndexKeys.
// Errors: ValidationException, never enveloped
Status CheckItemFits(const TableVersion& table, std::span<const Attribute> item);

// Errors: ValidationException  the item is larger than 400 KB
Status CheckItemSize(std::span<const Attribute> item);

// The type of what a key attribute of an index is given.
// Errors: ValidationException "… Type mismatch for Index Key <a> Expected: …"
Status CheckIndexKeyType(const IndexSchema& index, const KeyPart& part, AttributeType type);

// The Key of a request: exactly the key's attributes, of their types.
// Errors: ValidationException "The provided key element does not match the schema"
Status CheckKeyMatchesSchema(const KeySchema& schema, std::span<const Attribute> key);
// None of the key's values is empty or too long.
// Errors: ValidationException, never enveloped
Status CheckKeyValues(const KeySchema& schema, std::span<const Attribute> key);
// One value of a key attribute: not empty, not too long.
Status CheckKeyValue(const KeyPart& part, const ValueView& value, bool is_hash);
// 2,048 bytes for a HASH attribute, 1,024 for a RANGE attribute, of a table or an index.
Status CheckKeyLength(const ValueView& value, bool is_hash);

// CheckKeyMatchesSchema, then CheckKeyValues.
Status CheckKey(const KeySchema& schema, std::span<const Attribute> key);

// The position of the item with these (checked) key attributes.
Position PositionOf(const KeySchema& schema, std::span<const Attribute> attributes, Arena& arena);

}  // namespace hashrange
