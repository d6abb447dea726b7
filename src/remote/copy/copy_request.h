// CopyRequest: what is to be copied, and how. CopyResult: what was. Plain data.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "measure/cost/price_list.h"
#include "remote/copy/api_endpoint.h"
#include "remote/copy/copy_progress.h"
#include "remote/copy/patient_call.h"

namespace hashrange {

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

struct CopyResult {
  std::vector<CopiedTable> tables;
  double read_units = 0;       // at the source
  double write_units = 0;      // at the destination
  double verifying_units = 0;  // reads at the destination
  double usd = 0;
};

}  // namespace hashrange
