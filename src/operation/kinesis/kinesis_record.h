// The record of a change, as the service puts it to a Kinesis stream
// (docs/service/17-global-tables-and-account.md, section B). Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/change_log.h"
#include "wire/json_writer.h"

namespace hashrange {

// One change of an item of a table that had an active destination.
struct SentChange {
  TableRef table;  // as it was when the item changed
  ItemRef before;  // null: the item was inserted
  ItemRef after;   // null: the item was removed
  std::int64_t epoch_ms = 0;
  WriteOrigin origin = WriteOrigin::kRequest;
};

// Writes the record as one JSON object: with both images, and with times in the unit that the
// table's active destination asks for.
void WriteKinesisRecord(const SentChange& change, std::string_view event_id, JsonWriter& writer);

// Returns the name of the file for the records of a stream, such as
// "us-east-1_000000000000_orders.jsonl" for the stream "orders"; nullopt: the text is not the ARN
// of a Kinesis stream.
std::optional<std::string> KinesisFileName(std::string_view stream_arn);

}  // namespace hashrange
