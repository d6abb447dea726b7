// CopyState: how far a copy has come. It is kept in a file, so that a copy that was interrupted or
// killed can be continued:
//
//   {"version":1,"from":"https://…","to":"./dump","gzip":false,"usd":0.012,
//    "tables":[{"name":"app","target":"app","stage":"items","existed":false,"had_items":false,
//               "source_id":"arn:… 0c5…","target_id":"","difference":"",
//               "items":1200,"digest":"…","file_bytes":81234,
//               "segments":[{"next_key":{"PK":{"S":"a"}}},{"is_done":true}]}]}
//
// What the file says is written is written: a page of items is counted, and the place behind it
// noted, only after the destination has all of it. The other way round, the destination may have
// some more items than the file says; a copy that is continued writes them once more, or cuts them
// off.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/output_folder.h"
#include "base/result.h"
#include "remote/copy/item_digest.h"

namespace hashrange {

// The most segments of a table.
inline constexpr int kMostSegments = 256;

// A part of a table, which one parallel Scan reads.
struct SegmentState {
  std::string next_key = {};  // the ExclusiveStartKey of the next page, as JSON; empty: the first
  bool is_done = false;

  friend bool operator==(const SegmentState&, const SegmentState&) = default;
};

enum class CopyStage : std::uint8_t {
  kWaiting,    // nothing of the table is at the destination
  kCreating,   // it may have been created
  kItems,      // items are being copied
  kVerifying,  // all items are copied
  kDone,
};

struct TableState {
  std::string name = {};    // at the source
  std::string target = {};  // at the destination
  CopyStage stage = CopyStage::kWaiting;
  bool existed = false;    // the destination had the table before the copy
  bool had_items = false;  // that table had items
  // EndpointTable::identity at the source, and at the destination since the table is there.
  std::string source_id = {};
  std::string target_id = {};
  // How the destination differs from what was read; empty: it does not, or nothing was verified.
  std::string difference = {};
  ItemDigest digest = {};       // of the items that are copied
  std::int64_t file_bytes = 0;  // of the file that they are in; 0 at an endpoint
  std::vector<SegmentState> segments = {};

  friend bool operator==(const TableState&, const TableState&) = default;
};

struct CopyState {
  std::string from = {};
  std::string to = {};
  bool compresses = false;  // the files of a folder
  double usd = 0;           // what the copy has cost so far
  std::vector<TableState> tables = {};

  friend bool operator==(const CopyState&, const CopyState&) = default;
};

// Returns the text of the file.
std::string CopyStateText(const CopyState& state);

// Returns the state in a text, which is overwritten.
// Errors: ValidationException  it is no state of a copy
Result<CopyState> ParseCopyState(std::string& text);

// The file of a state. While the object lives, no other process can use the file. The file is
// replaced as a whole: it is never half written. Thread-safe.
class CopyStateFile {
 public:
  // Writes a new file.
  // Errors: ValidationException  it exists, or cannot be written
  static Result<std::unique_ptr<CopyStateFile>> Begin(const std::filesystem::path& path,
                                                      CopyState state);
  // Reads the file of an earlier copy.
  // Errors: ResourceNotFoundException  there is none
  //         ValidationException        it is no state of a copy, or another process uses it
  static Result<std::unique_ptr<CopyStateFile>> Continue(const std::filesystem::path& path);
  CopyStateFile(const CopyStateFile&) = delete;
  CopyStateFile& operator=(const CopyStateFile&) = delete;

  CopyState Get() const;
  const std::filesystem::path& path() const { return path_; }

  using Change = std::function<void(CopyState&)>;
  // Changes the state. The file is written when some time has passed since it was last written.
  // Errors: InternalServerError  the file cannot be written
  Status Update(const Change& change);
  // Changes the state and writes the file.
  Status UpdateNow(const Change& change);
  // Removes the file.
  void Remove();

 private:
  CopyStateFile(std::filesystem::path path, CopyState state)
      : path_(std::move(path)), state_(std::move(state)) {}
  std::string name() const { return path_.filename().string(); }
  Status Write();  // with `mutex_` held, or before any other thread knows the object

  const std::filesystem::path path_;
  mutable std::mutex mutex_;
  CopyState state_;
  std::optional<OutputFolder> folder_ = {};  // of the file
  Descriptor file_ = Descriptor();           // locked
  std::chrono::steady_clock::time_point next_write_ = {};
};

}  // namespace hashrange
