#include "operation/parameter/item_key.h"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>

#include "base/text/short_text.h"
#include "operation/call/error_texts.h"
#include "value/item.h"
#include "value/number.h"
#include "value/vector.h"

namespace hashrange {
namespace {

constexpr std::string_view kNotValid = "One or more parameter values are not valid. ";
// The texts about what a vector index takes have a full stop here, where other texts have a colon.
constexpr std::string_view kInvalidForVectorIndex = "One or more parameter values were invalid. ";

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

// Returns a number that is no 32-bit floating-point number, "1.5E+39". Such a number has more
// digits before its point than a number may have at all, and so it ends with zeros.
std::string ScientificText(const ValueView& number) {
  char text[Number::kMaxTextBytes];
  const int size = WriteNumberText(number.bytes(), text);
  std::string_view digits(text, static_cast<std::size_t>(size));
  const std::string_view sign = digits.starts_with('-') ? "-" : "";
  digits.remove_prefix(sign.size());
  const std::string exponent = std::to_string(digits.size() - 1);
  digits = digits.substr(0, digits.find_last_not_of('0') + 1);
  const std::string_view point = digits.size() > 1 ? "." : "";
  return Concatenated({sign, digits.substr(0, 1), point, digits.substr(1), "E+", exponent});
}

// Returns the text about a problem of a vector without the name of the index. The service ends some
// of these texts with a full stop and others not.
std::string VectorProblemText(const VectorSchema& vector, const VectorCheck& check) {
  const std::string element = vector.attribute + "[" + std::to_string(check.at) + "]";
  switch (check.problem) {
    case VectorProblem::kNotAList:
      return "Invalid type for parameter " + vector.attribute +
             ", Expected: 32-bit floating point number list";
    case VectorProblem::kWrongLength:
      return "Invalid size for parameter " + vector.attribute +
             ", Expected: " + std::to_string(vector.dimensions) +
             ", Actual: " + std::to_string(check.at);
    case VectorProblem::kNotANumber:
      return Concatenated(
          {"Invalid type for parameter ", element,
           ", Expected: 32-bit floating point number, Actual: ", TypeTag(check.element.type), "."});
    case VectorProblem::kOutOfRange:
      return "Invalid value for parameter " + element +
             ", Value: " + ScientificText(check.element) +
             " is outside valid range [-3.4028235E38, 3.4028235E38].";
    case VectorProblem::kNone:
      break;
  }
  return {};
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
  if (index.is_vector()) {
    return ValidationError(Concatenated(
        {kInvalidForVectorIndex, "Attribute '", part.name, "' type mismatch. Expected: ",
         TypeTag(part.type), ", Actual: ", TypeTag(type), ". IndexName: ", index.name}));
  }
  return InvalidParameters(
      Concatenated({"Type mismatch for Index Key ", part.name, " Expected: ", TypeTag(part.type),
                    " Actual: ", TypeTag(type), " IndexName: ", index.name}));
}

Status CheckVectorValue(const IndexSchema& index, const ValueView& value) {
  const VectorCheck check = CheckVector(value, index.vector->dimensions);
  if (check.problem == VectorProblem::kNone) return {};
  return ValidationError(
      Concatenated({kInvalidForVectorIndex, VectorProblemText(*index.vector, check),
                    " IndexName: ", index.name}));
}

Status CheckVectorAttributes(const IndexSchema& index, std::span<const Attribute> item,
                             ItemView before) {
  const auto find_new = [&](std::string_view name) {
    const ValueView* const value = FindAttribute(item, name);
    return value && before.Find(name) != *value ? value : nullptr;
  };
  if (const ValueView* vector = find_new(index.vector->attribute)) {
    HR_RETURN_IF_ERROR(CheckVectorValue(index, *vector));
  }
  for (const auto* parts : {&index.key.hash, &index.vector->filters}) {
    for (const KeyPart& part : *parts) {
      const ValueView* value = find_new(part.name);
      if (value) HR_RETURN_IF_ERROR(CheckIndexKeyType(index, part, value->type));
    }
  }
  return {};
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
    if (index.schema.is_vector()) {
      HR_RETURN_IF_ERROR(CheckVectorAttributes(index.schema, item, ItemView()));
    }
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

bool HasKey(const KeySchema& schema, std::span<const Attribute> attributes) {
  for (std::size_t i = 0; i < schema.parts(); ++i) {
    const ValueView* value = FindAttribute(attributes, schema.part(i).name);
    if (!value || value->type != schema.part(i).type) return false;
  }
  return true;
}

Error KeyMismatch() { return ValidationError(std::string(kKeyMismatch)); }

Status CheckKeyMatchesSchema(const KeySchema& schema, std::span<const Attribute> key) {
  const bool matches = key.size() == schema.parts() && HasKey(schema, key);
  return matches ? Status() : Status(KeyMismatch());
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

namespace {

bool SameKey(std::span<const Attribute> a, std::span<const Attribute> b) {
  return std::ranges::equal(a, b, [](const Attribute& x, const Attribute& y) {
    return x.name == y.name && x.value == y.value;
  });
}

std::uint64_t DigestOfKey(std::span<const Attribute> key) {
  std::uint64_t digest = key.size();
  for (const Attribute& attribute : key) {
    digest = digest * 0x9e3779b97f4a7c15 + std::hash<std::string_view>()(attribute.value.bytes());
  }
  return digest;
}

}  // namespace

bool HasDuplicateKeys(std::span<const std::span<const Attribute>> keys, Arena& arena) {
  struct Entry {
    std::uint64_t digest;
    std::size_t index;
  };
  const auto entries = arena.NewArray<Entry>(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) entries[i] = {DigestOfKey(keys[i]), i};
  std::ranges::sort(entries, {}, &Entry::digest);
  // Equal keys have equal digests, so they are in one run of equal digests.
  for (std::size_t i = 0; i < entries.size(); ++i) {
    for (std::size_t j = i + 1; j < entries.size() && entries[j].digest == entries[i].digest; ++j) {
      if (SameKey(keys[entries[i].index], keys[entries[j].index])) return true;
    }
  }
  return false;
}

bool HasDuplicateAddresses(std::span<const ItemAddress> addresses, Arena& arena) {
  const auto sorted = arena.Copy(addresses);
  const auto less = [](const ItemAddress& a, const ItemAddress& b) {
    const Table* x = a.table->table.get();
    const Table* y = b.table->table.get();
    return x != y ? std::less<>()(x, y) : a.position < b.position;
  };
  std::ranges::sort(sorted, less);
  return std::ranges::adjacent_find(sorted, [](const ItemAddress& a, const ItemAddress& b) {
           return a.table->table == b.table->table && a.position == b.position;
         }) != sorted.end();
}

}  // namespace hashrange
