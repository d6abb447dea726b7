// FetchKeys: the keys of items that are fetched with BatchGetItem, made from the items that other
// requests returned: of the same items, whose rest an index lacks, or of those to which they refer.
// Of several requests, as of shards, the keys are merged, so that only those are fetched that are
// wanted. Used by one thread at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory/arena.h"
#include "base/memory/output_buffer.h"
#include "lab/plan/request/pattern_plan.h"
#include "wire/json.h"

namespace hashrange {

// The items of an answer, with the memory that they are in.
struct ParsedItems {
  Arena arena;
  std::vector<const JsonValue*> items = {};
};
// Replaces what was parsed by the items in an answer of GetItem, BatchGetItem, Query or Scan, which
// is overwritten.
void ParseItems(std::string& answer, ParsedItems& parsed);

class FetchKeys {
 public:
  // Adds the key that the step fetches for the item of an answer; nothing where the item lacks what
  // the key is made of.
  void Add(const JsonValue& item, const PlanStep& step);
  // Leaves each key once, and of the items only as many as the step wants, the first ones in its
  // order. Returns how many keys there are.
  std::size_t Finish(const PlanStep& step);
  void Clear();

  // Puts the keys with the places `from` to `to`, `to` excluded, into the empty list "Keys":[] of a
  // BatchGetItem.
  void PutInto(std::string& request, std::size_t from, std::size_t to) const;

 private:
  struct Entry {
    std::size_t begin = 0;  // in `text_`
    std::size_t size = 0;
    std::string order = {};  // the value of `merge_by`; of a number its stored form, which sorts
  };

  // Puts the keys into the order of the step's `merge_by`, a number or a text.
  void Sort(bool is_backward);

  std::string_view KeyOf(const Entry& entry) const {
    return std::string_view(text_).substr(entry.begin, entry.size);
  }

  std::string text_ = {};  // all keys
  std::vector<Entry> entries_ = {};
  OutputBuffer key_;
};

}  // namespace hashrange
