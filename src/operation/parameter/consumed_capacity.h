// Consumed capacity: what an answer reports, and what each access costs
// (docs/service/08-capacity.md, sections 1 and 2). All of it is called by the request's thread.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/arena.h"
#include "engine/table_version.h"
#include "operation/gate.h"
#include "value/item.h"
#include "wire/binder.h"
#include "wire/json_writer.h"

namespace hashrange {

enum class ReturnConsumedCapacity { kNone, kTotal, kIndexes };
ReturnConsumedCapacity ReadReturnConsumedCapacity(const RequestObject& request);

// The factor of an item's capacity units: 1 for a strongly consistent read or an ordinary write, a
// half for an eventually consistent read, 2 in a transaction.
inline constexpr double kEventual = 0.5;
inline constexpr double kStrong = 1;
inline constexpr double kTransactional = 2;
inline double ReadFactor(bool consistent) { return consistent ? kStrong : kEventual; }

// The capacity that a request consumed on one table. Plain data in the request's arena.
class CapacityMeter {
 public:
  CapacityMeter() = default;
  CapacityMeter(const TableVersion& table, Arena& arena)
      : table_(&table), index_units_(arena.NewArray<double>(table.indexes.size())) {}

  const TableVersion& table() const { return *table_; }

  // Adds a write: the table's units times `factor`, and the units of each index once.
  void AddWrite(ItemView before, ItemView after, double factor);
  // Adds the read of one item by its key; an item that is not stored costs as the smallest one.
  void AddItemRead(std::size_t size_bytes, double factor);
  // Adds a page: `size_bytes` is the sum over all that was read, which is rounded up once.
  void AddPage(const IndexVersion* index, std::size_t size_bytes, double factor);
  void AddTable(double units) { table_units_ += units; }
  // Adds what another meter of the same table counted.
  void Add(const CapacityMeter& other);
  // Adds units to the total but neither to the table nor to an index: those of a failed write in a
  // batch of statements.
  void AddOther(double units) { other_units_ += units; }

  double total() const;
  double table_units() const { return table_units_; }
  std::span<const double> index_units() const { return index_units_; }

 private:
  const TableVersion* table_ = nullptr;
  double table_units_ = 0;
  double other_units_ = 0;
  std::span<double> index_units_;
};

// Returns the usage of one item read by its key; `item` is null when it is not stored.
Usage UsageOfRead(double units, const Item* item);
// Returns the usage of a committed write; `meter` has counted this write only.
Usage UsageOfWrite(const CapacityMeter& meter, ItemView before, ItemView after);
// Returns the usage of a write that was refused as it ran: the stored item was read, and is charged
// as a write (docs/service/08-capacity.md, section 2).
Usage UsageOfRefusal(const Item* before, double factor);

// The member that repeats CapacityUnits in the answer of a transaction, ReadCapacityUnits or
// WriteCapacityUnits; other answers have none.
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

}  // namespace hashrange
