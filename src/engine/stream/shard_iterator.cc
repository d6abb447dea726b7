#include "engine/stream/shard_iterator.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstring>

#include "base/checksums.h"
#include "base/text/text_encodings.h"

namespace hashrange {
namespace {

// The text is a 1, then the number in as many digits as a uint64 may have.
constexpr std::size_t kNumberDigits = 20;

}  // namespace

std::string SequenceNumberText(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  return std::string("1").append(kNumberDigits - digits.size(), '0').append(digits);
}

std::optional<std::uint64_t> ParseSequenceNumber(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.empty() || !std::ranges::all_of(text, is_digit)) return std::nullopt;
  text.remove_prefix(std::min(text.find_first_not_of('0'), text.size()));
  if (text.size() <= kNumberDigits) return 0;
  if (text.size() > kNumberDigits + 1 || text.front() != '1') return UINT64_MAX;
  std::uint64_t number = UINT64_MAX;  // from_chars leaves the value when the text is out of range
  std::from_chars(text.data() + 1, text.data() + text.size(), number);
  return number;
}

namespace {

constexpr std::string_view kVersion = "|1|";

// The layout of the bytes behind the ARN. The process that wrote a text also reads it, so numbers
// are in the byte order of the machine.
constexpr std::size_t kPositionAt = 0;
constexpr std::size_t kIssuedAt = 8;
constexpr std::size_t kShardAt = 16;
constexpr std::size_t kCheckAt = 20;
constexpr std::size_t kBytes = 24;  // a multiple of three: no padding
using Bytes = std::array<char, kBytes>;

std::uint32_t Checksum(std::string_view arn, const Bytes& bytes) {
  return Crc32(std::string(arn).append(bytes.data(), kCheckAt));
}

template <typename Value>
void StoreAt(const Value& value, std::size_t at, Bytes* bytes) {
  std::memcpy(bytes->data() + at, &value, sizeof value);
}

template <typename Value>
Value LoadAt(const Bytes& bytes, std::size_t at) {
  Value value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

}  // namespace

std::string ShardIteratorText(const ShardIterator& iterator) {
  Bytes bytes;
  StoreAt(iterator.position, kPositionAt, &bytes);
  StoreAt(iterator.issued_epoch_ms, kIssuedAt, &bytes);
  StoreAt(iterator.shard, kShardAt, &bytes);
  StoreAt(Checksum(iterator.stream_arn, bytes), kCheckAt, &bytes);
  std::string text = std::string(iterator.stream_arn).append(kVersion);
  const std::size_t at = text.size();
  text.resize(at + Base64Length(kBytes));
  EncodeBase64({bytes.data(), kBytes}, text.data() + at);
  return text;
}

std::optional<ShardIterator> ParseShardIterator(std::string_view text) {
  constexpr std::size_t kTail = kVersion.size() + Base64Length(kBytes);
  if (text.size() <= kTail) return std::nullopt;
  const std::string_view arn = text.substr(0, text.size() - kTail);
  const std::string_view tail = text.substr(arn.size());
  if (!tail.starts_with(kVersion)) return std::nullopt;
  Bytes bytes;
  std::size_t size_bytes = 0;
  const Base64Error error = DecodeBase64(tail.substr(kVersion.size()), bytes.data(), &size_bytes);
  if (error != Base64Error::kNone || size_bytes != kBytes) return std::nullopt;
  if (LoadAt<std::uint32_t>(bytes, kCheckAt) != Checksum(arn, bytes)) return std::nullopt;
  return ShardIterator{.stream_arn = arn,
                       .shard = LoadAt<std::uint32_t>(bytes, kShardAt),
                       .position = LoadAt<std::uint64_t>(bytes, kPositionAt),
                       .issued_epoch_ms = LoadAt<std::int64_t>(bytes, kIssuedAt)};
}

}  // namespace hashrange
