// ItemSink: where the items of one table of a copy go: a table of an endpoint (endpoint_sink.h), or
// a file of a folder (folder_sink.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include "base/result.h"
#include "remote/copy/copy_state.h"
#include "remote/copy/item_digest.h"
#include "remote/copy/scanned_items.h"

namespace hashrange {

// What the state of the copy says once a page is written.
struct WrittenPage {
  std::size_t table = 0;  // its number in the state
  std::size_t segment = 0;
  std::string next_key = {};  // empty: the segment is done
  ItemDigest digest = {};     // of the items of the page
  double usd = 0;             // what the copy has cost so far
};

class ItemSink {
 public:
  virtual ~ItemSink() = default;
  // Writes the items of a page, and notes in the state that they are written. Any thread.
  // Errors: the destination takes no more, or the state cannot be written
  virtual Status Write(const ScannedItems& items, const WrittenPage& page) = 0;
  // Returns the digest of all items that are at the destination.
  virtual Result<ItemDigest> ReadBack() = 0;
};

// Notes the page in `state`. `file_bytes` is the size of the file that it is in; 0 at an endpoint.
inline void NotePage(const WrittenPage& page, std::int64_t file_bytes, CopyState& state) {
  state.usd = std::max(state.usd, page.usd);
  TableState& table = state.tables[page.table];
  table.digest.Add(page.digest);
  table.file_bytes = file_bytes;
  SegmentState& segment = table.segments[page.segment];
  segment.next_key = page.next_key;
  segment.is_done = page.next_key.empty();
}

}  // namespace hashrange
