#include "wire/value_echo.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/lower_case.h"
#include "wire/attribute_tag.h"
#include "wire/json_writer.h"
#include "wire/member_types.h"

namespace hashrange {
namespace {

using Type = JsonValue::Type;

std::string EchoOfNumber(const Shape& shape, const JsonValue& value) {
  if (value.type == Type::kInteger) return std::to_string(value.integer);
  if (shape.kind == ShapeKind::kInteger || shape.kind == ShapeKind::kLong) {
    return std::to_string(static_cast<std::int64_t>(std::floor(value.decimal)));
  }
  OutputBuffer text;
  JsonWriter(text).Double(value.decimal);
  return std::string(text.view());
}

std::string LowerFirst(std::string_view name) {
  std::string text(name);
  if (!text.empty()) text[0] = LowerCase(text[0]);
  return text;
}

// Prints values whose types were checked by MemberTypes.
class JavaPrinter {
 public:
  explicit JavaPrinter(std::string& out) : out_(out) {}

  void Print(const Shape& shape, const JsonValue& value) {
    if (IsFull()) return;
    if (value.is_null()) {
      out_.append("null");
      return;
    }
    switch (shape.kind) {
      case ShapeKind::kList:
        PrintElements(value, [&](const JsonValue& element) { Print(*shape.element, element); });
        return;
      case ShapeKind::kMap:
        PrintEntries(value, [&](const JsonValue& entry) { Print(*shape.element, entry); });
        return;
      case ShapeKind::kStructure:
        PrintStructure(shape, value);
        return;
      case ShapeKind::kAttributeValue:
        PrintAttributeValue(value);
        return;
      default:
        PrintScalar(shape, value);
    }
  }

 private:
  bool IsFull() const { return out_.size() >= kMaxEchoBytes; }

  void PrintScalar(const Shape& shape, const JsonValue& value) {
    if (value.type == Type::kString) {
      out_.append(value.string());
    } else if (shape.kind == ShapeKind::kBoolean) {
      out_.append(BooleanOf(value).value_or(false) ? "true" : "false");
    } else {
      out_.append(EchoOfNumber(shape, value));
    }
  }

  template <typename PrintElement>
  void PrintElements(const JsonValue& list, PrintElement print) {
    out_.push_back('[');
    for (std::size_t i = 0; i < list.size && !IsFull(); ++i) {
      if (i > 0) out_.append(", ");
      print(list.elements()[i]);
    }
    out_.push_back(']');
  }

  template <typename PrintEntry>
  void PrintEntries(const JsonValue& map, PrintEntry print) {
    out_.push_back('{');
    for (std::size_t i = 0; i < map.size && !IsFull(); ++i) {
      if (i > 0) out_.append(", ");
      out_.append(map.members()[i].name).append("=");
      print(map.members()[i].value);
    }
    out_.push_back('}');
  }

  void PrintStructure(const Shape& shape, const JsonValue& value) {
    out_.append(shape.name).append("(");
    for (const ShapeMember& member : shape.members) {
      if (&member != shape.members.data()) out_.append(", ");
      out_.append(member.path).append("=");
      const JsonValue* given = value.Find(member.name);
      Print(*member.shape, given ? *given : JsonValue());
    }
    out_.append(")");
  }

  void PrintAttributeValue(const JsonValue& value) {
    if (IsFull()) return;
    if (value.type == Type::kString) {
      out_.append(value.string());
    } else if (value.type == Type::kArray) {
      PrintElements(value, [&](const JsonValue& element) { PrintAttributeValue(element); });
    } else if (value.type != Type::kObject) {
      out_.append(BooleanOf(value) ? (*BooleanOf(value) ? "true" : "false") : "null");
    } else {
      PrintTagged(value);
    }
  }

  void PrintTagged(const JsonValue& value) {
    out_.append("AttributeValue(");
    bool is_first = true;
    for (const JsonMember& tag : value.members()) {
      if (IsFull()) break;
      // A member of another name is no tag and was never checked: it may be anything.
      if (!TypeOfTag(tag.name)) continue;
      if (!is_first) out_.append(", ");
      is_first = false;
      out_.append(LowerFirst(tag.name)).append("=");
      if (tag.name == "M") {
        PrintEntries(tag.value, [&](const JsonValue& entry) { PrintAttributeValue(entry); });
      } else {
        PrintAttributeValue(tag.value);
      }
    }
    out_.append(")");
  }

  std::string& out_;
};

bool IsCollection(ShapeKind kind) {
  return kind == ShapeKind::kList || kind == ShapeKind::kMap || kind == ShapeKind::kStructure;
}

// Returns at most the first kMaxEchoBytes of the text. The cut is between two characters.
std::string CutEcho(std::string text) {
  if (text.size() <= kMaxEchoBytes) return text;
  std::size_t end = kMaxEchoBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  text.resize(end);
  return text;
}

}  // namespace

std::string EchoOf(const Shape& shape, const JsonValue& value) {
  std::string text;
  JavaPrinter(text).Print(shape, value);
  return IsCollection(shape.kind) ? CutEcho(std::move(text)) : text;
}

std::string JsonEchoOf(const JsonValue& value) {
  OutputBuffer text;
  JsonWriter writer(text);
  WriteJson(value, writer);
  return CutEcho(std::string(text.view()));
}

}  // namespace hashrange
