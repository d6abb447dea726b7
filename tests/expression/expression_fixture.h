// Short forms for values, items and requests, and the printing of values:
//
//   M({{"a", N("1")}, {"b", L({S("x"), Null()})}})   prints as   {a: 1, b: ["x", null]}
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/memory/arena.h"
#include "base/text/text_encodings.h"
#include "expression/expression.h"
#include "value/item.h"
#include "value/number.h"
#include "value/value_writer.h"

namespace hashrange::testing {

inline std::string Repeat(std::string_view piece, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += piece;
  return text;
}

// The memory of the values in the tests; it is never freed.
inline Arena& ValueArena() {
  static Arena* const arena = new Arena(1 << 20);
  return *arena;
}

inline ValueView S(std::string_view text) { return {AttributeType::kS, ValueArena().Copy(text)}; }
inline ValueView B(std::string_view bytes) { return {AttributeType::kB, ValueArena().Copy(bytes)}; }
inline ValueView N(std::string_view text) {
  Number number;
  if (Number::Parse(text, &number) != NumberError::kNone) std::abort();
  return MakeNumber(number, ValueArena());
}
inline ValueView Bool(bool value) { return MakeBool(value); }
inline ValueView Null() { return MakeNull(); }

inline ValueView SetOf(AttributeType type, std::vector<std::string_view> members) {
  for (std::string_view& member : members) member = ValueArena().Copy(member);
  return MakeSet(type, members, ValueArena());
}
inline ValueView SS(std::vector<std::string_view> members) {
  return SetOf(AttributeType::kSS, std::move(members));
}
inline ValueView BS(std::vector<std::string_view> members) {
  return SetOf(AttributeType::kBS, std::move(members));
}
inline ValueView NS(std::vector<std::string_view> members) {
  for (std::string_view& member : members) member = N(member).bytes();
  return SetOf(AttributeType::kNS, std::move(members));
}
inline ValueView L(const std::vector<ValueView>& elements) {
  ValueWriter writer(ValueArena());
  writer.BeginList(static_cast<std::uint32_t>(elements.size()));
  for (const ValueView& element : elements) writer.Value(element);
  writer.End();
  return writer.Finish();
}
using Entries = std::vector<std::pair<std::string_view, ValueView>>;
inline std::span<const Attribute> SortedAttributes(const Entries& entries) {
  const std::span<Attribute> attributes = ValueArena().NewArray<Attribute>(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    attributes[i] = {ValueArena().Copy(entries[i].first), entries[i].second};
  }
  return SortAttributes(attributes);
}
inline ValueView M(const Entries& entries) {
  ValueWriter writer(ValueArena());
  writer.BeginMap(static_cast<std::uint32_t>(entries.size()));
  for (const Attribute& entry : SortedAttributes(entries)) {
    writer.Name(entry.name);
    writer.Value(entry.value);
  }
  writer.End();
  return writer.Finish();
}

inline std::string Base64Of(std::string_view bytes) {
  std::string text(Base64Length(bytes.size()), '\0');
  EncodeBase64(bytes, text.data());
  return text;
}

inline std::string Print(ValueView value);

inline std::string Print(std::span<const Attribute> attributes) {
  std::string text = "{";
  for (const Attribute& attribute : attributes) {
    if (text.size() > 1) text += ", ";
    text += std::string(attribute.name) + ": " + Print(attribute.value);
  }
  return text + "}";
}

inline std::string PrintMember(AttributeType type, std::string_view bytes) {
  if (type == AttributeType::kN) return Number::FromStored(bytes).ToText();
  if (type == AttributeType::kB) return "b64:" + Base64Of(bytes);
  return '"' + std::string(bytes) + '"';
}

inline std::string Print(ValueView value) {
  switch (value.type) {
    case AttributeType::kS:
    case AttributeType::kN:
    case AttributeType::kB:
      return PrintMember(value.type, value.bytes());
    case AttributeType::kBool:
      return value.boolean() ? "true" : "false";
    case AttributeType::kNull:
      return "null";
    case AttributeType::kL: {
      std::string text = "[";
      for (ListReader elements(value); !elements.done();) {
        if (text.size() > 1) text += ", ";
        text += Print(elements.Next());
      }
      return text + "]";
    }
    case AttributeType::kM: {
      std::vector<Attribute> entries;
      for (MapReader reader(value); !reader.done();) entries.push_back(reader.Next());
      return Print(entries);
    }
    default: {
      std::string text(TypeTag(value.type));
      text += '<';
      for (SetReader members(value); !members.done();) {
        if (text.back() != '<') text += ", ";
        text += PrintMember(MemberTypeOf(value.type), members.Next());
      }
      return text + ">";
    }
  }
}

// The schema of a table whose key is `pk` (S).
inline const KeySchema& TestSchema() {
  static const KeySchema* const schema = new KeySchema{{KeyPart{"pk", AttributeType::kS}}, {}};
  return *schema;
}

// An item of those attributes and `pk`: "k".
class TestItem {
 public:
  explicit TestItem(Entries entries) {
    entries.emplace_back("pk", S("k"));
    item_ = Item::Make(TestSchema(), SortedAttributes(entries));
  }
  ItemView view() const { return {TestSchema(), item_.get()}; }

 private:
  ItemRef item_;
};
inline ItemView NoItem() { return {TestSchema(), nullptr}; }

// The names and values of a request.
class Request {
 public:
  Request() = default;
  Request(std::vector<std::pair<std::string_view, std::string_view>> names, Entries values) {
    for (const auto& [placeholder, name] : names) names_.push_back({placeholder, name});
    for (const auto& [placeholder, value] : values) values_.push_back({placeholder, value});
    placeholders_ = Placeholders(names_, values_);
  }
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  Placeholders& placeholders() { return placeholders_; }

 private:
  std::vector<Placeholders::NameEntry> names_;
  std::vector<Placeholders::ValueEntry> values_;
  Placeholders placeholders_;
};

// Returns the error message of binding the text, or "ok".
inline std::string BindMessage(ExpressionKind kind, std::string_view text, Request& request) {
  Arena arena;
  const auto message = [](const auto& result) {
    return result.ok() ? std::string("ok") : result.error().message;
  };
  switch (kind) {
    case ExpressionKind::kUpdate:
      return message(BindUpdate(text, request.placeholders(), arena));
    case ExpressionKind::kKeyCondition: {
      Status structure;
      const auto clauses = BindKeyCondition(text, request.placeholders(), arena, &structure);
      return clauses.ok() ? message(structure) : message(clauses);
    }
    case ExpressionKind::kProjection:
      return message(BindProjection(text, request.placeholders(), arena));
    default:
      return message(BindCondition(kind, text, request.placeholders(), arena));
  }
}

}  // namespace hashrange::testing
