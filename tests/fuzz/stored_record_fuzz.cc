// Any bytes as a stored record, of the kind that the first byte says: when they are one, the record
// that is written of it must be read as the same record. A table is also prepared and filled.
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/engine.h"
#include "engine/stream/stored_stream.h"
#include "engine/stream/stream_set.h"
#include "engine/table_record.h"

namespace {

using namespace hashrange;

// Calls `encode` for what `decode` made of the bytes, then both again: the bytes must be the same.
template <typename Decode, typename Encode>
void ReadTwice(std::string_view bytes, Decode decode, Encode encode) {
  const auto first = decode(bytes);
  if (!first.ok()) return;
  const std::string written = encode(*first);
  const auto second = decode(written);
  if (!second.ok() || encode(*second) != written) __builtin_trap();
}

void PrepareTable(std::string_view bytes) {
  auto table = DecodeTable(bytes);
  if (!table.ok()) return;
  const ManualClock clock(0);
  Engine engine(clock);
  const TableRef prepared = engine.catalog().PrepareStored(std::move(table).value(), 1);
  if (!engine.catalog().Exchange({}, {&prepared, 1})) __builtin_trap();
}

void RestoreStream(std::string_view bytes) {
  const auto stream = DecodeStream(bytes);
  if (!stream.ok()) return;
  const ManualClock clock(0);
  StreamSet streams(clock, {});
  const auto restored = streams.Restore(*stream);
  if (!restored.ok() || (*restored)->definition().id != stream->definition.id) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0]) {
    case 't':
      ReadTwice(bytes, DecodeTable, [](const auto& table) { return EncodeTable(*table); });
      PrepareTable(bytes);
      break;
    case 'g':
      ReadTwice(bytes, DecodeTags, [](const auto& tags) { return EncodeTags(tags); });
      break;
    case 'k':
      ReadTwice(bytes, DecodeToken, EncodeToken);
      break;
    case 's':
      ReadTwice(bytes, DecodeStream, EncodeStream);
      RestoreStream(bytes);
      break;
    case 'r':
      ReadTwice(bytes, DecodeStreamRecord, EncodeStreamRecord);
      break;
    default:
      break;
  }
  return 0;
}
