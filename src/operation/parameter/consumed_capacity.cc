#include "operation/parameter/consumed_capacity.h"

#include <algorithm>

#include "value/capacity.h"
#include "value/key.h"
#include "value/vector.h"

namespace hashrange {
namespace {

// Returns the units that a write costs an index: the rows of "Writes: index arms" in
// docs/service/08-capacity.md, section 2.
double IndexWriteUnits(const IndexSchema& index, ItemView before, ItemView after) {
  if (index.is_vector()) return 0;  // a vector index is charged bytes
  const bool was_in_index = before.exists() && BelongsTo(index.key, before);
  const bool is_in_index = after.exists() && BelongsTo(index.key, after);
  if (!was_in_index && !is_in_index) return 0;
  if (!was_in_index) return WriteUnitsOfSize(ProjectedSizeBytes(index, after));
  if (!is_in_index) return WriteUnitsOfSize(ProjectedSizeBytes(index, before));
  const double old_units = WriteUnitsOfSize(ProjectedSizeBytes(index, before));
  const double new_units = WriteUnitsOfSize(ProjectedSizeBytes(index, after));
  if (!SameIndexKey(index.key, before, after)) return old_units + new_units;
  return SameProjection(index, before, after) ? 0 : std::max(old_units, new_units);
}

// Returns the bytes that a write costs a vector index: the size of the larger entry, or 0 when the
// entry stays as it is.
double VectorWriteBytes(const IndexSchema& index, ItemView before, ItemView after) {
  const bool was_in_index = HasVectorEntry(index, before);
  const bool is_in_index = HasVectorEntry(index, after);
  if (!was_in_index && !is_in_index) return 0;
  if (was_in_index && is_in_index && SameProjection(index, before, after)) return 0;
  const std::size_t old_bytes = was_in_index ? ProjectedSizeBytes(index, before) : 0;
  const std::size_t new_bytes = is_in_index ? ProjectedSizeBytes(index, after) : 0;
  return std::max(kLeastVectorRequestBytes, static_cast<double>(std::max(old_bytes, new_bytes)));
}

// Returns whether an index before the i-th is a vector index of the same attribute.
bool IsOfEarlierVector(const TableVersion& table, std::size_t i) {
  const std::string& attribute = table.indexes[i].schema.vector->attribute;
  return std::any_of(table.indexes.begin(), table.indexes.begin() + static_cast<std::ptrdiff_t>(i),
                     [&](const IndexVersion& index) {
                       return index.schema.vector && index.schema.vector->attribute == attribute;
                     });
}

void WriteCapacityUnitsMembers(double units, CapacityTwin twin, JsonWriter& writer) {
  writer.DoubleMember("CapacityUnits", units);
  if (twin == CapacityTwin::kNone) return;
  writer.DoubleMember(twin == CapacityTwin::kRead ? "ReadCapacityUnits" : "WriteCapacityUnits",
                      units);
}

// Writes the map of local or of global indexes; no member when no index of the kind was charged.
void WriteIndexes(const CapacityMeter& meter, bool is_local, CapacityTwin twin,
                  JsonWriter& writer) {
  bool has_opened = false;
  for (std::size_t i = 0; i < meter.index_units().size(); ++i) {
    const IndexSchema& index = meter.table().indexes[i].schema;
    if (index.is_local != is_local || meter.index_units()[i] == 0) continue;
    if (!has_opened) {
      writer.BeginObject(is_local ? "LocalSecondaryIndexes" : "GlobalSecondaryIndexes");
      has_opened = true;
    }
    writer.BeginObject(index.name);
    WriteCapacityUnitsMembers(meter.index_units()[i], twin, writer);
    writer.EndObject();
  }
  if (has_opened) writer.EndObject();
}

// Writes the map of vector indexes; no member when none of them was charged.
void WriteVectorIndexes(const CapacityMeter& meter, JsonWriter& writer) {
  const std::span<const double> bytes = meter.vector_bytes();
  if (std::ranges::all_of(bytes, [](double of_index) { return of_index == 0; })) return;
  writer.BeginObject("VectorIndexes");
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] == 0) continue;
    writer.BeginObject(meter.table().indexes[i].schema.name);
    writer.DoubleMember("VectorWriteRequestBytes", bytes[i]);
    writer.EndObject();
  }
  writer.EndObject();
}

}  // namespace

