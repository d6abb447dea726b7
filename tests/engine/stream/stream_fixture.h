// Definitions of streams, tables with streams, and records, for the tests of this folder.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "engine/engine_fixture.h"
#include "engine/stream/shard.h"
#include "engine/stream/stream_set.h"

namespace hashrange::test {

inline constexpr std::int64_t kNowMs = 1'700'000'000'000;

inline StreamDefinition MakeDefinition(std::string table, StreamView view) {
  StreamDefinition definition;
  definition.table_arn = "arn:aws:dynamodb:us-east-1:123456789012:table/" + table;
  definition.table_name = std::move(table);
  definition.region = "us-east-1";
  definition.key = KeysOf("pk");
  definition.view = view;
  return definition;
}

// Returns a table with that stream; null: the table has a stream that records nothing.
inline std::unique_ptr<TableVersion> StreamedTable(std::string name, StreamRef stream) {
  auto version = NewTable(std::move(name), KeysOf("pk"));
  version->settings.stream = StreamSpecification{true, "NEW_AND_OLD_IMAGES", std::move(stream)};
  return version;
}

inline StreamRecord MakeRecord(const ItemRef& item, std::int64_t epoch_ms) {
  StreamRecord record;
  record.after = item;
  record.epoch_ms = epoch_ms;
  return record;
}

}  // namespace hashrange::test
