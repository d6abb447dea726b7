// ItemSink: where the items of one table of a copy go: a table of an endpoint (EndpointSink), or a
// file of a folder (FolderSink).
#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "base/output_folder.h"
#include "base/result.h"
#include "remote/copy/copy_state.h"
#include "remote/copy/item_digest.h"
#include "remote/copy/patient_call.h"
#include "remote/copy/segment_scan.h"
#include "remote/copy/unit_meter.h"

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

// What calls to the destination go through. All outlive the sinks.
struct EndpointSinkParts {
  const PatientCaller& caller;
  UnitMeter& writes;
  UnitMeter& reads;  // of ReadBack
  const Spending& spending;
  CopyStop& stop;
  CopyStateFile& state;
  double usd_a_write_unit = 0;
  double usd_a_read_unit = 0;
  int segments = 1;  // of ReadBack
};

// Writes the items of a table into a table of an endpoint, by BatchWriteItem: in
// batches of at most 25 items and less than 16 MB of JSON, and, where the write units of a second
// are limited, of about a second's units. Items that come back as unprocessed are sent again after
// a back-off.
class EndpointSink : public ItemSink {
 public:
  EndpointSink(const EndpointSinkParts& parts, std::string table)
      : parts_(parts), table_(std::move(table)) {}

  Status Write(const ScannedItems& items, const WrittenPage& page) override;
  Result<ItemDigest> ReadBack() override;

 private:
  // Sends `requests`, a list of PutRequests as JSON, until all of them are processed. `units` is
  // what the items take at least.
  Status Send(const std::string& requests, double units);

  const EndpointSinkParts parts_;
  const std::string table_;
};

inline constexpr const char* kCopyStateFile = "hashrange-copy.state";

// The folder that tables are copied into, in the form of a dump
// (control/files/dump_folder.h). Unlike a dump's, its files grow over several runs of a copy:
//
//   hashrange-dump.json.partial   the manifest; hashrange-dump.json when the copy is complete
//   hashrange-copy.state          the state of the copy (copy_state.h), until the copy is complete
//   <table>/table.json            the definition of the table
//   <table>/items.json.partial    the items; items.json when the copy is complete; with .gz behind
//                                 when they are compressed, page by page
//
// A seed refuses a folder with the .partial manifest.
class FolderCopy {
 public:
  FolderCopy(std::filesystem::path path, bool compresses)
      : path_(std::move(path)), compresses_(compresses) {}

  // Creates the folder, which has to be new or empty.
  // Errors: ValidationException  the folder is not empty, or cannot be written to
  Status Begin() const;
  // Writes the manifest of a copy that is not finished, unless the copy is finished. Idempotent.
  Status WriteManifest(const CopyState& state) const;
  // Writes the definition of a table.
  Status WriteDefinition(const std::string& table, const std::string& definition) const;
  // Gives all files their names, and removes nothing. Idempotent.
  // Errors: InternalServerError  a file cannot be renamed
  Status Finish(const CopyState& state) const;

  const std::filesystem::path& path() const { return path_; }
  // Returns the final name of the file of a table's items.
  std::string items_file() const;

 private:
  std::filesystem::path path_;
  bool compresses_;
};

class FolderSink : public ItemSink {
 public:
  // Opens the file of the items, and cuts off what is behind the bytes that the state names.
  // Errors: InternalServerError  the file cannot be written, or is shorter than that
  static Result<std::unique_ptr<FolderSink>> Open(const FolderCopy& folder, CopyStateFile& state,
                                                  std::size_t table);
  FolderSink(const FolderSink&) = delete;
  FolderSink& operator=(const FolderSink&) = delete;

  Status Write(const ScannedItems& items, const WrittenPage& page) override;
  Result<ItemDigest> ReadBack() override;

 private:
  FolderSink(std::filesystem::path file, bool compresses, CopyStateFile& state,
             Descriptor descriptor, std::int64_t bytes)
      : file_(std::move(file)),
        compresses_(compresses),
        state_(state),
        descriptor_(std::move(descriptor)),
        bytes_(bytes) {}

  const std::filesystem::path file_;
  const bool compresses_;
  CopyStateFile& state_;
  std::mutex mutex_;        // guards what follows
  bool is_broken_ = false;  // a part of a page could not be cut off
  const Descriptor descriptor_;
  std::int64_t bytes_;  // of the file, as the state has them
};

}  // namespace hashrange
