#include "store/load/kept_check.h"

#include <memory>
#include <utility>

#include "engine/stream/stored_stream.h"
#include "engine/table_record.h"
#include "engine/token_record.h"
#include "store/load/stored_values.h"
#include "store/log_ends.h"

namespace hashrange {
namespace {

template <typename T>
Status StatusOf(Result<T> result) {
  return result.ok() ? Status() : Status(std::move(result).error());
}

// Checks the records whose form other folders decide. Images of stream records are checked at a
// start, where the key of their table is known.
Status CheckRecord(const StoreKeyParts& key, std::string_view value) {
  switch (key.kind) {
    case RecordKind::kTable:
      return StatusOf(DecodeTable(value));
    case RecordKind::kTableTags:
    case RecordKind::kStreamTags:
      return StatusOf(DecodeTags(value));
    case RecordKind::kStream:
      return StatusOf(DecodeStream(value));
    case RecordKind::kStreamRecord:
      return StatusOf(DecodeStreamRecord(value));
    case RecordKind::kToken:
      return StatusOf(DecodeToken(value));
    case RecordKind::kSeed:
    case RecordKind::kCounter:
      return StatusOf(DecodeCounter(value));
    case RecordKind::kLogPosition:
      if (!DecodeLogPosition(value)) return StoreError("it is no position in a log");
      break;
    case RecordKind::kItem:
      break;
  }
  return {};
}

Result<KeySchema> ReadSchema(std::string_view table_record) {
  HR_ASSIGN(const std::unique_ptr<TableVersion> table, DecodeTable(table_record));
  return table->key;
}

}  // namespace

Result<DirectoryReport> CheckKeptData(const std::string& directory) {
  return CheckDirectory(directory, {.read_schema = ReadSchema, .check_record = CheckRecord});
}

}  // namespace hashrange
