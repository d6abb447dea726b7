#include "lab/plan/item_expression.h"

#include <algorithm>
#include <utility>

namespace hashrange {
namespace {

using Kind = RequestPiece::Kind;

std::vector<RequestPiece> TextPieces(std::string_view text) {
  std::vector<RequestPiece> pieces;
  AppendText(text, pieces);
  return pieces;
}

// Returns `"#n0":` and the pieces behind it.
std::vector<RequestPiece> MemberPieces(const std::string& placeholder,
                                       std::vector<RequestPiece> value) {
  std::vector<RequestPiece> pieces;
  AppendText("\"" + placeholder + "\":", pieces);
  AppendGroup({.kind = Kind::kJoined}, std::move(value), pieces);
  return pieces;
}

}  // namespace

std::string ItemExpression::Name(std::string_view attribute) {
  const auto known = std::find(plain_names_.begin(), plain_names_.end(), attribute);
  if (known != plain_names_.end()) {
    return "#n" + std::to_string(known - plain_names_.begin());
  }
  std::string name;
  AppendEscaped(attribute, name);
  const std::string placeholder = Name(TextPieces(name));
  plain_names_.back() = attribute;
  return placeholder;
}

std::string ItemExpression::Name(std::vector<RequestPiece> name) {
  const std::string placeholder = "#n" + std::to_string(names_.size());
  std::vector<RequestPiece> quoted = TextPieces("\"");
  AppendGroup({.kind = Kind::kJoined}, std::move(name), quoted);
  AppendText("\"", quoted);
  names_.push_back({MemberPieces(placeholder, std::move(quoted))});
  plain_names_.emplace_back();
  return placeholder;
}

std::string ItemExpression::Value(std::vector<RequestPiece> json,
                                  std::optional<RequestPiece> only_when) {
  const std::string placeholder = ":v" + std::to_string(values_.size());
  values_.push_back({MemberPieces(placeholder, std::move(json)), std::move(only_when)});
  return placeholder;
}

void ItemExpression::Set(std::string clause, std::optional<RequestPiece> only_when) {
  sets_.push_back({TextPieces(clause), std::move(only_when)});
}

void ItemExpression::Remove(std::string path, std::optional<RequestPiece> only_when) {
  removes_.push_back({TextPieces(path), std::move(only_when)});
}

void ItemExpression::Require(std::string_view condition, std::optional<RequestPiece> only_when) {
  std::vector<RequestPiece> pieces = TextPieces(condition);
  const bool is_known = std::any_of(
      conditions_.begin(), conditions_.end(),
      [&](const Clause& clause) { return clause.pieces.front().text == pieces.front().text; });
  if (!is_known) conditions_.push_back({std::move(pieces), std::move(only_when)});
}

void ItemExpression::AppendClauses(const std::vector<Clause>& clauses, RequestPiece head,
                                   std::vector<RequestPiece>& pieces) {
  std::vector<RequestPiece> members;
  for (const Clause& clause : clauses) {
    AppendGroup(clause.only_when.value_or(RequestPiece{.kind = Kind::kJoined}), clause.pieces,
                members);
  }
  head.kind = Kind::kJoined;
  AppendGroup(std::move(head), std::move(members), pieces);
}

void ItemExpression::AppendMembers(std::vector<RequestPiece>& pieces) const {
  if (HasUpdate()) {
    std::vector<RequestPiece> parts;
    AppendClauses(sets_, {.text = ", ", .before = "SET "}, parts);
    AppendClauses(removes_, {.text = ", ", .before = "REMOVE "}, parts);
    AppendGroup(
        {.kind = Kind::kJoined, .text = " ", .before = R"(,"UpdateExpression":")", .after = "\""},
        std::move(parts), pieces);
  }
  if (HasCondition()) {
    AppendClauses(conditions_,
                  {.text = " AND ", .before = R"(,"ConditionExpression":")", .after = "\""},
                  pieces);
  }
  AppendClauses(names_, {.text = ",", .before = R"(,"ExpressionAttributeNames":{)", .after = "}"},
                pieces);
  AppendClauses(values_, {.text = ",", .before = R"(,"ExpressionAttributeValues":{)", .after = "}"},
                pieces);
}

}  // namespace hashrange
