#include "store/files/log_records.h"

#include <algorithm>
#include <iterator>

#include "base/checksums.h"
#include "store/files/store_keys.h"

namespace hashrange {
namespace {

constexpr std::size_t kBlockBytes = 32768;
constexpr std::size_t kHeaderBytes = 7;
constexpr std::size_t kTypeAt = 6;
enum FragmentType : unsigned { kFull = 1, kFirst = 2, kMiddle = 3, kLast = 4 };

std::uint64_t ReadLittle(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

// LevelDB stores checksums in another form, because a record may hold checksums itself.
std::uint32_t MaskedChecksum(std::string_view bytes) {
  const std::uint32_t checksum = Crc32c(bytes);
  return (checksum >> 15 | checksum << 17) + 0xa282ead8U;
}

// Returns the bytes of the fragment whose header is at `at`, or none; `limit` is the end of the
// block or of the file.
std::optional<std::string_view> FragmentAt(std::string_view bytes, std::size_t at,
                                           std::size_t limit) {
  if (limit - at < kHeaderBytes) return std::nullopt;
  const auto type = static_cast<unsigned char>(bytes[at + kTypeAt]);
  const std::size_t length = ReadLittle(bytes.substr(at + 4, 2));
  if (type < kFull || type > kLast || length > limit - at - kHeaderBytes) return std::nullopt;
  const std::string_view checked = bytes.substr(at + kTypeAt, 1 + length);
  if (MaskedChecksum(checked) != ReadLittle(bytes.substr(at, 4))) return std::nullopt;
  return checked.substr(1);
}

// Takes parts from the start of a record.
class Parts {
 public:
  explicit Parts(std::string_view bytes) : rest_(bytes) {}
  bool done() const { return rest_.empty(); }

  std::optional<std::uint64_t> Varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<std::uint64_t>(static_cast<unsigned char>(rest_.front()));
      rest_.remove_prefix(1);
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return std::nullopt;
  }
  std::optional<std::string_view> Sized() {
    const auto size = Varint();
    if (!size || *size > rest_.size()) return std::nullopt;
    const std::string_view bytes = rest_.substr(0, *size);
    rest_.remove_prefix(*size);
    return bytes;
  }

 private:
  std::string_view rest_;
};

// One record of a log: a batch of changes.
struct Batch {
  std::uint64_t sequence = 0;
  std::uint64_t count = 0;
  std::optional<LogPosition> flushed;  // what it states
};
constexpr std::size_t kBatchHeaderBytes = 12;

std::optional<Batch> ReadBatch(std::string_view record) {
  if (record.size() < kBatchHeaderBytes) return std::nullopt;
  Batch batch{ReadLittle(record.substr(0, 8)), ReadLittle(record.substr(8, 4)), {}};
  const StoreKey stating = StoreKey::OfLogPosition();
  Parts parts(record.substr(kBatchHeaderBytes));
  for (std::uint64_t i = 0; i < batch.count; ++i) {
    const auto tag = parts.Varint();
    if (!tag || *tag > 1) return std::nullopt;  // 0: a removal, 1: a value
    const auto key = parts.Sized();
    if (!key) return std::nullopt;
    if (*tag == 0) continue;
    const auto value = parts.Sized();
    if (!value) return std::nullopt;
    if (*key == stating.bytes()) batch.flushed = DecodeLogPosition(*value);
  }
  return parts.done() ? std::optional(batch) : std::nullopt;
}

// What follows the tag of a part of an edit: v, a varint; s, bytes with their size before them.
struct EditForm {
  std::uint64_t tag;
  std::string_view parts;
};
constexpr std::uint64_t kOldestLogTag = 2;
constexpr EditForm kEditForms[] = {
    {1, "s"},              // the comparator
    {kOldestLogTag, "v"},  // the number of the oldest log
    {3, "v"},              // the next file
    {4, "v"},              // the last sequence
    {5, "vs"},             // level, key
    {6, "vv"},             // level, file
    {7, "vvvss"},          // level, file, size, least and greatest key
    {9, "v"},              // the log before
};

// Reads one edit of a manifest. Returns false if it is none.
bool ReadEdit(std::string_view record, std::optional<std::uint64_t>* log_number) {
  Parts parts(record);
  while (!parts.done()) {
    const auto tag = parts.Varint();
    if (!tag) return false;
    const auto* const form = std::ranges::find(kEditForms, *tag, &EditForm::tag);
    if (form == std::end(kEditForms)) return false;
    for (const char kind : form->parts) {
      if (kind == 's' && !parts.Sized()) return false;
      if (kind != 'v') continue;
      const auto number = parts.Varint();
      if (!number) return false;
      if (*tag == kOldestLogTag) *log_number = number;
    }
  }
  return true;
}

}  // namespace

std::optional<LogRecordReader::Fragment> LogRecordReader::ReadFragment(std::size_t at) const {
  const std::size_t block_end = std::min(bytes_.size(), (at / kBlockBytes + 1) * kBlockBytes);
  const auto bytes = FragmentAt(bytes_, at, block_end);
  if (!bytes) return std::nullopt;
  return Fragment{static_cast<unsigned char>(bytes_[at + kTypeAt]), *bytes,
                  at + kHeaderBytes + bytes->size()};
}

std::optional<std::string_view> LogRecordReader::Stop(bool is_damaged) {
  is_damaged_ = is_damaged;
  return std::nullopt;
}

std::size_t LogRecordReader::next_record() const {
  const std::size_t left_in_block = kBlockBytes - end_ % kBlockBytes;
  return left_in_block < kHeaderBytes ? std::min(end_ + left_in_block, bytes_.size()) : end_;
}

std::optional<std::string_view> LogRecordReader::Next() {
  std::size_t at = end_;
  joined_.clear();
  for (bool is_first = true;; is_first = false) {
    const std::size_t left_in_block = kBlockBytes - at % kBlockBytes;
    if (left_in_block < kHeaderBytes) {
      const std::string_view padding = bytes_.substr(at, left_in_block);
      if (padding.find_first_not_of('\0') != std::string_view::npos) return Stop(true);
      at += padding.size();
    }
    if (at == bytes_.size()) return Stop(!is_first);
    const std::optional<Fragment> fragment = ReadFragment(at);
    if (!fragment) return Stop(true);
    const bool may_follow = is_first ? fragment->type == kFull || fragment->type == kFirst
                                     : fragment->type == kMiddle || fragment->type == kLast;
    if (!may_follow) return Stop(true);
    at = fragment->end;
    if (fragment->type == kFull) {
      end_ = at;
      return fragment->bytes;
    }
    joined_.append(fragment->bytes);
    if (fragment->type == kLast) {
      end_ = at;
      return joined_;
    }
  }
}

namespace {

// Searches for records behind damage.
class Behind {
 public:
  explicit Behind(std::string_view bytes) : bytes_(bytes) {}

