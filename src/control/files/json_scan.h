// Functions that find where a JSON value ends without parsing the value: they look only at texts in
// quotes and at nesting, so the value may still be no JSON. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string_view>

#include "absl/functional/function_ref.h"

namespace hashrange {

struct ScannedValue {
  enum class Outcome {
    kWhole,    // `end` is behind the value
    kCut,      // the text ends before the value does
    kOpenText  // a line ends inside of a text in quotes, at `end`: it is no JSON
  };
  Outcome outcome = Outcome::kCut;
  std::size_t end = 0;
};

// A function that is called for each member of the scanned object, but not for members of nested
// objects. Its arguments are the name as it is written, with its escapes, and the place where the
// value begins.
using OnMember = absl::FunctionRef<void(std::string_view name, std::size_t value_begin)>;

// Scans the value whose first byte is text[begin].
// Cost: one pass over the value, in constant memory.
ScannedValue ScanValue(std::string_view text, std::size_t begin, OnMember member);
ScannedValue ScanValue(std::string_view text, std::size_t begin);

// Scans the rest of an object. text[begin] is behind the value of one of the object's members.
ScannedValue ScanRestOfObject(std::string_view text, std::size_t begin, OnMember member);

bool IsJsonSpace(char c);
// Returns the place of the first byte from `begin` on that is no space; text.size() without one.
std::size_t SkipJsonSpace(std::string_view text, std::size_t begin);

// A ScanAnswer recognises, by the members of an object, whether the object is the answer of a Scan
// or a Query. An answer has a member Items that is an array. An item may have such an attribute,
// too, but an item also has an attribute with the key's name.
class ScanAnswer {
 public:
  // `text` is the scanned text, `key_name` the name of a key attribute. Both outlive the object.
  ScanAnswer(std::string_view text, std::string_view key_name) : text_(text), key_name_(key_name) {}

  void AddMember(std::string_view name, std::size_t value_begin);

  bool is_answer() const { return items_begin_ > 0 && !has_key_; }
  // Where the array of items begins.
  std::size_t items_begin() const { return items_begin_; }
  // Whether the answer says where the next Scan continues, so that items are missing.
  bool is_partial() const { return is_partial_; }

 private:
  const std::string_view text_;
  const std::string_view key_name_;
  std::size_t items_begin_ = 0;
  bool has_key_ = false;
  bool is_partial_ = false;
};

}  // namespace hashrange
