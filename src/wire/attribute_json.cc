#include "wire/attribute_json.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/text/text_encodings.h"
#include "value/number.h"
#include "value/value_writer.h"
#include "wire/binder.h"
#include "wire/older_number.h"

namespace hashrange {
namespace {

constexpr std::string_view kInvalidParameter = "One or more parameter values were invalid: ";

bool IsDocument(AttributeType type) {
  return type == AttributeType::kL || type == AttributeType::kM;
}

constexpr unsigned TypeBit(AttributeType type) { return 1u << static_cast<int>(type); }

std::string_view EmptySetText(AttributeType type) {
  switch (type) {
    case AttributeType::kSS:
      return "An string set  may not be empty";
    case AttributeType::kNS:
      return "An number set  may not be empty";
    default:
      return "Binary sets should not be empty";
  }
}

// Calls visit(type, value) for each tag of an attribute value, in the order of the types, and sets
// the type's bit in `*found`. Returns false as soon as a call of visit does.
template <typename Visit>
bool EachTag(const JsonValue& json, unsigned* found, Visit visit) {
  if (json.is_null()) return true;
  if (json.size == 1) {
    const JsonMember& tag = json.members()[0];
    const auto type = TypeOfTag(tag.name);
    if (!type) return true;
    *found = TypeBit(*type);
    return visit(*type, tag.value);
  }
  const JsonValue* values[kAttributeTypes] = {};
  for (const JsonMember& tag : json.members()) {
    const auto type = TypeOfTag(tag.name);
    if (type) values[static_cast<int>(*type)] = &tag.value;
  }
  for (int i = 0; i < kAttributeTypes; ++i) {
    if (!values[i]) continue;
    const auto type = static_cast<AttributeType>(i);
    *found |= TypeBit(type);
    if (!visit(type, *values[i])) return false;
  }
  return true;
}

std::vector<const JsonValue*> NonNullMembers(const JsonValue& set) {
  std::vector<const JsonValue*> members;
  for (const JsonValue& member : set.elements()) {
    if (!member.is_null()) members.push_back(&member);
  }
  return members;
}

// Reads the attribute values of one request. One ValueWriter packs a list or a map with all its
// levels, so that nested values are copied once. The caller has refused values that are too deep,
// which bounds the recursion and the writer's stack.
class AttributeReader {
 public:
  // `shape_prefix` precedes the messages that refuse the shape of a value.
  AttributeReader(ValidationLayer layer, Arena& arena, std::string_view shape_prefix = {})
      : layer_(layer), arena_(arena), shape_prefix_(shape_prefix) {}

  // Stores the value in `*out` and returns true. Returns false when the value is refused: `error()`
  // says why. `*out` points into the JSON text and the arena.
  bool ReadValue(const JsonValue& json, ValueView* out);

  Error&& error() && { return std::move(error_); }

 private:
  // Reads a value of any type but a list or a map.
  bool ReadLeaf(AttributeType type, const JsonValue& json, ValueView* out);
  bool ReadNumber(const JsonValue& json, Number* out);
  bool ReadSet(AttributeType type, const JsonValue& json, ValueView* out);
  bool ReadSetMember(AttributeType type, const JsonValue& json, std::string_view* out);
  std::string_view ReadBinary(const JsonValue& json);

  bool PackValue(const JsonValue& json, ValueWriter& writer);
  bool PackCollection(AttributeType type, const JsonValue& json, ValueWriter& writer);
  bool PackMap(const JsonValue& json, ValueWriter& writer);

  // Returns whether exactly one tag was found: `found` has one bit for each tag. Any other number
  // of tags is refused.
  bool CheckTags(unsigned found);
  // Each returns false and stores the error. Refuse adds the envelope when the layer has one;
  // RefuseBare is for the errors that never have an envelope.
  bool Refuse(std::string message);
  bool RefuseBare(std::string message);
  std::string DuplicateText(AttributeType type, const JsonValue& json);

