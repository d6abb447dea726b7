#include "store/load/stored_values.h"

#include "value/key.h"

namespace hashrange {
namespace {

void AppendNumber(std::uint64_t number, int bytes, std::string* out) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    out->push_back(static_cast<char>(number >> shift & 0xff));
  }
}

std::uint64_t NumberOf(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char c : bytes) number = number << 8 | static_cast<unsigned char>(c);
  return number;
}

constexpr std::size_t kHashBytes = 8;
constexpr std::size_t kLengthBytes = 2;

Error NotAnImage() {
  return {ErrorCode::kInternalServerError, "an image of a stream record is damaged", nullptr};
}

}  // namespace

std::string EncodeCounter(std::uint64_t value) {
  std::string bytes;
  AppendNumber(value, 8, &bytes);
  return bytes;
}

Result<std::uint64_t> DecodeCounter(std::string_view bytes) {
  if (bytes.size() == 8) return NumberOf(bytes);
  return Error{ErrorCode::kInternalServerError, "a counter is damaged", nullptr};
}

std::string EncodeImage(const Item* item) {
  std::string bytes;
  if (!item) return bytes;
  AppendNumber(item->hash(), kHashBytes, &bytes);
  AppendNumber(item->key().size(), kLengthBytes, &bytes);
  bytes.append(item->key());
  AppendStoredItem(*item, &bytes);
  return bytes;
}

Result<ItemRef> DecodeImage(std::string_view bytes, StoredItemReader& reader) {
  if (bytes.empty()) return ItemRef();
  if (bytes.size() < kHashBytes + kLengthBytes) return NotAnImage();
  const std::uint64_t hash = NumberOf(bytes.substr(0, kHashBytes));
  const auto length = static_cast<std::size_t>(NumberOf(bytes.substr(kHashBytes, kLengthBytes)));
  bytes.remove_prefix(kHashBytes + kLengthBytes);
  if (bytes.size() < length) return NotAnImage();
  return reader.Read(hash, bytes.substr(0, length), bytes.substr(length));
}

}  // namespace hashrange
