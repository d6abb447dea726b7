// UnprocessedItems: the items that a BatchWriteItem has not written. Used by one thread at a time.
#pragma once

#include <string>
#include <string_view>

#include "base/arena.h"
#include "wire/json.h"

namespace hashrange {

class UnprocessedItems {
 public:
  // Takes the member UnprocessedItems of the answer, which is copied.
  explicit UnprocessedItems(std::string_view json);
  UnprocessedItems(const UnprocessedItems&) = delete;
  UnprocessedItems& operator=(const UnprocessedItems&) = delete;

  // Returns whether the item with the primary key, a JSON object, is one of them: one that was to
  // be put, or to be deleted.
  bool Contain(std::string_view table, std::string_view key) const;

 private:
  Arena arena_;
  std::string text_;
  const JsonValue* tables_ = nullptr;
};

// Returns the item, or the key, in {"PutRequest":{"Item":…}} or {"DeleteRequest":{"Key":…}}; null
// where there is none.
const JsonValue* AttributesOfMember(const JsonValue& member);

}  // namespace hashrange
