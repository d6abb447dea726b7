// LayoutDatabase: the database of one layout, and what a run asks of it besides the calls of the
// application: tables, partitions, measurements, saved states. Used by one thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "hashrange/database.h"
#include "lab/language/lab_file.h"
#include "lab/plan/layout_plan.h"
#include "lab/run/requests_file.h"
#include "measure/measurement.h"

namespace hashrange {

// What differs from a partition model with the parameters of the file.
struct LabPartitions {
  std::uint64_t seed = 0;
  std::uint64_t thin = 1;  // every figure of units is divided by this
  // Tables on demand serve their quota from the beginning, and are cut where they are hot.
  bool is_warm = false;
};

class LayoutDatabase {
 public:
  // Both outlive the object. `log` may be null. `max_memory_bytes` bounds the data of all databases
  // of the process (LabRunOptions); 0: there is no bound.
  LayoutDatabase(const LabFile& file, const LabLayout& layout, RequestsFile* log,
                 std::int64_t max_memory_bytes = 0);

  // Makes the tables of the layout, at the beginning of the simulated time. What they provision is
  // divided by `thin`.
  // Errors: ValidationException  the engine refuses a table
  Status MakeTables(const LayoutPlan& plan, std::uint64_t thin);
  // Makes a call that has to succeed.
  // Errors: ValidationException  it does not, or the data takes more memory than its bound
  Status CallForSetup(std::string_view operation, std::string_view json);

  // Errors: ValidationException  the data takes more memory than its bound
  Status CheckMemory() const;

  // Returns how many items the tables have. It is no request of the application.
  Result<std::uint64_t> CountItems();

  void ModelPartitions(const LabPartitions& partitions);
  void StartMeasurement();
  // Ends the measurement, and returns it without what is of this machine. Figures of what tables
  // provision and partitions serve are as the file says.
  // Errors: InternalServerError  the measurement cannot be read
  Result<Measurement> StopMeasurement();

  // Saves all tables, and makes them be again as they were saved.
  void SaveTables();
  void RestoreTables();

  void SetTime(std::int64_t epoch_ms) { database_.SetTime(epoch_ms); }
  // Deletes what has expired by then.
  void DeleteExpired(std::int64_t epoch_ms);

  Database& database() { return database_; }
  const LabLayout& layout() const { return layout_; }
  std::int64_t max_memory_bytes() const { return max_memory_bytes_; }

 private:
  void DescribeAsDeclared(Measurement& measurement) const;

  const LabFile& file_;
  const LabLayout& layout_;
  RequestsFile* const log_;
  const std::int64_t max_memory_bytes_;
  Database database_;
  std::string answer_ = {};
};

// Returns the units divided by `thin`, as a whole number of 1 at least.
std::int64_t ThinnedUnits(std::int64_t units, std::uint64_t thin);

// Returns the table with what it and its indexes provision divided by `thin`, 1 at least.
LabTable ThinnedTable(LabTable table, std::uint64_t thin);

}  // namespace hashrange
