#include "lab/plan/expression_names.h"

#include <algorithm>

namespace hashrange {
namespace {

bool IsWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool IsSameName(const KeyText& one, const KeyText& other) {
  if (one.size() != 1 || other.size() != 1 || one[0].kind != other[0].kind) return false;
  if (one[0].kind == KeyPiece::Kind::kLiteral) return one[0].text == other[0].text;
  return one[0].slot.part.attribute == other[0].slot.part.attribute;
}

}  // namespace

std::string ExpressionNames::FreeSign(char first, std::string_view hint,
                                      const std::vector<Entry>& entries) {
  std::string sign(1, first);
  for (const char c : hint) sign += IsWordCharacter(c) ? c : '_';
  const std::string stem = sign;
  const auto is_used = [&] {
    return std::any_of(entries.begin(), entries.end(),
                       [&](const Entry& entry) { return entry.sign == sign; });
  };
  for (int number = 2; is_used(); ++number) sign = stem + std::to_string(number);
  return sign;
}

std::string ExpressionNames::Name(std::string_view hint, const KeyText& name) {
  for (const Entry& entry : names_) {
    if (IsSameName(entry.text, name)) return entry.sign;
  }
  names_.push_back({.sign = FreeSign('#', hint, names_), .text = name});
  return names_.back().sign;
}

std::string ExpressionNames::Value(std::string_view hint, LabType type, const KeyText& value) {
  values_.push_back({.sign = FreeSign(':', hint, values_), .type = type, .text = value});
  return values_.back().sign;
}

std::string ExpressionNames::Path(const ItemPath& path) {
  std::string text;
  for (const ItemPathStep& step : path) {
    text += (text.empty() ? "" : ".") + Name(step.hint, step.name);
  }
  return text;
}

void AppendTypedValue(LabType type, const KeyText& value, std::vector<RequestPiece>& pieces) {
  switch (type) {
    case LabType::kString:
      AppendText(R"({"S":")", pieces);
      break;
    case LabType::kNumber:
      AppendText(R"({"N":")", pieces);
      break;
    case LabType::kBool:
      AppendText(R"({"BOOL":)", pieces);
      break;
  }
  AppendKeyText(value, pieces);
  AppendText(type == LabType::kBool ? "}" : "\"}", pieces);
}

void ExpressionNames::AppendMembers(std::vector<RequestPiece>& pieces) const {
  for (const Entry& entry : names_) {
    const bool is_first = &entry == &names_.front();
    AppendText((is_first ? R"(,"ExpressionAttributeNames":{")" : R"(,")") + entry.sign + R"(":")",
               pieces);
    AppendKeyText(entry.text, pieces);
    AppendText(R"(")", pieces);
  }
  if (!names_.empty()) AppendText("}", pieces);
  for (const Entry& entry : values_) {
    const bool is_first = &entry == &values_.front();
    AppendText((is_first ? R"(,"ExpressionAttributeValues":{")" : R"(,")") + entry.sign + R"(":)",
               pieces);
    AppendTypedValue(entry.type, entry.text, pieces);
  }
  if (!values_.empty()) AppendText("}", pieces);
}

}  // namespace hashrange
