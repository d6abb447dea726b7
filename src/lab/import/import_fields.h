// ImportFields reads one JSON object of a model that somebody has. A member that nobody asks for is
// named in a remark, and so is one of another type than it has to have: nothing is dropped
// silently, and a model is not refused for a member that is new. Used by one thread.
//
//   ImportFields fields(json, "tables[0]", remarks);
//   std::string name = fields.Text("table_name");
//   fields.Finish();
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wire/json.h"

namespace hashrange {

// A greater number of items, bytes or units is no number of a model; each fits into 64 bits.
inline constexpr double kMostImportedNumber = 1e12;

class ImportFields {
 public:
  // `json` and `remarks` outlive the object.
  ImportFields(const JsonValue& json, std::string place, std::vector<std::string>& remarks);

  // Each returns what the member has; an empty value when there is no such member or it has another
  // type, of which the latter is remarked.
  std::string Text(std::string_view name);
  double Number(std::string_view name);  // 0 to kMostImportedNumber
  bool Flag(std::string_view name);
  std::span<const JsonValue> List(std::string_view name);
  std::span<const JsonMember> Members(std::string_view name);
  std::vector<std::string> Texts(std::string_view name);
  // Returns the member of any type; null when there is none.
  const JsonValue* Member(std::string_view name);
  // Takes members that say nothing about a layout.
  void Ignore(std::initializer_list<std::string_view> names);

  // Returns "tables[0].name".
  std::string PlaceOf(std::string_view name) const;
  std::string PlaceOf(std::string_view name, std::size_t element) const;
  const std::string& place() const { return place_; }
  void Remark(std::string_view name, std::string_view sentence);

  // Remarks the members that nobody asked for.
  void Finish();

 private:
  // Returns the member if it has the type; otherwise null.
  const JsonValue* Typed(std::string_view name, JsonValue::Type type, std::string_view type_name);

  const JsonValue& json_;
  const std::string place_;
  std::vector<std::string>& remarks_;
  std::vector<std::string_view> known_;
};

// Returns the number in a JSON value, or in a text such as "25"; 0 for other values, and for
// one that is not finite.
double NumberIn(const JsonValue& json);

}  // namespace hashrange
