// ObjectReader reads one JSON object that people write, such as a price list or a model of tables.
// Its caller asks for each member by name, and gets it with the type that it has to have. What is
// wrong becomes a sentence that begins with the place of the member. A member that nobody asked for
// is wrong, too, because a misspelt name would be ignored for ever. Used by one thread.
//
//   ObjectReader fields(json, "prices[3]");
//   price.unit = fields.Text("unit");
//   price.usd = fields.Number("usd");
//   HR_RETURN_IF_ERROR(fields.Finish());
//
// A reader refuses the object with the first sentence, or collects all of them as remarks and goes
// on without the members that they name.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "wire/json.h"

namespace hashrange {

// What differs between kinds of objects: the words of the sentences, and which values are right.
// The defaults are for files and bodies that are refused.
struct ObjectRules {
  std::string_view quote = "\"";        // around the place of a member
  std::string_view whole = "The file";  // an object whose place is empty
  // What a sentence says of a value that has another type.
  std::string_view no_object = "is not an object.";
  std::string_view no_text = "is not a text.";
  std::string_view no_number = "is not a number of 0 or more.";
  std::string_view no_flag = "is neither true nor false.";  // empty: such a value counts as false
  std::string_view no_list = "is not a list.";
  std::string_view no_texts = "is not a list of texts.";
  // What a sentence says of a member that nobody asked for, and whether the names of the members
  // that were asked for follow.
  std::string_view unknown = "is not known here. The members are ";
  bool lists_known = true;
  std::string_view left_out = "";  // what each sentence about a member has at its end

  double greatest_number = std::numeric_limits<double>::infinity();
  bool reads_number_texts = false;  // "25" is a number
  std::size_t most_entries = 1000;  // of a list, and of an object whose names are data
};

class ObjectReader {
 public:
  static constexpr ObjectRules kRefusingRules{};

  // `place` names the object in sentences; it is empty for the whole file. `json`, `rules` and
  // `remarks` outlive the reader. With `remarks`, all sentences are added there; without them, the
  // first one is the error of Finish, and there are no members behind it.
  ObjectReader(const JsonValue& json, std::string place, const ObjectRules& rules = kRefusingRules,
               std::vector<std::string>* remarks = nullptr);

  // Each returns the member of that name; `otherwise`, or what is empty, when there is no such
  // member or it is wrong. A member that is null counts as absent.
  std::string Text(std::string_view name, std::string_view otherwise = {});
  // The number is from 0 to the greatest of the rules.
  double Number(std::string_view name, double otherwise = 0);
  bool Flag(std::string_view name, bool otherwise = false);
  std::span<const JsonValue> List(std::string_view name);
  // Leaves out the elements that are no texts.
  std::vector<std::string> Texts(std::string_view name);
  std::span<const JsonMember> Members(std::string_view name);
  // Returns the member of any type; null when there is none.
  const JsonValue* Member(std::string_view name);
  // Returns all members of the object, whose names are data.
  std::span<const JsonMember> Entries();
  // Takes members that say nothing to the caller.
  void Ignore(std::initializer_list<std::string_view> names);
  // Makes the absence of the member a fault.
  void Require(std::string_view name);

  // Returns "prices[3].usd" for the name "usd", and "prices[3].bands[0]" for an element.
  std::string PlaceOf(std::string_view name) const;
  std::string PlaceOf(std::string_view name, std::size_t element) const;
  const std::string& place() const { return place_; }
  const JsonValue& json() const { return json_; }
  // Adds a sentence: the place of the member, a blank and `complaint`.
  void Fail(std::string_view name, std::string_view complaint);

  // Adds a sentence for each member that nobody has asked for.
  void NameUnknown();
  // Does what NameUnknown does, and returns the first sentence. The caller may go on reading, and
  // call Finish again.
  // Errors: ValidationException  the value is no object, or a member has another type, is missing
  //         or is not known
  Status Finish();

 private:
  void Tell(std::string sentence);
  // Returns the member if it has the type; otherwise null.
  const JsonValue* Typed(std::string_view name, JsonValue::Type type, std::string_view complaint);
  void FailLeftOut(std::string_view name, std::string_view complaint);
  bool HasFewEntries(std::size_t entries, const std::string& place);
  void MarkKnown(std::string_view name);

  const JsonValue& json_;
  const std::string place_;
  const ObjectRules& rules_;
  std::vector<std::string>* const remarks_;
  std::vector<std::string_view> known_;
  Status status_;
};

// Returns the elements of a list that is no member of an object.
// Errors: ValidationException  the value is no list, or a longer one than ObjectRules allows; the
//         sentence begins with `place`
Result<std::span<const JsonValue>> ReadJsonList(const JsonValue& json, const std::string& place);

}  // namespace hashrange
