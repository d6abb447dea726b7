// JsonScan finds where a JSON value ends without parsing it: it minds texts and nesting, and
// nothing else, so what it cuts out may still be no JSON. Pure functions; any thread.
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

// Told of each member of the object that is scanned, not of those of objects in it: its name as it
// is written, and where its value begins.
using OnMember = absl::FunctionRef<void(std::string_view name, std::size_t value_begin)>;

// The value whose first byte is text[begin]. Cost: one pass over it, in constant memory.
ScannedValue ScanValue(std::string_view text, std::size_t begin, OnMember member);
ScannedValue ScanValue(std::string_view text, std::size_t begin);

// The rest of an object behind the value of one of its members.
ScannedValue ScanRestOfObject(std::string_view text, std::size_t begin, OnMember member);

bool IsJsonSpace(char c);
// The first byte from `begin` on that is no space; text.size() when there is none.
std::size_t SkipJsonSpace(std::string_view text, std::size_t begin);

// Whether the object, whose members are told one after another, is the answer of a Scan or a Query:
// its member Items is an array, and it is no item itself, as it has no attribute of the key's name.
class ScanAnswer {
 public:
  // `text` is what is scanned, `key_name` that of a key's attribute; both outlive it.
  ScanAnswer(std::string_view text, std::string_view key_name) : text_(text), key_name_(key_name) {}

  void AddMember(std::string_view name, std::size_t value_begin);

  bool is_answer() const { return items_begin_ > 0 && !has_key_; }
  // Where its array begins.
  std::size_t items_begin() const { return items_begin_; }
  // It says where the next Scan has to go on: items are missing.
  bool is_partial() const { return is_partial_; }

 private:
  const std::string_view text_;
  const std::string_view key_name_;
  std::size_t items_begin_ = 0;
  bool has_key_ = false;
  bool is_partial_ = false;
};

}  // namespace hashrange
