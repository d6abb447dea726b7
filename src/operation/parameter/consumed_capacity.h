// Consumed capacity: what each access costs, as an answer reports it and as a gate learns it
// (docs/service/08-capacity.md, sections 1 and 2). A meter belongs to one request; only the thread
// that serves the request uses it.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "base/memory/arena.h"
#include "engine/table_version.h"
#include "operation/call/access.h"
#include "value/item.h"
#include "wire/binder.h"
#include "wire/json_writer.h"

namespace hashrange {

enum class ReturnConsumedCapacity { kNone, kTotal, kIndexes };
ReturnConsumedCapacity ReadReturnConsumedCapacity(const RequestObject& request);

// The factors by which the capacity units of an item are multiplied. kTransactionFactor is for
// reads and writes in a transaction, the other factors are for accesses outside a transaction.
inline constexpr double kEventualReadFactor = 0.5;
inline constexpr double kStrongReadFactor = 1;
inline constexpr double kWriteFactor = 1;
inline constexpr double kTransactionFactor = 2;
inline double ReadFactor(bool consistent) {
  return consistent ? kStrongReadFactor : kEventualReadFactor;
}

// The capacity that a request consumed on one table. Plain data in the request's arena.
class CapacityMeter {
 public:
  CapacityMeter() = default;
  // `name` is what the request calls the table, its name or its ARN; it outlives the meter.
  CapacityMeter(const TableVersion& table, std::string_view name, Arena& arena)
      : table_(&table), name_(name), index_units_(arena.NewArray<double>(table.indexes.size())) {
    if (table.HasVectorIndexes()) vector_bytes_ = arena.NewArray<double>(table.indexes.size());
  }

  const TableVersion& table() const { return *table_; }
  std::string_view name() const { return name_; }

  // Adds a write: the table's units times `factor`, and the units or bytes of each index without
  // the factor.
  void AddWrite(ItemView before, ItemView after, double factor);
  // Adds the read of one item by its key. `size_bytes` is 0 when no item is stored, which costs the
  // same as a small item.
  void AddItemRead(std::size_t size_bytes, double factor);
  // Adds a page that was read from the index, or from the table when `index` is null. `size_bytes`
  // is the sum of the sizes of all that was read; only the sum is rounded up to whole units.
  void AddPage(const IndexVersion* index, std::size_t size_bytes, double factor);
  // Adds the bytes of a search in a vector index of the table.
  void AddSearch(const IndexVersion& index, double bytes);
  void AddTableUnits(double units) { table_units_ += units; }
  // Adds what another meter of the same table counted.
  void Add(const CapacityMeter& other);
  // Adds units to the total but neither to the table's units nor to an index's. A failed write in a
  // batch of statements is charged in this way.
  void AddUnitsToTotalOnly(double units) { total_only_units_ += units; }

  double total() const;
  double table_units() const { return table_units_; }
  std::span<const double> index_units() const { return index_units_; }
  // The bytes that each of the table's indexes was charged: those of a vector index, and 0 of any
  // other one. Empty when the table has no vector index.
  std::span<const double> vector_bytes() const { return vector_bytes_; }

 private:
  void AddVectorWrite(ItemView before, ItemView after);

  const TableVersion* table_ = nullptr;
  std::string_view name_;
  double table_units_ = 0;
  double total_only_units_ = 0;
  std::span<double> index_units_;
  std::span<double> vector_bytes_;
};

// Returns the size by which a write of the item, or of one that replaces or deletes it, is charged
// its units: the item's size, but a vector that an index of the table takes counts 4 bytes for each
// dimension (docs/service/15-vector-search.md, section 8). 0 for an item that does not exist.
std::size_t WrittenSizeBytes(const TableVersion& table, ItemView item);

// Returns the meter of a table; adds one with this name when the table has none yet.
CapacityMeter& MeterOf(const TableVersion& table, std::string_view name, Arena& arena,
                       std::vector<CapacityMeter>* meters);

// In the answer of a transaction, a second member repeats the value of CapacityUnits: kRead is
// ReadCapacityUnits, kWrite is WriteCapacityUnits. Other answers have no such member (kNone).
enum class CapacityTwin { kNone, kRead, kWrite };

// Writes the object {"TableName":…,"CapacityUnits":…,…}; the caller has written the member's name.
void WriteConsumedCapacity(const CapacityMeter& meter, ReturnConsumedCapacity detail,
                           CapacityTwin twin, JsonWriter& writer);

// Writes the member "ConsumedCapacity" of a single-item answer, when the request asks for it.
void WriteConsumedCapacityMember(const CapacityMeter& meter, ReturnConsumedCapacity detail,
                                 JsonWriter& writer);
// Writes the member "ConsumedCapacity" of a batch or transaction, one entry for each table, when
// the request asks for it.
void WriteConsumedCapacityList(std::span<const CapacityMeter> meters, ReturnConsumedCapacity detail,
                               CapacityTwin twin, JsonWriter& writer);

// Returns the usage with which a read of one key leaves the gate (operation/call/access.h). An
// operation asks for a usage only where a gate is active; the request's arena owns what it points
// to. `stored` is the item with that key, which may not exist;
// `bytes_returned` is the size of the part that is answered.
Usage UsageOfRead(double units, ItemView stored, std::size_t bytes_returned);

// Returns the usage of a committed write; `meter` has counted this write only.
Usage UsageOfWrite(const CapacityMeter& meter, ItemView before, ItemView after, Arena& arena);
// Returns the usage of a condition check whose condition holds; `meter` has counted this check
// only.
Usage UsageOfConditionCheck(const CapacityMeter& meter, ItemView stored);

// Returns the usage of a write that the commit refused, with units for `charged_bytes`. `failure`
// is the commit's error for this write; null: the commit refused another action of the transaction.
Usage UsageOfRefusal(std::size_t charged_bytes, double factor, ItemView stored,
                     const Error* failure);

}  // namespace hashrange
