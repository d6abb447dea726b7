// ValueWriter packs one list or map into an Arena; the functions below make the other
// values. Not thread-safe. At most 64 containers may be open at once: the code that reads
// requests refuses deeper nesting (docs/service/02-types-and-sizes.md, section 5), and one more
// BeginList or BeginMap ends the process.
//
//   ValueWriter w(arena);
//   w.BeginMap(2);                     // entries in ascending order of name
//     w.Name("a"); w.Value(view);
//     w.Name("b"); w.BeginList(1); w.Value(view); w.End();
//   w.End();
//   ValueView map = w.Finish();
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/memory/arena.h"
#include "value/attribute_value.h"
#include "value/number.h"

namespace hashrange {

class ValueWriter {
 public:
  static constexpr int kMaxOpen = 64;

  explicit ValueWriter(Arena& arena) : arena_(arena) {}

  void BeginList(std::uint32_t count) { Begin(AttributeType::kL, count); }
  void BeginMap(std::uint32_t count) { Begin(AttributeType::kM, count); }
  void Name(std::string_view name);  // before each value of a map
  void Value(ValueView value);
  void End();

  // Returns the one value that was written, packed and complete. The writer may then write another.
  ValueView Finish();

 private:
  void Begin(AttributeType type, std::uint32_t count);
  char* Reserve(std::size_t bytes);

  Arena& arena_;
  char* buffer_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::size_t open_[kMaxOpen];  // where the payload of each open container begins
  int depth_ = 0;
};

// Returns a set of `members` (texts, bytes or stored numbers). Sorts `members` in place and drops
// repeats. A caller that must refuse repeats calls SortAndFindDuplicate first.
ValueView MakeSet(AttributeType type, std::span<std::string_view> members, Arena& arena);
// Does the same for members that ascend already, without repeats.
ValueView MakeSortedSet(AttributeType type, std::span<const std::string_view> members,
                        Arena& arena);
// Sorts `members` in place and returns whether two of them are equal.
bool SortAndFindDuplicate(std::span<std::string_view> members);

ValueView MakeNumber(const Number& number, Arena& arena);
ValueView MakeBool(bool value);
ValueView MakeNull();
inline ValueView MakeString(std::string_view text) { return {AttributeType::kS, text}; }

// Sorts the attributes by name in place. Of attributes with the same name the last one stays.
// Returns the attributes that are left.
std::span<Attribute> SortAttributes(std::span<Attribute> attributes);

// PackedBytes returns the size of the packed form. WritePacked writes the packed form to `out` and
// returns the end of the written bytes.
std::size_t PackedBytes(ValueView value);
char* WritePacked(ValueView value, char* out);
inline std::size_t VarintBytes(std::uint32_t value) {
  std::size_t bytes = 1;
  for (; value >= 0x80; value >>= 7) ++bytes;
  return bytes;
}
inline char* WriteVarint(std::uint32_t value, char* out) {
  for (; value >= 0x80; value >>= 7) *out++ = static_cast<char>(value | 0x80);
  *out++ = static_cast<char>(value);
  return out;
}

}  // namespace hashrange
