#include "wire/object_reader.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text/parse_whole.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

using Type = JsonValue::Type;

// Returns the number of a text such as "25"; −1 for other texts, and for one that is 0.
double NumberOfText(std::string_view text) {
  const double number = ParseWhole<double>(text).value_or(0);
  return std::isfinite(number) && number != 0 ? number : -1;
}

std::string Quoted(const ObjectRules& rules, const std::string& place) {
  return std::string(rules.quote) + place + std::string(rules.quote);
}

std::string TooManyEntries(const ObjectRules& rules, const std::string& place,
                           std::size_t entries) {
  return Quoted(rules, place) + " has " + std::to_string(entries) + " entries, and may have " +
         std::to_string(rules.most_entries) + ".";
}

}  // namespace

ObjectReader::ObjectReader(const JsonValue& json, std::string place, const ObjectRules& rules,
                           std::vector<std::string>* remarks)
    : json_(json), place_(std::move(place)), rules_(rules), remarks_(remarks) {
  if (json.type == Type::kObject) return;
  const std::string subject = place_.empty() ? std::string(rules.whole) : Quoted(rules, place_);
  Tell(subject + " " + std::string(rules.no_object));
}

void ObjectReader::Tell(std::string sentence) {
  if (remarks_) {
    remarks_->push_back(std::move(sentence));
  } else if (status_.ok()) {
    status_ = ValidationError(std::move(sentence));
  }
}

void ObjectReader::Fail(std::string_view name, std::string_view complaint) {
  Tell(Quoted(rules_, PlaceOf(name)) + " " + std::string(complaint));
}

void ObjectReader::FailLeftOut(std::string_view name, std::string_view complaint) {
  Fail(name, std::string(complaint) + std::string(rules_.left_out));
}

std::string ObjectReader::PlaceOf(std::string_view name) const {
  return place_.empty() ? std::string(name) : place_ + "." + std::string(name);
}

std::string ObjectReader::PlaceOf(std::string_view name, std::size_t element) const {
  return PlaceOf(name) + "[" + std::to_string(element) + "]";
}

void ObjectReader::MarkKnown(std::string_view name) {
  if (std::ranges::find(known_, name) == known_.end()) known_.push_back(name);
}

const JsonValue* ObjectReader::Member(std::string_view name) {
  MarkKnown(name);
  const JsonValue* const member = status_.ok() ? json_.Find(name) : nullptr;
  return member && !member->is_null() ? member : nullptr;
}

const JsonValue* ObjectReader::Typed(std::string_view name, Type type, std::string_view complaint) {
  const JsonValue* const member = Member(name);
  if (!member || member->type == type) return member;
  FailLeftOut(name, complaint);
  return nullptr;
}

bool ObjectReader::HasFewEntries(std::size_t entries, const std::string& place) {
  if (entries <= rules_.most_entries) return true;
  Tell(TooManyEntries(rules_, place, entries));
  return false;
}

std::string ObjectReader::Text(std::string_view name, std::string_view otherwise) {
  const JsonValue* const member = Typed(name, Type::kString, rules_.no_text);
  return std::string(member ? member->string() : otherwise);
}

double ObjectReader::Number(std::string_view name, double otherwise) {
  const JsonValue* const member = Member(name);
  if (!member) return otherwise;
  const bool is_text = member->type == Type::kString && rules_.reads_number_texts;
  const double number = is_text ? NumberOfText(member->string()) : JsonNumber(*member).value_or(-1);
  if (number >= 0 && number <= rules_.greatest_number) return number;
  FailLeftOut(name, rules_.no_number);
  return otherwise;
}

bool ObjectReader::Flag(std::string_view name, bool otherwise) {
  const JsonValue* const member = Member(name);
  if (!member) return otherwise;
  const bool is_true = member->type == Type::kTrue;
  if (!is_true && member->type != Type::kFalse && !rules_.no_flag.empty()) {
    FailLeftOut(name, rules_.no_flag);
  }
  return is_true;
}

std::span<const JsonValue> ObjectReader::List(std::string_view name) {
  const JsonValue* const member = Typed(name, Type::kArray, rules_.no_list);
  if (!member || !HasFewEntries(member->size, PlaceOf(name))) return {};
  return member->elements();
}

std::vector<std::string> ObjectReader::Texts(std::string_view name) {
  std::vector<std::string> texts;
  for (const JsonValue& element : List(name)) {
    if (element.type == Type::kString) {
      texts.emplace_back(element.string());
    } else {
      Fail(name, rules_.no_texts);
    }
  }
  return texts;
}

std::span<const JsonMember> ObjectReader::Members(std::string_view name) {
  const JsonValue* const member = Typed(name, Type::kObject, rules_.no_object);
  if (!member || !HasFewEntries(member->size, PlaceOf(name))) return {};
  return member->members();
}

std::span<const JsonMember> ObjectReader::Entries() {
  if (json_.type != Type::kObject || !HasFewEntries(json_.size, place_)) return {};
  for (const JsonMember& member : json_.members()) MarkKnown(member.name);
  return json_.members();
}

void ObjectReader::Ignore(std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) MarkKnown(name);
}

void ObjectReader::Require(std::string_view name) {
  if (!json_.Find(name)) Fail(name, "is missing.");
}

void ObjectReader::NameUnknown() {
  if (json_.type != Type::kObject || !status_.ok()) return;
  for (const JsonMember& member : json_.members()) {
    if (std::ranges::find(known_, member.name) != known_.end()) continue;
    std::string complaint(rules_.unknown);
    if (rules_.lists_known) {
      std::string names;
      for (const std::string_view name : known_) {
        names += (names.empty() ? "\"" : ", \"") + std::string(name) + "\"";
      }
      complaint += names + ".";
    }
    FailLeftOut(member.name, complaint);
  }
}

Status ObjectReader::Finish() {
  NameUnknown();
  return std::move(status_);
}

Result<std::span<const JsonValue>> ReadJsonList(const JsonValue& json, const std::string& place) {
  constexpr ObjectRules kRules = ObjectReader::kRefusingRules;
  if (json.type != Type::kArray) {
    return ValidationError(Quoted(kRules, place) + " " + std::string(kRules.no_list));
  }
  if (json.size > kRules.most_entries) {
    return ValidationError(TooManyEntries(kRules, place, json.size));
  }
  return json.elements();
}

}  // namespace hashrange
