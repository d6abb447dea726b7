// Any bytes as a stored item: it is refused, or its stored form is the same bytes. The first byte
// chooses the types of the key, the second is the length of the encoded key.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "store/stored_item.h"
#include "value/key.h"

namespace {

using namespace hashrange;

// Returns the hash of the key's first part, or 0 if the key has no such part.
std::uint64_t HashOf(const KeySchema& schema, std::string_view key) {
  static Arena arena;
  arena.Reset();
  const AttributeType type = schema.hash[0].type;
  const std::size_t end = EncodedPrefixEnd(key, type);
  std::size_t at = 0;
  // A part that is cut off is no part; DecodePart wants a whole one.
  const std::string whole = std::string(key.substr(0, end)) + std::string("\0\x01", 2);
  if (type == AttributeType::kN || key.empty()) {
    return key.size() < 2 ? 0
                          : HashOfParts(std::vector{EncodedPartValue(key.substr(0, end), type)});
  }
  return HashOfParts(std::vector{DecodePart(whole, &at, type, arena)});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  KeySchema schema;
  schema.hash.push_back({"pk", static_cast<AttributeType>(data[0] % 3)});
  if (data[0] >= 9) schema.range.push_back({"sk", static_cast<AttributeType>(data[0] / 3 % 3)});
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  const std::string_view key = bytes.substr(0, data[1]);
  const std::string_view value = bytes.substr(key.size());

  StoredItemReader reader(schema);
  const Result<ItemRef> item = reader.Read(HashOf(schema, key), key, value);
  if (!item.ok()) return 0;
  std::string stored;
  AppendStoredItem(**item, &stored);
  if (stored != value || (*item)->key() != key) __builtin_trap();
  return 0;
}
