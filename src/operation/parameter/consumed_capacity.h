// Consumed capacity: what an answer reports, and what each access costs
// (docs/service/08-capacity.md, sections 1 and 2).
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

// Units by consistency: strong 1, eventual a half, in a transaction 2.
inline constexpr double kEventual = 0.5;
inline constexpr double kStrong = 1;
inline constexpr double kTransactional = 2;
inline double ReadFactor(bool consistent) { return consistent ? kStrong : kEventual; }

// What a request consumed on one table. Plain data in the request's arena.
class CapacityMeter {
 public:
  CapacityMeter() = default;
  CapacityMeter(const TableVersion& table, Arena& arena)
      : table_(&table), index_units_(arena.NewArray<double>(table.indexes.size())) {}

  const TableVersion& table() const { return *table_; }

  // The ladder of a write: the table arm times `factor`, each index arm once.
  void AddWrite(ItemView before, ItemView after, double factor);
  // One item read by its key; absent items cost as the smallest.
  void AddItemRead(std::size_t size_bytes, double factor);
  // A page: the sizes of everything read, rounded once.
  void AddPage(const IndexVersion* index, std::size_t size_bytes, double factor);
  void AddTable(double units) { table_units_ += units; }
  // What another meter of the table counted.
  void Add(const CapacityMeter& other);
  // What counts in the total and in no arm: a write of a batch of statements that failed.
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

// What the gate is told of one item read by its key, null when it is not stored.
Usage UsageOfRead(double units, const Item* item);
// Of a write that was committed, by a meter that has counted nothing else.
Usage UsageOfWrite(const CapacityMeter& meter, ItemView before, ItemView after);
// Of one that was refused as it ran: what is stored was read, charged as a write
// (docs/service/08-capacity.md, section 2).
Usage UsageOfRefusal(const Item* before, double factor);

// Which twin of CapacityUnits an answer carries beside it: transactions only.
enum class CapacityTwin { kNone, kRead, kWrite };

// The object {"TableName":…,"CapacityUnits":…,…}; the caller has written the name.
void WriteConsumedCapacity(const CapacityMeter& meter, ReturnConsumedCapacity detail,
                           CapacityTwin twin, JsonWriter& writer);

// The member "ConsumedCapacity" of a single-item answer, when asked for.
void WriteConsumedCapacityMember(const CapacityMeter& meter, ReturnConsumedCapacity detail,
                                 JsonWriter& writer);
// The member "ConsumedCapacity" of a batch or transaction: one entry a table.
void WriteConsumedCapacityList(std::span<const CapacityMeter> meters, ReturnConsumedCapacity detail,
                               CapacityTwin twin, JsonWriter& writer);

}  // namespace hashrange
