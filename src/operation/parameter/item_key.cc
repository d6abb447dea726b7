#include "operation/parameter/item_key.h"

#include <algorithm>
#include <string>

#include "base/same_text.h"
#include "operation/call/invalid_parameters.h"
#include "value/item.h"

namespace hashrange {
namespace {

std::string Concatenated(std::initializer_list<std::string_view> pieces) {
  std::string text;
  for (std::string_view piece : pieces) text.append(piece);
  return text;
}

constexpr std::string_view kNotValid = "One or more parameter values are not valid. ";

bool IsEmpty(const ValueView& value) {
  return value.size == 0 && (value.type == AttributeType::kS || value.type == AttributeType::kB);
}

std::string_view StringOrBinary(const ValueView& value) {
  return value.type == AttributeType::kS ? "string" : "binary";
}

Status CheckIndexKeyPart(const IndexSchema& index, const KeyPart& part, const ValueView& value,
                         bool is_hash) {
  HR_RETURN_IF_ERROR(CheckIndexKeyType(index, part, value.type));
  if (IsEmpty(value)) {
    return ValidationError(Concatenated(
        {kNotValid,
         "A value specified for a secondary index key is not supported. The AttributeValue "
         "for a key attribute cannot contain an empty ",
         StringOrBinary(value), " value. IndexName: ", index.name, ", IndexKey: ", part.name}));
  }
  return CheckKeyLength(value, is_hash);
}

}  // namespace

const ValueView* FindAttribute(std::span<const Attribute> attributes, std::string_view name) {
  constexpr std::size_t kMaxScanned = 16;
  if (attributes.size() > kMaxScanned) {
    const auto at = std::ranges::lower_bound(attributes, name, {}, &Attribute::name);
    return at != attributes.end() && at->name == name ? &at->value : nullptr;
  }
  for (const Attribute& attribute : attributes) {
    if (SameText(attribute.name, name)) return &attribute.value;
  }
  return nullptr;
}

Status CheckKeyLength(const ValueView& value, bool is_hash) {
  const std::size_t limit = is_hash ? kMaxHashKeyBytes : kMaxRangeKeyBytes;
  if (value.type == AttributeType::kN || value.size <= limit) return {};
  return InvalidParameters(
      is_hash ? "Size of hashkey has exceeded the maximum size limit of2048 bytes"
              : "Aggregated size of all range keys has exceeded the size limit of 1024 bytes");
}

Status CheckKeyValue(const KeyPart& part, const ValueView& value, bool is_hash) {
  if (IsEmpty(value)) {
    return ValidationError(
        Concatenated({kNotValid, "The AttributeValue for a key attribute cannot contain an empty ",
                      StringOrBinary(value), " value. Key: ", part.name}));
  }
  return CheckKeyLength(value, is_hash);
}

Status CheckIndexKeyType(const IndexSchema& index, const KeyPart& part, AttributeType type) {
  if (type == part.type) return {};
  return InvalidParameters(
      Concatenated({"Type mismatch for Index Key ", part.name, " Expected: ", TypeTag(part.type),
                    " Actual: ", TypeTag(type), " IndexName: ", index.name}));
}

Status CheckItemKey(const KeySchema& schema, std::span<const Attribute> item) {
  for (std::size_t i = 0; i < schema.parts(); ++i) {
    const KeyPart& part = schema.part(i);
    const ValueView* value = FindAttribute(item, part.name);
    if (!value) {
      return InvalidParameters(Concatenated({"Missing the key ", part.name, " in the item"}));
    }
    if (value->type != part.type) {
      return InvalidParameters(
          Concatenated({"Type mismatch for key ", part.name, " expected: ", TypeTag(part.type),
                        " actual: ", TypeTag(value->type)}));
    }
  }
  return CheckKeyValues(schema, item);
}

Status CheckIndexKeys(const TableVersion& table, std::span<const Attribute> item) {
  for (const IndexVersion& index : table.indexes) {
    const KeySchema& key = index.schema.key;
    for (std::size_t i = 0; i < key.parts(); ++i) {
      const ValueView* value = FindAttribute(item, key.part(i).name);
      if (!value) continue;
      HR_RETURN_IF_ERROR(CheckIndexKeyPart(index.schema, key.part(i), *value, i < key.hash.size()));
    }
  }
  return {};
}

Status CheckItemFits(const TableVersion& table, std::span<const Attribute> item) {
  HR_RETURN_IF_ERROR(CheckItemKey(table.key, item));
  return CheckIndexKeys(table, item);
}

Status CheckItemSize(std::span<const Attribute> item) {
  if (ItemSizeBytes(item) <= kMaxItemSizeBytes) return {};
  return ValidationError("Item size has exceeded the maximum allowed size");
}

Status CheckKeyMatchesSchema(const KeySchema& schema, std::span<const Attribute> key) {
  bool matches = key.size() == schema.parts();
  for (std::size_t i = 0; matches && i < schema.parts(); ++i) {
    const ValueView* value = FindAttribute(key, schema.part(i).name);
    matches = value && value->type == schema.part(i).type;
  }
  if (matches) return {};
  return ValidationError("The provided key element does not match the schema");
}

Status CheckKeyValues(const KeySchema& schema, std::span<const Attribute> key) {
  for (std::size_t i = 0; i < schema.parts(); ++i) {
    HR_RETURN_IF_ERROR(CheckKeyValue(schema.part(i), *FindAttribute(key, schema.part(i).name),
                                     i < schema.hash.size()));
  }
  return {};
}

Status CheckKey(const KeySchema& schema, std::span<const Attribute> key) {
  HR_RETURN_IF_ERROR(CheckKeyMatchesSchema(schema, key));
  return CheckKeyValues(schema, key);
}

Position PositionOf(const KeySchema& schema, std::span<const Attribute> attributes, Arena& arena) {
  ValueView parts[kMaxTableKeyParts];
  const std::size_t count = schema.parts();
  for (std::size_t i = 0; i < count; ++i) {
    parts[i] = *FindAttribute(attributes, schema.part(i).name);
  }
  return TablePosition(schema, {parts, count}, arena);
}

}  // namespace hashrange
