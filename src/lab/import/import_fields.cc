#include "lab/import/import_fields.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace hashrange {
namespace {

using Type = JsonValue::Type;

bool IsNumber(const JsonValue& json) {
  return json.type == Type::kInteger || json.type == Type::kHugeInteger ||
         json.type == Type::kDecimal;
}

// A number in JSON may be infinite when it is read, and so may a text.
double FiniteOr0(double number) { return std::isfinite(number) ? number : 0; }

}  // namespace

double NumberIn(const JsonValue& json) {
  if (json.type == Type::kInteger) return static_cast<double>(json.integer);
  if (IsNumber(json)) return FiniteOr0(json.decimal);
  if (json.type != Type::kString) return 0;
  double number = 0;
  const std::string_view text = json.string();
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return is_whole ? FiniteOr0(number) : 0;
}

ImportFields::ImportFields(const JsonValue& json, std::string place,
                           std::vector<std::string>& remarks)
    : json_(json), place_(std::move(place)), remarks_(remarks) {
  if (json.type != Type::kObject) remarks_.push_back(place_ + " has to be an object");
}

const JsonValue* ImportFields::Member(std::string_view name) {
  known_.push_back(name);
  return json_.Find(name);
}

const JsonValue* ImportFields::Typed(std::string_view name, Type type, std::string_view type_name) {
  const JsonValue* const member = Member(name);
  if (member == nullptr || member->type == type) return member;
  Remark(name, "has to be " + std::string(type_name) + " and was left out");
  return nullptr;
}

std::string ImportFields::Text(std::string_view name) {
  const JsonValue* const member = Typed(name, Type::kString, "a text");
  return member == nullptr ? "" : std::string(member->string());
}

double ImportFields::Number(std::string_view name) {
  const JsonValue* const member = Member(name);
  if (member == nullptr) return 0;
  const double number = NumberIn(*member);
  const bool is_number = number != 0 || IsNumber(*member);
  if (is_number && number >= 0 && number <= kMostImportedNumber) return number;
  Remark(name, "has to be a number of 0 to 1e12 and was left out");
  return 0;
}

bool ImportFields::Flag(std::string_view name) {
  const JsonValue* const member = Member(name);
  return member != nullptr && member->type == Type::kTrue;
}

std::span<const JsonValue> ImportFields::List(std::string_view name) {
  const JsonValue* const member = Typed(name, Type::kArray, "a list");
  if (member == nullptr) return {};
  return member->elements();
}

std::span<const JsonMember> ImportFields::Members(std::string_view name) {
  const JsonValue* const member = Typed(name, Type::kObject, "an object");
  if (member == nullptr) return {};
  return member->members();
}

std::vector<std::string> ImportFields::Texts(std::string_view name) {
  std::vector<std::string> texts;
  for (const JsonValue& element : List(name)) {
    if (element.type == Type::kString) {
      texts.emplace_back(element.string());
    } else {
      Remark(name, "has to be a list of texts; another element was left out");
    }
  }
  return texts;
}

void ImportFields::Ignore(std::initializer_list<std::string_view> names) {
  known_.insert(known_.end(), names);
}

std::string ImportFields::PlaceOf(std::string_view name) const {
  return place_.empty() ? std::string(name) : place_ + "." + std::string(name);
}

std::string ImportFields::PlaceOf(std::string_view name, std::size_t element) const {
  return PlaceOf(name) + "[" + std::to_string(element) + "]";
}

void ImportFields::Remark(std::string_view name, std::string_view sentence) {
  remarks_.push_back(PlaceOf(name) + " " + std::string(sentence));
}

void ImportFields::Finish() {
  if (json_.type != Type::kObject) return;
  for (const JsonMember& member : json_.members()) {
    if (std::ranges::find(known_, member.name) != known_.end()) continue;
    Remark(member.name, "is not known here and was left out");
  }
}

}  // namespace hashrange