  // Adds what the records from `at` on hold.
  void AddTo(std::size_t at, LogScan* scan) {
    while (at < bytes_.size()) {
      LogRecordReader reader(bytes_, at);
      const auto record = reader.Next();
      if (!record) {
        at = NextBegin(at + 1);
        continue;
      }
      at = reader.end_of_records();
      const std::optional<Batch> batch = ReadBatch(*record);
      if (!batch) continue;
      scan->lost_changes += batch->count - (batch->flushed ? 1 : 0);
      if (batch->flushed) Raise(*batch->flushed, &scan->flushed);
    }
  }

 private:
  // Returns the first place from `at` on where a record may begin.
  std::size_t NextBegin(std::size_t at) {
    for (; at + kHeaderBytes <= bytes_.size(); ++at) {
      if (checked_bytes_ > kMaxCheckedBytes && at % kBlockBytes != 0) {
        at = (at / kBlockBytes + 1) * kBlockBytes - 1;
        continue;
      }
      const auto type = static_cast<unsigned char>(bytes_[at + kTypeAt]);
      if (type != kFull && type != kFirst) continue;
      const std::size_t limit = std::min(bytes_.size(), (at / kBlockBytes + 1) * kBlockBytes);
      const std::size_t length = ReadLittle(bytes_.substr(at + 4, 2));
      if (length > limit - at) continue;
      checked_bytes_ += length;
      if (FragmentAt(bytes_, at, limit)) return at;
    }
    return bytes_.size();
  }

  // When so much was compared with checksums in vain, records are looked for only where blocks
  // begin.
  static constexpr std::size_t kMaxCheckedBytes = 64 << 20;

  const std::string_view bytes_;
  std::size_t checked_bytes_ = 0;
};

}  // namespace

bool HoldsLogRecord(std::string_view bytes) {
  for (std::size_t at = 0; at + kHeaderBytes <= bytes.size(); ++at) {
    const auto type = static_cast<unsigned char>(bytes[at + kTypeAt]);
    if (type != kFull && type != kFirst) continue;
    if (FragmentAt(bytes, at, bytes.size())) return true;
  }
  return false;
}

LogScan ScanLog(std::string_view bytes, std::optional<std::uint64_t> first_sequence) {
  LogScan scan;
  std::optional<std::uint64_t> expected = first_sequence;
  LogRecordReader reader(bytes);
  while (const auto record = reader.Next()) {
    const std::optional<Batch> batch = ReadBatch(*record);
    if (!batch || (expected && batch->sequence != *expected)) {
      scan.is_damaged = true;
      break;
    }
    if (batch->flushed) Raise(*batch->flushed, &scan.flushed);
    expected = batch->sequence + batch->count;
    scan.next_sequence = expected;
    scan.sound_bytes = reader.end_of_records();
    ++scan.records;
  }
  scan.is_damaged = scan.is_damaged || reader.is_damaged();
  if (scan.is_damaged) Behind(bytes).AddTo(scan.sound_bytes, &scan);
  return scan;
}

ManifestScan ScanManifest(std::string_view bytes) {
  ManifestScan scan;
  LogRecordReader reader(bytes);
  while (const auto record = reader.Next()) {
    if (!ReadEdit(*record, &scan.log_number)) {
      scan.is_damaged = true;
      return scan;
    }
    scan.sound_bytes = reader.end_of_records();
    scan.damage_at = reader.next_record();
    ++scan.edits;
  }
  scan.is_damaged = reader.is_damaged();
  return scan;
}

}  // namespace hashrange
