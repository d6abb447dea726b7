#include "measure/field_reader.h"

#include <algorithm>
#include <utility>

namespace hashrange {
namespace {

using Type = JsonValue::Type;

Error WrongType(std::string_view place, const char* wanted) {
  return ValidationError("\"" + std::string(place) + "\" is not " + wanted + ".");
}

Status CheckEntries(std::size_t entries, std::string_view place) {
  if (entries <= kMostEntries) return {};
  return ValidationError("\"" + std::string(place) + "\" has " + std::to_string(entries) +
                         " entries, and may have " + std::to_string(kMostEntries) + ".");
}

}  // namespace

FieldReader::FieldReader(const JsonValue& json, std::string place)
    : json_(json), place_(std::move(place)) {
  if (json.type == Type::kObject) return;
  status_ = place_.empty() ? ValidationError("The file is not an object.")
                           : WrongType(place_, "an object");
}

std::string FieldReader::PlaceOf(std::string_view name) const {
  return place_.empty() ? std::string(name) : place_ + "." + std::string(name);
}

void FieldReader::Fail(std::string_view name, std::string_view complaint) {
  if (!status_.ok()) return;
  status_ = ValidationError("\"" + PlaceOf(name) + "\" " + std::string(complaint));
}

const JsonValue* FieldReader::Member(std::string_view name) {
  known_.push_back(name);
  return status_.ok() ? json_.Find(name) : nullptr;
}

void FieldReader::Text(std::string_view name, std::string& target) {
  const JsonValue* const member = Member(name);
  if (!member) return;
  if (member->type != Type::kString) return Fail(name, "is not a text.");
  target = member->string();
}

void FieldReader::Number(std::string_view name, double& target) {
  const JsonValue* const member = Member(name);
  if (!member) return;
  auto number = ReadNumber(*member, PlaceOf(name));
  if (number.ok()) {
    target = *number;
  } else {
    status_ = std::move(number).error();
  }
}

void FieldReader::Flag(std::string_view name, bool& target) {
  const JsonValue* const member = Member(name);
  if (!member) return;
  if (member->type != Type::kTrue && member->type != Type::kFalse) {
    return Fail(name, "is neither true nor false.");
  }
  target = member->type == Type::kTrue;
}

void FieldReader::Require(std::string_view name) {
  if (status_.ok() && !json_.Find(name)) Fail(name, "is missing.");
}

void FieldReader::RefuseUnknown() {
  for (const JsonMember& member : json_.members()) {
    if (std::ranges::find(known_, member.name) != known_.end()) continue;
    std::string names;
    for (const std::string_view name : known_) {
      names += (names.empty() ? "\"" : ", \"") + std::string(name) + "\"";
    }
    return Fail(member.name, "is not known here. The members are " + names + ".");
  }
}

Status FieldReader::Finish() {
  if (status_.ok()) RefuseUnknown();
  return std::move(status_);
}

Result<double> ReadNumber(const JsonValue& json, std::string_view place) {
  double number = -1;
  if (json.type == Type::kInteger) number = static_cast<double>(json.integer);
  if (json.type == Type::kDecimal || json.type == Type::kHugeInteger) number = json.decimal;
  if (number < 0) return WrongType(place, "a number of 0 or more");
  return number;
}

Result<std::span<const JsonValue>> ReadList(const JsonValue& json, std::string_view place) {
  if (json.type != Type::kArray) return WrongType(place, "a list");
  HR_RETURN_IF_ERROR(CheckEntries(json.elements().size(), place));
  return json.elements();
}

Result<std::span<const JsonMember>> ReadMap(const JsonValue& json, std::string_view place) {
  if (json.type != Type::kObject) return WrongType(place, "an object");
  HR_RETURN_IF_ERROR(CheckEntries(json.members().size(), place));
  return json.members();
}

}  // namespace hashrange
