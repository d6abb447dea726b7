#include "base/text/text_encodings.h"
#include "value/number.h"
#include "wire/attribute_json.h"
#include "wire/json_text.h"

namespace hashrange {
namespace {

// Where the texts of a value are stored: in an item's block, padding follows them.
enum class Place { kAnywhere, kInItem };

template <Place kPlace>
char* PutText(std::string_view text, char* out) {
  if constexpr (kPlace == Place::kInItem) return PutPaddedQuoted(text, out);
  return PutQuoted(text, out);
}
static_assert(Item::kPadding >= kTextPadding);

// The room in bytes for the JSON around a scalar: {"BOOL":false} or shorter, a comma, and padding.
constexpr std::size_t kScalarFrame = 16 + kTextPadding;

std::size_t ScalarRoom(ValueView value) {
  switch (value.type) {
    case AttributeType::kS:
      return QuotedRoom(value.bytes()) + kScalarFrame;
    case AttributeType::kN:
      return Number::kMaxTextBytes + kScalarFrame;
    case AttributeType::kB:
      return Base64Length(value.size) + kScalarFrame;
    default:
      return kScalarFrame;
  }
}

char* PutNumber(std::string_view stored, char* out) {
  *out++ = '"';
  out += WriteNumberText(stored, out);
  *out++ = '"';
  return out;
}

char* PutBinary(std::string_view bytes, char* out) {
  *out++ = '"';
  EncodeBase64(bytes, out);
  out += Base64Length(bytes.size());
  *out++ = '"';
  return out;
}

// `out` has ScalarRoom(value) bytes of room.
template <Place kPlace>
char* PutScalar(ValueView value, char* out) {
  switch (value.type) {
    case AttributeType::kS:
      out = PutText<kPlace>(value.bytes(), PutLiteral("{\"S\":", out));
      break;
    case AttributeType::kN:
      out = PutNumber(value.bytes(), PutLiteral("{\"N\":", out));
      break;
    case AttributeType::kB:
      out = PutBinary(value.bytes(), PutLiteral("{\"B\":", out));
      break;
    case AttributeType::kBool:
      out =
          value.boolean() ? PutLiteral("{\"BOOL\":true", out) : PutLiteral("{\"BOOL\":false", out);
      break;
    default:
      out = PutLiteral("{\"NULL\":true", out);
  }
  *out++ = '}';
  return out;
}

bool IsScalar(AttributeType type) {
  return type == AttributeType::kS || type == AttributeType::kN || type == AttributeType::kB ||
         type == AttributeType::kBool || type == AttributeType::kNull;
}

// Replaces the comma that the last member has left, if any, by `close`.
void CloseList(std::string_view close, OutputBuffer& out) {
  if (out.view().back() == ',') out.Truncate(out.size() - 1);
  out.Append(close);
}

template <Place kPlace>
void AppendCollection(ValueView value, OutputBuffer& out);

// Appends the value and a comma.
template <Place kPlace>
void AppendElement(ValueView value, OutputBuffer& out) {
  if (IsScalar(value.type)) {
    char* const end = PutScalar<kPlace>(value, out.Reserve(ScalarRoom(value)));
    *end = ',';
    return out.EndAt(end + 1);
  }
  AppendCollection<kPlace>(value, out);
  out.Append(',');
}

// Appends "name":{…},
template <Place kPlace>
void AppendMember(const Attribute& member, OutputBuffer& out) {
  const std::size_t name_room = QuotedRoom(member.name) + 1 + kTextPadding;
  if (IsScalar(member.value.type)) {
    char* end = PutText<kPlace>(member.name, out.Reserve(name_room + ScalarRoom(member.value)));
    *end++ = ':';
    end = PutScalar<kPlace>(member.value, end);
    *end++ = ',';
    return out.EndAt(end);
  }
  char* const end = PutText<kPlace>(member.name, out.Reserve(name_room));
  *end = ':';
  out.EndAt(end + 1);
  AppendElement<kPlace>(member.value, out);
}

template <Place kPlace>
void AppendSetMembers(ValueView set, OutputBuffer& out) {
  for (SetReader members(set); !members.done();) {
    const std::string_view member = members.Next();
    char* end;
    switch (set.type) {
      case AttributeType::kNS:
        end = PutNumber(member, out.Reserve(Number::kMaxTextBytes + kScalarFrame));
        break;
      case AttributeType::kBS:
        end = PutBinary(member, out.Reserve(Base64Length(member.size()) + kScalarFrame));
        break;
      default:
        end = PutText<kPlace>(member, out.Reserve(QuotedRoom(member) + kScalarFrame));
    }
    *end = ',';
    out.EndAt(end + 1);
  }
}

template <Place kPlace>
void AppendCollection(ValueView value, OutputBuffer& out) {
  switch (value.type) {
    case AttributeType::kL:
      out.Append("{\"L\":[");
      for (ListReader elements(value); !elements.done();)
        AppendElement<kPlace>(elements.Next(), out);
      return CloseList("]}", out);
    case AttributeType::kM:
      out.Append("{\"M\":{");
      for (MapReader entries(value); !entries.done();) AppendMember<kPlace>(entries.Next(), out);
      return CloseList("}}", out);
    case AttributeType::kSS:
      out.Append("{\"SS\":[");
      break;
    case AttributeType::kNS:
      out.Append("{\"NS\":[");
      break;
    default:
      out.Append("{\"BS\":[");
  }
  AppendSetMembers<kPlace>(value, out);
  CloseList("]}", out);
}

}  // namespace

void WriteAttributeValue(ValueView value, JsonWriter& writer) {
  OutputBuffer& out = writer.BeginValue();
  AppendElement<Place::kAnywhere>(value, out);
  out.Truncate(out.size() - 1);
}

void WriteAttributes(std::span<const Attribute> attributes, JsonWriter& writer) {
  OutputBuffer& out = writer.BeginValue();
  out.Append('{');
  for (const Attribute& attribute : attributes) AppendMember<Place::kAnywhere>(attribute, out);
  CloseList("}", out);
}

void WriteItem(ItemView item, JsonWriter& writer) {
  OutputBuffer& out = writer.BeginValue();
  out.Append('{');
  // The key's attributes are the first of an item; their names are stored in the schema, where no
  // padding follows them.
  std::size_t keys = item.exists() ? item.schema().parts() : 0;
  item.ForEach([&](const Attribute& attribute) {
    if (keys == 0) return AppendMember<Place::kInItem>(attribute, out);
    --keys;
    AppendMember<Place::kAnywhere>(attribute, out);
  });
  CloseList("}", out);
}

}  // namespace hashrange
