// FetchKeys: the keys of the items that a query of an index returned, by which the whole items are
// fetched from the table with BatchGetItem. Used by one thread at a time.
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
  // again. The answer is overwritten.
  void AddFrom(std::string& answer, const std::vector<std::string>& key_attributes);
  void Clear();

  std::size_t size() const { return ends_.size(); }
  // Puts the keys with the places `from` to `to`, `to` excluded, into the empty list "Keys":[] of a
  // BatchGetItem.
  void PutInto(std::string& request, std::size_t from, std::size_t to) const;

 private:
  std::string_view KeyAt(std::size_t place) const;

  // All keys, with a comma behind each, and where each ends.
  std::string text_ = {};
  std::vector<std::size_t> ends_ = {};
  Arena arena_;
  OutputBuffer key_;
};

}  // namespace hashrange