ReturnConsumedCapacity ReadReturnConsumedCapacity(const RequestObject& request) {
  const auto text = request.String("ReturnConsumedCapacity");
  if (text == "TOTAL") return ReturnConsumedCapacity::kTotal;
  if (text == "INDEXES") return ReturnConsumedCapacity::kIndexes;
  return ReturnConsumedCapacity::kNone;
}

void CapacityMeter::AddWrite(ItemView before, ItemView after, double factor) {
  table_units_ += factor * WriteUnitsOfSize(std::max(WrittenSizeBytes(*table_, before),
                                                     WrittenSizeBytes(*table_, after)));
  for (std::size_t i = 0; i < index_units_.size(); ++i) {
    index_units_[i] += IndexWriteUnits(table_->indexes[i].schema, before, after);
  }
  if (!vector_bytes_.empty()) [[unlikely]]
    AddVectorWrite(before, after);
}

void CapacityMeter::AddVectorWrite(ItemView before, ItemView after) {
  for (std::size_t i = 0; i < vector_bytes_.size(); ++i) {
    const IndexSchema& index = table_->indexes[i].schema;
    if (index.is_vector()) vector_bytes_[i] += VectorWriteBytes(index, before, after);
  }
}

void CapacityMeter::AddSearch(const IndexVersion& index, double bytes) {
  vector_bytes_[static_cast<std::size_t>(&index - table_->indexes.data())] += bytes;
}

void CapacityMeter::AddItemRead(std::size_t size_bytes, double factor) {
  table_units_ += factor * ReadUnitsOfSize(size_bytes);
}

void CapacityMeter::AddPage(const IndexVersion* index, std::size_t size_bytes, double factor) {
  const double units = factor * ReadUnitsOfSize(size_bytes);
  if (index) {
    index_units_[static_cast<std::size_t>(index - table_->indexes.data())] += units;
  } else {
    table_units_ += units;
  }
}

void CapacityMeter::Add(const CapacityMeter& other) {
  table_units_ += other.table_units_;
  total_only_units_ += other.total_only_units_;
  for (std::size_t i = 0; i < index_units_.size() && i < other.index_units_.size(); ++i) {
    index_units_[i] += other.index_units_[i];
  }
  for (std::size_t i = 0; i < vector_bytes_.size() && i < other.vector_bytes_.size(); ++i) {
    vector_bytes_[i] += other.vector_bytes_[i];
  }
}

double CapacityMeter::total() const {
  double units = table_units_ + total_only_units_;
  for (double index : index_units_) units += index;
  return units;
}

std::size_t WrittenSizeBytes(const TableVersion& table, ItemView item) {
  std::size_t size_bytes = item.size_bytes();
  if (!item.exists() || !table.HasVectorIndexes()) [[likely]]
    return size_bytes;
  for (std::size_t i = 0; i < table.indexes.size(); ++i) {
    const std::optional<VectorSchema>& vector = table.indexes[i].schema.vector;
    if (!vector || IsOfEarlierVector(table, i)) continue;
    const std::optional<ValueView> value = item.Find(vector->attribute);
    if (!value || CheckVector(*value, vector->dimensions).problem != VectorProblem::kNone) continue;
    size_bytes += 4 * static_cast<std::size_t>(vector->dimensions);
    size_bytes -= SizeBytes(*value);
  }
  return size_bytes;
}

CapacityMeter& MeterOf(const TableVersion& table, std::string_view name, Arena& arena,
                       std::vector<CapacityMeter>* meters) {
  for (CapacityMeter& meter : *meters) {
    if (&meter.table() == &table) return meter;
  }
  return meters->emplace_back(table, name, arena);
}

