#include "store/load/stored_values.h"

#include "store/files/store_keys.h"
#include "value/key.h"

namespace hashrange {
namespace {

constexpr std::size_t kHashBytes = 8;
constexpr std::size_t kLengthBytes = 2;

Error NotAnImage() { return InternalError("an image of a stream record is damaged"); }

}  // namespace

std::string EncodeCounter(std::uint64_t value) {
  std::string bytes;
  AppendBigEndian(value, 8, &bytes);
  return bytes;
}

Result<std::uint64_t> DecodeCounter(std::string_view bytes) {
  if (bytes.size() == 8) return ReadBigEndian(bytes);
  return InternalError("a counter is damaged");
}

std::string EncodeImage(const Item* item) {
  std::string bytes;
  if (!item) return bytes;
  AppendBigEndian(item->hash(), kHashBytes, &bytes);
  AppendBigEndian(item->key().size(), kLengthBytes, &bytes);
  bytes.append(item->key());
  AppendStoredItem(*item, &bytes);
  return bytes;
}

Result<ItemRef> DecodeImage(std::string_view bytes, StoredItemReader& reader) {
  if (bytes.empty()) return ItemRef();
  if (bytes.size() < kHashBytes + kLengthBytes) return NotAnImage();
  const std::uint64_t hash = ReadBigEndian(bytes.substr(0, kHashBytes));
  const auto length =
      static_cast<std::size_t>(ReadBigEndian(bytes.substr(kHashBytes, kLengthBytes)));
  bytes.remove_prefix(kHashBytes + kLengthBytes);
  if (bytes.size() < length) return NotAnImage();
  return reader.Read(hash, bytes.substr(0, length), bytes.substr(length));
}

}  // namespace hashrange
