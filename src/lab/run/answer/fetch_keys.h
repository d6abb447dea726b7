// FetchKeys: the keys of the items that queries of an index returned, by which the whole items are
// fetched from the table with BatchGetItem. Of several queries, as of shards, the keys are merged,
// so that only those are fetched that are wanted. Used by one thread at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory/arena.h"
#include "base/memory/output_buffer.h"

namespace hashrange {

class FetchKeys {
 public:
  // Adds the key of each item in an answer of Query or Scan; one that is there already is not added
  // again. `merge_by` is the attribute by which Sort sorts, or empty. The answer is overwritten.
  void AddFrom(std::string& answer, const std::vector<std::string>& key_attributes,
               const std::string& merge_by);
  // Puts the keys into the order of that attribute, a number or a text.
  void Sort(bool is_backward);
  void Clear();

  std::size_t size() const { return entries_.size(); }
  // Puts the keys with the places `from` to `to`, `to` excluded, into the empty list "Keys":[] of a
  // BatchGetItem.
  void PutInto(std::string& request, std::size_t from, std::size_t to) const;

 private:
  struct Entry {
    std::size_t begin = 0;  // in `text_`
    std::size_t size = 0;
    std::string order = {};  // the value of `merge_by`
    double number = 0;       // the same as a number, where it is one
  };

  std::string_view KeyOf(const Entry& entry) const {
    return std::string_view(text_).substr(entry.begin, entry.size);
  }

  std::string text_ = {};  // all keys
  std::vector<Entry> entries_ = {};
  Arena arena_;
  OutputBuffer key_;
};

}  // namespace hashrange
