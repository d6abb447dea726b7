#include "value/number.h"
#include "wire/attribute_json.h"

namespace hashrange {
namespace {

void WriteNumber(std::string_view open, std::string_view stored, std::string_view close,
                 JsonWriter& writer) {
  char text[Number::kMaxTextBytes];
  const auto size = static_cast<std::size_t>(WriteNumberText(stored, text));
  writer.Wrapped(open, {text, size}, close);
}

void WriteSet(ValueView set, JsonWriter& writer) {
  writer.BeginObject();
  writer.Name(TagOf(set.type));
  writer.BeginArray();
  for (SetReader members(set); !members.done();) {
    const std::string_view member = members.Next();
    switch (set.type) {
      case AttributeType::kNS:
        WriteNumber({}, member, {}, writer);
        break;
      case AttributeType::kBS:
        writer.Base64(member);
        break;
      default:
        writer.String(member);
    }
  }
  writer.EndArray();
  writer.EndObject();
}

void WriteList(ValueView list, JsonWriter& writer) {
  writer.BeginObject();
  writer.Name("L");
  writer.BeginArray();
  for (ListReader elements(list); !elements.done();) {
    WriteAttributeValue(elements.Next(), writer);
  }
  writer.EndArray();
  writer.EndObject();
}

void WriteMap(ValueView map, JsonWriter& writer) {
  writer.BeginObject();
  writer.Name("M");
  writer.BeginObject();
  for (MapReader entries(map); !entries.done();) {
    const Attribute entry = entries.Next();
    writer.Name(entry.name);
    WriteAttributeValue(entry.value, writer);
  }
  writer.EndObject();
  writer.EndObject();
}

}  // namespace

void WriteAttributeValue(ValueView value, JsonWriter& writer) {
  switch (value.type) {
    case AttributeType::kS:
      return writer.Wrapped("{\"S\":", value.bytes(), "}");
    case AttributeType::kN:
      return WriteNumber("{\"N\":", value.bytes(), "}", writer);
    case AttributeType::kB:
      writer.BeginObject();
      writer.Name("B");
      writer.Base64(value.bytes());
      return writer.EndObject();
    case AttributeType::kBool:
      return writer.Raw(value.boolean() ? "{\"BOOL\":true}" : "{\"BOOL\":false}");
    case AttributeType::kNull:
      return writer.Raw("{\"NULL\":true}");
    case AttributeType::kSS:
    case AttributeType::kNS:
    case AttributeType::kBS:
      return WriteSet(value, writer);
    case AttributeType::kL:
      return WriteList(value, writer);
    case AttributeType::kM:
      return WriteMap(value, writer);
  }
}

void WriteAttributes(std::span<const Attribute> attributes, JsonWriter& writer) {
  writer.BeginObject();
  for (const Attribute& attribute : attributes) {
    writer.Name(attribute.name);
    WriteAttributeValue(attribute.value, writer);
  }
  writer.EndObject();
}

void WriteItem(ItemView item, JsonWriter& writer) {
  writer.BeginObject();
  item.ForEach([&](const Attribute& attribute) {
    writer.Name(attribute.name);
    WriteAttributeValue(attribute.value, writer);
  });
  writer.EndObject();
}

}  // namespace hashrange
