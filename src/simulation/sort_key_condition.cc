#include "simulation/sort_key_condition.h"

#include <algorithm>
#include <cctype>

namespace hashrange {
namespace {

constexpr std::string_view kNone = "none";
constexpr std::string_view kEqual = "=";

// What the conditions of a request come to: all parts of the key are equal to something but,
// perhaps, the last.
class Conditions {
 public:
  void Add(std::string_view condition) {
    if (condition == kEqual) {
      ++equalities_;
    } else {
      other_ = condition;
    }
  }
  std::string_view Sum(const KeySchema& key) const {
    if (!other_.empty()) return other_;
    return equalities_ > key.hash.size() ? kEqual : kNone;
  }

 private:
  std::size_t equalities_ = 0;
  std::string_view other_;
};

bool IsWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ':' || c == '#' ||
         c == '-' || c == '.';
}

// Keywords are in any case, names of functions are not.
bool IsKeyword(std::string_view word, std::string_view upper) {
  return std::ranges::equal(
      word, upper, [](char a, char b) { return std::toupper(static_cast<unsigned char>(a)) == b; });
}

// The expression has been parsed already: nothing here has to find a mistake.
Conditions OfExpression(std::string_view text) {
  Conditions conditions;
  while (!text.empty()) {
    const auto* end = std::ranges::find_if_not(text, IsWordCharacter);
    const std::string_view word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    if (IsKeyword(word, "BETWEEN")) conditions.Add("BETWEEN");
    text.remove_prefix(word.size());
    if (word == "begins_with") {
      const std::size_t next = text.find_first_not_of(" \t\r\n");
      if (next != text.npos && text[next] == '(') conditions.Add("begins_with");
    }
    if (!word.empty()) continue;
    std::string_view found;
    for (const std::string_view each : {"<=", ">=", "<", ">", "="}) {
      if (found.empty() && text.starts_with(each)) found = each;
    }
    if (!found.empty()) conditions.Add(found);
    text.remove_prefix(std::max<std::size_t>(found.size(), 1));
  }
  return conditions;
}

Conditions OfKeyConditions(const JsonValue& json) {
  struct Row {
    std::string_view legacy, condition;
  };
  static constexpr Row kRows[] = {{"EQ", kEqual},
                                  {"LT", "<"},
                                  {"LE", "<="},
                                  {"GT", ">"},
                                  {"GE", ">="},
                                  {"BETWEEN", "BETWEEN"},
                                  {"BEGINS_WITH", "begins_with"}};
  Conditions conditions;
  for (const JsonMember& member : json.members()) {
    if (member.value.type != JsonValue::Type::kObject) continue;
    const JsonValue* const comparison = member.value.Find("ComparisonOperator");
    if (!comparison || comparison->type != JsonValue::Type::kString) continue;
    for (const Row& row : kRows) {
      if (comparison->string() == row.legacy) conditions.Add(row.condition);
    }
  }
  return conditions;
}

}  // namespace

std::string_view SortKeyConditionOf(const JsonValue& query, const KeySchema& key) {
  if (query.type != JsonValue::Type::kObject) return {};
  const JsonValue* const expression = query.Find("KeyConditionExpression");
  if (expression && expression->type == JsonValue::Type::kString) {
    return OfExpression(expression->string()).Sum(key);
  }
  const JsonValue* const legacy = query.Find("KeyConditions");
  if (legacy && legacy->type == JsonValue::Type::kObject) return OfKeyConditions(*legacy).Sum(key);
  return {};
}

}  // namespace hashrange
