// FieldReader reads one JSON object of a file that people write, such as a price list. Its caller
// asks for each member by name; a member that nobody asked for is an error, because a misspelt
// name would be ignored for ever. Used by one thread.
//
//   FieldReader fields(json, "prices[3]");
//   fields.Text("unit", price.unit);
//   fields.Number("usd", price.usd);
//   HR_RETURN_IF_ERROR(fields.Finish());
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "wire/json.h"

namespace hashrange {

class FieldReader {
 public:
  // `place` names the object in sentences; it is empty for the whole file.
  FieldReader(const JsonValue& json, std::string place);

  // Reads the member of that name. `target` keeps its value when there is no such member.
  void Text(std::string_view name, std::string& target);
  void Number(std::string_view name, double& target);  // 0 or more
  void Flag(std::string_view name, bool& target);
  // Returns the member of that name; null when there is none.
  const JsonValue* Member(std::string_view name);
  // Makes the absence of the member an error.
  void Require(std::string_view name);

  // Returns "prices[3].usd" for the name "usd".
  std::string PlaceOf(std::string_view name) const;
  // Keeps the sentence: the place, a blank and `complaint`. Only the first sentence counts.
  void Fail(std::string_view name, std::string_view complaint);

  // Returns the first error.
  // Errors: ValidationException  the value is no object, a member has another type, is missing, or
  //         is not known; the sentence names the member
  Status Finish();

 private:
  void RefuseUnknown();

  const JsonValue& json_;
  const std::string place_;
  std::vector<std::string_view> known_;
  Status status_;
};

// Returns the number in a JSON value.
// Errors: ValidationException  the value is no number of 0 or more; the sentence begins with
// `place`
Result<double> ReadNumber(const JsonValue& json, std::string_view place);

// Each entry of such a list or object is compared with each pattern of a measurement.
inline constexpr std::size_t kMostEntries = 1000;

// Returns the elements of the list, or the members of the object, in a JSON value.
// Errors: ValidationException  the value is of another type, or has more than kMostEntries; the
//         sentence begins with `place`
Result<std::span<const JsonValue>> ReadList(const JsonValue& json, std::string_view place);
Result<std::span<const JsonMember>> ReadMap(const JsonValue& json, std::string_view place);

}  // namespace hashrange
