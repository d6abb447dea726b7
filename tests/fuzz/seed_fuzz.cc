// Any bytes as a data file: it is loaded or refused, with the same result whatever the size of
// the blocks in which it is read. The first byte chooses the format.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "control/files/item_load.h"

namespace {

using namespace hashrange;

const TableVersion& Table() {
  static TableVersion table;
  if (!table.name.empty()) return table;
  table.name = "app";
  table.key.hash = {{"PK", AttributeType::kS}};
  table.key.range = {{"SK", AttributeType::kN}};
  table.settings.attribute_definitions = {{"PK", AttributeType::kS}, {"SK", AttributeType::kN}};
  IndexVersion index;
  index.schema.name = "GSI1";
  index.schema.key.hash = {{"raw", AttributeType::kB}};
  table.indexes.push_back(index);
  return table;
}

// Returns the number of items, or the error message.
std::string Load(const std::string& text, int format, std::size_t block_bytes) {
  const TableVersion* const tables[] = {&Table()};
  const SeedItems items{{"data", {}, text}, format == 3};
  ItemLoadOptions options{.block_bytes = block_bytes};
  if (format < 3) options.format = static_cast<DataFormat>(format);
  ItemLoad load(tables, {{items, 0, &Table()}}, options);
  const Status read = load.Read();
  if (!read.ok()) return read.error().message;
  const Status sorted = load.Sort();
  return sorted.ok() ? std::to_string(load.count(0)) : sorted.error().message;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const int format = data[0] % 5;  // 4: the format is detected
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string expected = Load(text, format, 1 << 20);
  for (const std::size_t block_bytes : {1, 13}) {
    if (Load(text, format, block_bytes) != expected) __builtin_trap();
  }
  return 0;
}
