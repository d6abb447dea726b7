// RunCopy copies tables from an endpoint, or from a folder of files, to another endpoint, or into a
// folder in the form of a dump:
//
//   which tables, are they free at the destination, what does it cost ──▶ the state file
//   ──▶ for each table: create ──▶ items, by parallel scans ──▶ count and digest are compared
//                              ──▶ time to live
//   ──▶ the state file is removed
//
// Nothing is written before all tables are checked. From then on, the state file (copy_state.h)
// says how far the copy has come.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "measure/cost/price_list.h"
#include "remote/copy/copy_endpoint.h"
#include "remote/copy/patient_call.h"

namespace hashrange {

// The figures of the line that a person watches.
struct CopyProgressFigures {
  std::string table = {};
  bool is_verifying = false;
  std::int64_t items = 0;     // copied so far, earlier runs included
  std::int64_t before = 0;    // of these, copied by earlier runs
  std::int64_t expected = 0;  // of the table, about; 0: not known
  double seconds = 0;         // since this run began with the table
};

// Returns "Copying app: 12,000 of about 100,000 items, 8,100 a second, about 11 s left".
std::string CopyProgressText(const CopyProgressFigures& figures);

// How far a copy has come. Thread-safe.
class CopyProgress {
 public:
  void BeginTable(const std::string& table, std::int64_t before, std::int64_t expected);
  void AddItems(std::int64_t items);
  void BeginVerifying();
  // Returns the line; empty before the first table.
  std::string Text() const;

 private:
  mutable std::mutex mutex_;
  CopyProgressFigures figures_;
  std::chrono::steady_clock::time_point begin_ = {};
};

// What is to be copied, and how.
struct CopyRequest {
  ApiEndpoint* from = nullptr;
  ApiEndpoint* to = nullptr;          // null: a folder
  std::filesystem::path folder = {};  // where `to` is null

  std::vector<std::string> tables = {};             // empty: all tables of the source
  std::map<std::string, std::string> renames = {};  // a table's name at the destination
  std::string prefix = {};                          // goes before all other names
  bool into_existing = false;                       // items are put into tables that exist already
  bool resumes = false;
  bool verifies = true;
  bool compresses = false;          // the items in a folder
  int segments = 8;                 // parallel scans of a table, 1 to kMostSegments
  double read_units_a_second = 0;   // at the source; 0: no limit
  double write_units_a_second = 0;  // at the destination; 0: no limit

  // Whether units cost money there.
  bool pays_source = false;
  bool pays_destination = false;
  std::optional<double> spend_usd = {};
  PriceList prices = BuiltInPrices();

  std::filesystem::path state_file = {};
  CopyPatience patience = {};
  const std::atomic<bool>* stop = nullptr;  // true: the user wants the copy to stop
  CopyProgress* progress = nullptr;
  std::function<void(const std::string&)> note = {};  // takes a sentence for the user
};

struct CopiedTable {
  std::string name;    // at the source
  std::string target;  // at the destination
  std::int64_t items = 0;
  bool was_done = false;   // by an earlier run of the copy
  bool had_items = false;  // before the copy, so it cannot be verified
  bool is_verified = false;
  // A sentence that says how the destination differs from what was read, in this run or in an
  // earlier one, which `note` of the request got; empty: it does not, or nothing was verified.
  std::string difference = {};
};

// What was copied.
struct CopyResult {
  std::vector<CopiedTable> tables;
  double read_units = 0;       // at the source
  double write_units = 0;      // at the destination
  double verifying_units = 0;  // reads at the destination
  double usd = 0;
};

// Waits for the end of the copy. A table that does not equal what was read is in the result, with
// its difference. Only one copy at a time uses a state file.
// Errors: ValidationException  nothing was copied: the request does not fit what is there
//         InternalServerError  an endpoint, the disk, the user or the costs have ended the copy
//         The message is a sentence without a full stop. Where something was written, the sentence
//         says what stands where, and how to go on.
Result<CopyResult> RunCopy(const CopyRequest& request);

}  // namespace hashrange