  const ValidationLayer layer_;
  Arena& arena_;
  const std::string_view shape_prefix_;
  Error error_;
};

bool AttributeReader::Refuse(std::string message) {
  error_ = Enveloped(layer_, ValidationError(std::move(message)));
  return false;
}

bool AttributeReader::RefuseBare(std::string message) {
  error_ = ValidationError(std::move(message));
  return false;
}

bool AttributeReader::CheckTags(unsigned found) {
  if (found != 0 && (found & (found - 1)) == 0) return true;
  if (found == 0) {
    return RefuseBare(std::string(shape_prefix_)
                          .append("Supplied AttributeValue is empty, must contain exactly one of "
                                  "the supported datatypes"));
  }
  return RefuseBare(std::string(shape_prefix_)
                        .append("Supplied AttributeValue has more than one datatypes set, must "
                                "contain exactly one of the supported datatypes"));
}

bool AttributeReader::ReadValue(const JsonValue& json, ValueView* out) {
  unsigned found = 0;
  const auto read = [&](AttributeType type, const JsonValue& value) {
    if (!IsDocument(type)) return ReadLeaf(type, value, out);
    ValueWriter writer(arena_);
    if (!PackCollection(type, value, writer)) return false;
    *out = writer.Finish();
    return true;
  };
  return EachTag(json, &found, read) && CheckTags(found);
}

bool AttributeReader::ReadLeaf(AttributeType type, const JsonValue& json, ValueView* out) {
  switch (type) {
    case AttributeType::kS:
      *out = MakeString(json.string());
      return true;
    case AttributeType::kN: {
      Number number;
      if (!ReadNumber(json, &number)) return false;
      *out = MakeNumber(number, arena_);
      return true;
    }
    case AttributeType::kB:
      *out = ValueView(AttributeType::kB, ReadBinary(json));
      return true;
    case AttributeType::kBool:
      *out = MakeBool(BooleanOf(json).value_or(false));
      return true;
    case AttributeType::kNull:
      *out = MakeNull();
      return BooleanOf(json).value_or(false) ||
             Refuse(std::string(shape_prefix_)
                        .append(kInvalidParameter)
                        .append("Null attribute value types must have the value of true"));
    default:
      return ReadSet(type, json, out);
  }
}

bool AttributeReader::ReadNumber(const JsonValue& json, Number* out) {
  const bool is_older = layer_ == ValidationLayer::kOlder;
  const std::string_view text = json.string();
  const NumberError error = is_older ? ParseOlderNumber(text, out) : Number::Parse(text, out);
  if (error == NumberError::kNone) return true;
  if (is_older && text.empty()) {
    return Refuse("The parameter cannot be converted to a numeric value");
  }
  return Refuse(NumberErrorMessage(error, text));
}

std::string_view AttributeReader::ReadBinary(const JsonValue& json) {
  const std::string_view text = json.string();
  char* const bytes = arena_.AllocateBytes(text.size() / 4 * 3);
  std::size_t size_bytes = 0;
  // The binder has refused texts that cannot be decoded.
  DecodeBase64(text, bytes, &size_bytes);
  return {bytes, size_bytes};
}

bool AttributeReader::ReadSetMember(AttributeType type, const JsonValue& json,
                                    std::string_view* out) {
  switch (type) {
    case AttributeType::kNS: {
      Number number;
      if (!ReadNumber(json, &number)) return false;
      *out = arena_.Copy(number.stored());
      return true;
    }
    case AttributeType::kBS:
      *out = ReadBinary(json);
      return true;
    default:
      *out = json.string();
      return true;
  }
}

bool AttributeReader::ReadSet(AttributeType type, const JsonValue& json, ValueView* out) {
  const std::span<std::string_view> room = arena_.NewArray<std::string_view>(json.size);
  std::size_t count = 0;
  for (const JsonValue& member : json.elements()) {
    if (!member.is_null() && !ReadSetMember(type, member, &room[count++])) return false;
  }
  if (count == 0) {
    // The message for an empty NS has no prefix: the service refuses an empty NS where it checks
    // numbers, not where it checks shapes.
    return Refuse(std::string(type == AttributeType::kNS ? "" : shape_prefix_)
                      .append(kInvalidParameter)
                      .append(EmptySetText(type)));
  }
  const std::span<std::string_view> members = room.first(count);
  if (SortAndFindDuplicate(members)) return Refuse(DuplicateText(type, json));
  *out = MakeSet(type, members, arena_);
  return true;
}

// Returns the message for a set with duplicates (docs/service/02-types-and-sizes.md, section 4).
// The older layer lists the members as sent. The current layer lists the members before the first
// repeat in byte order, then that repeat and all that follow it as sent.
std::string AttributeReader::DuplicateText(AttributeType type, const JsonValue& json) {
  const bool is_older = layer_ == ValidationLayer::kOlder;
  if (type == AttributeType::kNS) {
    if (is_older) return "Input collection contains duplicates";
    return std::string(kInvalidParameter).append("Input collection contains duplicates.");
  }
  std::vector<const JsonValue*> members = NonNullMembers(json);
  const auto bytes_of = [&](const JsonValue* member) {
    return type == AttributeType::kBS ? ReadBinary(*member) : member->string();
  };
  if (!is_older) {
    // When the members are sorted by bytes and position, each repeat follows an equal member. The
    // first repeat as sent is the repeat with the least position.
    std::vector<std::pair<std::string_view, std::size_t>> sorted;
    for (std::size_t i = 0; i < members.size(); ++i) sorted.push_back({bytes_of(members[i]), i});
    std::ranges::sort(sorted);
    std::size_t repeat = members.size();
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      if (sorted[i].first == sorted[i - 1].first) repeat = std::min(repeat, sorted[i].second);
    }
    std::sort(members.begin(), members.begin() + static_cast<std::ptrdiff_t>(repeat),
              [&](const JsonValue* a, const JsonValue* b) { return bytes_of(a) < bytes_of(b); });
  }
  const bool is_binary = type == AttributeType::kBS;
  const std::string_view quote = is_older ? "" : "\"";
  const std::string_view separator = is_binary && !is_older ? "," : ", ";
  std::string text = std::string(kInvalidParameter).append("Input collection [");
  for (const JsonValue* member : members) {
    if (member != members.front()) text.append(separator);
    text.append(quote).append(member->string()).append(quote);
  }
  return text.append(is_binary ? "]of type BS contains duplicates." : "] contains duplicates.");
}

bool AttributeReader::PackValue(const JsonValue& json, ValueWriter& writer) {
  unsigned found = 0;
  // With two tags both values are written; CheckTags then refuses the value, and the caller drops
  // all that was written.
  const auto pack = [&](AttributeType type, const JsonValue& value) {
    if (IsDocument(type)) return PackCollection(type, value, writer);
    ValueView leaf;
    if (!ReadLeaf(type, value, &leaf)) return false;
    writer.Value(leaf);
    return true;
  };
  return EachTag(json, &found, pack) && CheckTags(found);
}

bool AttributeReader::PackCollection(AttributeType type, const JsonValue& json,
                                     ValueWriter& writer) {
  if (type == AttributeType::kM) return PackMap(json, writer);
  writer.BeginList(json.size);
  for (const JsonValue& element : json.elements()) {
    if (!PackValue(element, writer)) return false;
  }
  writer.End();
  return true;
}

bool AttributeReader::PackMap(const JsonValue& json, ValueWriter& writer) {
  const std::span<const JsonMember*> entries = arena_.NewArray<const JsonMember*>(json.size);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    entries[i] = &json.members()[i];
    if (entries[i]->name.empty()) return RefuseBare("Empty attribute name");
  }
  std::ranges::sort(entries, {}, &JsonMember::name);
  writer.BeginMap(json.size);
  for (const JsonMember* entry : entries) {
    writer.Name(entry->name);
    if (!PackValue(entry->value, writer)) return false;
  }
  writer.End();
  return true;
}

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
