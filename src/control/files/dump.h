// Dump writes tables, as of one instant, into files that a seed can read. No request waits
// meanwhile: the tables are pinned and then read without a lock. Files are written with this
// program's rights. Any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/file_path.h"
#include "base/memory/output_buffer.h"
#include "base/result.h"
#include "control/files/data_format.h"
#include "control/files/file_bounds.h"
#include "control/files/transfer_parts.h"
#include "engine/map/range_reader.h"
#include "engine/table_pin.h"
#include "operation/call/caller.h"

namespace hashrange {

struct DumpRequest {
  Caller caller = {};
  std::optional<std::string> table = {};      // nullopt: all tables of the caller
  DataFormat format = DataFormat::kDynamoDb;  // or kJson
  bool compresses = false;
  bool overwrites = false;  // the folder may contain other files than a dump
  FileBounds bounds = {};   // the folder is a path that bounds.Resolve has returned
};

// Writes definitions and items into a folder (dump_folder.h). Returns the tables, ascending by
// name.
// Errors: ResourceNotFoundException  there is no such table
//         ResourceInUseException     the table is being created or deleted
//         ValidationException        the folder cannot or may not be written to; the format cannot
//                                    express an item
//         The folder then has no file of this dump, unless the final renaming has failed.
Result<std::vector<TransferredTable>> Dump(const TransferParts& parts, const DumpRequest& request,
                                           const fs::path& folder);

// Appends the items of the table `request.table`, which is set, to `text`, a line each.
// Errors: as Dump; ValidationException  the items are more than 256 MB of text
Status DumpText(const TransferParts& parts, const DumpRequest& request, OutputBuffer& text);

// The tables of all accounts and Regions as of the instant of its construction, as lines of text:
//
//   {"account":"000000000000","region":"us-east-1","Table":{…},"Tags":[…]}   a table's definition,
//   {"Item":{"PK":{"S":"USER#1"}}}                                           and its items
//
// The first line of a table is also a definition for a seed (table_json.h). A table that is being
// deleted is left out. With shared tables, the Region is "". One thread at a time; the parts
// outlive the object, which keeps the items in memory.
class DumpOfAll {
 public:
  explicit DumpOfAll(const TransferParts& parts);

  // Replaces the content of `lines` by the next lines, which are 256 KiB or one line more. Returns
  // false at the end.
  bool Next(OutputBuffer& lines);
  // Returns whether the other dump has the same tables, settings and items.
  // Cost: O(tables), however many items they have.
  bool HasSameContent(const DumpOfAll& other) const;

 private:
  void BeginTable();

  const TransferParts parts_;
  std::vector<TablePin> pins_;
  std::vector<std::string> definitions_;  // a line for each pin
  std::size_t next_ = 0;                  // the pin whose definition comes next
  TableRef table_;                        // whose items are read; null: none
  const Interval all_;
  std::optional<RangeReader> items_;
};

}  // namespace hashrange
