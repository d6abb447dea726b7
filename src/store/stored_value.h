// CheckedReader reads packed names and values (value/attribute_value.h) of which nothing is known:
// the bytes come from a disk. It accepts exactly the canonical forms that this program packs, so
// that a value that was read is as safe as a value that was made. It never reads behind the bytes.
// Not thread-safe.
#pragma once

#include <cstdint>
#include <string_view>

#include "value/attribute_value.h"

namespace hashrange {

// The levels of the deepest value that the engine can hold (value/attribute_value.cc).
inline constexpr int kMaxStoredDepth = 129;

class CheckedReader {
 public:
  explicit CheckedReader(std::string_view bytes) : rest_(bytes) {}

  bool done() const { return rest_.empty(); }
  // These return false if the bytes at the start of the rest are not such a thing; the reader must
  // not be used after that.
  bool ReadVarint(std::uint32_t* value);
  bool ReadName(std::string_view* name);  // its length, and valid UTF-8
  bool ReadValue(ValueView* value) { return ReadValueAt(value, 1); }

 private:
  bool ReadBytes(std::size_t size, std::string_view* bytes);
  bool ReadSizedBytes(std::string_view* bytes);
  bool ReadValueAt(ValueView* value, int depth);
  bool ReadLongValue(std::string_view* bytes);
  // These read all that is left, as the content of a set, list or map.
  bool ReadMembers(AttributeType member);
  bool ReadElements(int depth);
  bool ReadEntries(int depth);

  std::string_view rest_;
};

// Returns whether the bytes are the stored form of a number (value/number.h) that a client can
// have sent.
bool IsStoredNumber(std::string_view bytes);

}  // namespace hashrange