void WriteConsumedCapacity(const CapacityMeter& meter, ReturnConsumedCapacity detail,
                           CapacityTwin twin, JsonWriter& writer) {
  writer.BeginObject();
  writer.StringMember("TableName", meter.name());
  WriteCapacityUnitsMembers(meter.total(), twin, writer);
  if (detail == ReturnConsumedCapacity::kIndexes) {
    writer.BeginObject("Table");
    WriteCapacityUnitsMembers(meter.table_units(), twin, writer);
    writer.EndObject();
    WriteIndexes(meter, false, twin, writer);
    WriteIndexes(meter, true, twin, writer);
    WriteVectorIndexes(meter, writer);
  }
  writer.EndObject();
}

void WriteConsumedCapacityMember(const CapacityMeter& meter, ReturnConsumedCapacity detail,
                                 JsonWriter& writer) {
  if (detail == ReturnConsumedCapacity::kNone) return;
  writer.Name("ConsumedCapacity");
  WriteConsumedCapacity(meter, detail, CapacityTwin::kNone, writer);
}

void WriteConsumedCapacityList(std::span<const CapacityMeter> meters, ReturnConsumedCapacity detail,
                               CapacityTwin twin, JsonWriter& writer) {
  if (detail == ReturnConsumedCapacity::kNone) return;
  writer.BeginArray("ConsumedCapacity");
  for (const CapacityMeter& meter : meters) WriteConsumedCapacity(meter, detail, twin, writer);
  writer.EndArray();
}

namespace {

// Returns what the write did to each global and local index in which the item has or had an entry.
std::span<const IndexMove> IndexMovesOf(const CapacityMeter& meter, ItemView before, ItemView after,
                                        Arena& arena) {
  const auto& indexes = meter.table().indexes;
  const std::span<IndexMove> moves = arena.NewArray<IndexMove>(indexes.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    const IndexSchema& index = indexes[i].schema;
    if (index.is_vector()) continue;
    IndexMove move{.index = i, .units = meter.index_units()[i]};
    if (before.exists()) move.before = IndexPosition(index.key, before, arena);
    if (after.exists()) move.after = IndexPosition(index.key, after, arena);
    if (move.before) move.bytes_before = ProjectedSizeBytes(index, before);
    if (move.after) move.bytes_after = ProjectedSizeBytes(index, after);
    if (move.before || move.after) moves[count++] = move;
  }
  return moves.first(count);
}

}  // namespace

Usage UsageOfRead(double units, ItemView stored, std::size_t bytes_returned) {
  const std::int64_t items = stored.exists() ? 1 : 0;
  return {.units = units,
          .items_examined = items,
          .items_returned = items,
          .after = stored,
          .bytes_examined = stored.size_bytes(),
          .bytes_returned = bytes_returned};
}

Usage UsageOfWrite(const CapacityMeter& meter, ItemView before, ItemView after, Arena& arena) {
  return {.units = meter.total(),
          .index_units = meter.index_units(),
          .vector_bytes = meter.vector_bytes(),
          .items_examined = before.exists() ? 1 : 0,
          .items_written = before.exists() || after.exists() ? 1 : 0,
          .before = before,
          .after = after,
          .bytes_examined = before.size_bytes(),
          .index_moves = IndexMovesOf(meter, before, after, arena)};
}

Usage UsageOfConditionCheck(const CapacityMeter& meter, ItemView stored) {
  return {.units = meter.total(),
          .index_units = meter.index_units(),
          .items_examined = stored.exists() ? 1 : 0,
          .before = stored,
          .bytes_examined = stored.size_bytes()};
}

Usage UsageOfRefusal(std::size_t charged_bytes, double factor, ItemView stored,
                     const Error* failure) {
  return {.units = factor * WriteUnitsOfSize(charged_bytes),
          .items_examined = stored.exists() ? 1 : 0,
          .before = stored,
          .bytes_examined = stored.size_bytes(),
          .is_failed = true,
          .failure = failure};
}

}  // namespace hashrange
