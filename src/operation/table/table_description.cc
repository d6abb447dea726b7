#include "operation/table/table_description.h"

#include <algorithm>
#include <optional>
#include <string>

#include "engine/throughput_history.h"
#include "operation/table/table_definition.h"

namespace hashrange {
namespace {

// Writes ProvisionedThroughput. On demand its units are zero.
void WriteThroughput(const Context& context, const ProvisionedThroughput& throughput,
                     const ThroughputHistory& history, JsonWriter& writer) {
  writer.BeginObject("ProvisionedThroughput");
  if (history.last_increase_epoch_ms) {
    writer.TimestampMember("LastIncreaseDateTime", *history.last_increase_epoch_ms);
  }
  if (history.last_decrease_epoch_ms) {
    writer.TimestampMember("LastDecreaseDateTime", *history.last_decrease_epoch_ms);
  }
  writer.IntegerMember("NumberOfDecreasesToday", DecreasesToday(history, context.NowEpochMs()));
  writer.IntegerMember("ReadCapacityUnits", throughput.read_units);
  writer.IntegerMember("WriteCapacityUnits", throughput.write_units);
  writer.EndObject();
}

// Writes WarmThroughput, or nothing while the table or index is CREATING and the request gave none.
void WriteWarmThroughput(const WarmThroughput& warm, ResourceStatus status, JsonWriter& writer) {
  const bool creating = status == ResourceStatus::kCreating;
  if (creating && !warm.is_given) return;
  writer.BeginObject("WarmThroughput");
  writer.IntegerMember("ReadUnitsPerSecond", warm.read_units_per_second);
  writer.IntegerMember("WriteUnitsPerSecond", warm.write_units_per_second);
  writer.StringMember("Status", creating || warm.is_updating ? "UPDATING" : "ACTIVE");
  writer.EndObject();
}

// Writes OnDemandThroughput, if there is a limit.
void WriteOnDemandThroughput(const std::optional<OnDemandThroughput>& limit, JsonWriter& writer) {
  if (!limit) return;
  writer.BeginObject("OnDemandThroughput");
  if (limit->max_read_units) writer.IntegerMember("MaxReadRequestUnits", *limit->max_read_units);
  if (limit->max_write_units) writer.IntegerMember("MaxWriteRequestUnits", *limit->max_write_units);
  writer.EndObject();
}

std::string_view ResourceStatusName(ResourceStatus status) {
  static constexpr std::string_view kNames[] = {"CREATING", "UPDATING", "DELETING", "ACTIVE"};
  return kNames[static_cast<int>(status)];
}

std::string_view ProjectionTypeName(ProjectionType type) {
  static constexpr std::string_view kNames[] = {"ALL", "KEYS_ONLY", "INCLUDE"};
  return kNames[static_cast<int>(type)];
}

void WriteAttributeDefinitions(const TableSettings& settings, JsonWriter& writer) {
  writer.BeginArray("AttributeDefinitions");
  for (const KeyPart& attribute : settings.attribute_definitions) {
    writer.BeginObject();
    writer.StringMember("AttributeName", attribute.name);
    writer.StringMember("AttributeType", TypeTag(attribute.type));
    writer.EndObject();
  }
  writer.EndArray();
}

void WriteProjection(const IndexSchema& index, JsonWriter& writer) {
  writer.BeginObject("Projection");
  writer.StringMember("ProjectionType", ProjectionTypeName(index.projection));
  if (!index.non_key_attributes.empty()) {
    writer.BeginArray("NonKeyAttributes");
    for (const std::string& name : index.non_key_attributes) writer.String(name);
    writer.EndArray();
  }
  writer.EndObject();
}

// Only an index that UpdateTable has added, or that the control API holds in CREATING, has the
// member Backfilling, and only while it is CREATING.
void WriteIndexStatus(const IndexVersion& index, ResourceStatus status, JsonWriter& writer) {
  writer.StringMember("IndexStatus", ResourceStatusName(status));
  if (index.status() != ResourceStatus::kCreating) return;
  writer.BoolMember("Backfilling", !index.is_allocating());
}

// Writes the members with which every description of an index ends.
void WriteIndexSizeAndArn(const Context& context, const TableVersion& table,
                          const IndexVersion& index, JsonWriter& writer) {
  // An index that is being allocated has no entries, and perhaps no storage.
  const TableStatistics statistics =
      index.is_allocating() ? TableStatistics() : context.engine.StatisticsOf(table, &index);
  writer.IntegerMember("IndexSizeBytes", statistics.size_bytes);
  writer.IntegerMember("ItemCount", statistics.item_count);
  writer.StringMember("IndexArn", table.arn + "/index/" + index.schema.name);
}

// While the table is CREATING, its indexes are CREATING, too. `status`: of the table.
ResourceStatus StatusOfIndex(const IndexVersion& index, ResourceStatus status) {
  return status == ResourceStatus::kCreating ? status : index.status();
}

void WriteKeyIndex(const Context& context, const TableVersion& table, const IndexVersion& index,
                   ResourceStatus status, JsonWriter& writer) {
  writer.BeginObject();
  writer.StringMember("IndexName", index.schema.name);
  WriteKeySchema(index.schema.key, writer);
  WriteProjection(index.schema, writer);
  if (index.schema.is_global()) {
    const ResourceStatus own_status = StatusOfIndex(index, status);
    WriteIndexStatus(index, own_status, writer);
    WriteThroughput(context, index.throughput, index.throughput_history, writer);
    WriteOnDemandThroughput(index.on_demand, writer);
    WriteWarmThroughput(index.warm, own_status, writer);
  }
  WriteIndexSizeAndArn(context, table, index, writer);
  writer.EndObject();
}

void WriteSearchElement(const KeyPart& part, std::string_view type, JsonWriter& writer) {
  writer.BeginObject();
  writer.StringMember("AttributeName", part.name);
  writer.StringMember("SearchSchemaElementType", type);
  writer.EndObject();
}

// Writes SearchSchema, if the index has one.
void WriteSearchSchema(const IndexSchema& index, JsonWriter& writer) {
  const VectorSchema& vector = *index.vector;
  if (index.key.hash.empty() && vector.filters.empty()) return;
  writer.BeginArray("SearchSchema");
  for (std::size_t i = 0; i <= vector.filters.size(); ++i) {
    const bool is_hash_place = static_cast<int>(i) == vector.hash_place;
    if (is_hash_place && !index.key.hash.empty()) {
      WriteSearchElement(index.key.hash[0], "HASH", writer);
    }
    if (i < vector.filters.size()) WriteSearchElement(vector.filters[i], "INLINE_FILTER", writer);
  }
  writer.EndArray();
}

void WriteVectorIndex(const Context& context, const TableVersion& table, const IndexVersion& index,
                      ResourceStatus status, JsonWriter& writer) {
  const VectorSchema& vector = *index.schema.vector;
  writer.BeginObject();
  writer.StringMember("IndexName", index.schema.name);
  WriteSearchSchema(index.schema, writer);
  WriteProjection(index.schema, writer);
  writer.BeginObject("VectorAttribute");
  writer.StringMember("AttributeName", vector.attribute);
  writer.EndObject();
  writer.IntegerMember("Dimensions", vector.dimensions);
  writer.StringMember("DistanceFunction",
                      kDistanceFunctionNames[static_cast<std::size_t>(vector.function)]);
  WriteIndexStatus(index, StatusOfIndex(index, status), writer);
  WriteIndexSizeAndArn(context, table, index, writer);
  writer.EndObject();
}

// Writes the list of the indexes for which `is_listed(schema)` is true, each by `write(index)`;
// nothing when there are none.
template <typename IsListed, typename Write>
void WriteIndexes(const TableVersion& table, std::string_view member, IsListed is_listed,
                  Write write, JsonWriter& writer) {
  const auto is_one = [&](const IndexVersion& index) { return is_listed(index.schema); };
  if (std::ranges::none_of(table.indexes, is_one)) return;
  writer.BeginArray(member);
  for (const IndexVersion& index : table.indexes) {
    if (is_one(index)) write(index);
  }
  writer.EndArray();
}

void WriteAllIndexes(const Context& context, const TableVersion& table, ResourceStatus status,
                     JsonWriter& writer) {
  const auto write_key_index = [&](const IndexVersion& index) {
    WriteKeyIndex(context, table, index, status, writer);
  };
  const auto write_vector_index = [&](const IndexVersion& index) {
    WriteVectorIndex(context, table, index, status, writer);
  };
  const bool is_deleting = status == ResourceStatus::kDeleting;
  if (!is_deleting) {
    WriteIndexes(
        table, "GlobalSecondaryIndexes", [](const IndexSchema& index) { return index.is_global(); },
        write_key_index, writer);
  }
  WriteIndexes(
      table, "LocalSecondaryIndexes", [](const IndexSchema& index) { return index.is_local; },
      write_key_index, writer);
  if (is_deleting) return;
  WriteIndexes(
      table, "VectorIndexes", [](const IndexSchema& index) { return index.is_vector(); },
      write_vector_index, writer);
}

void WriteBillingMode(const TableSettings& settings, ResourceStatus status, JsonWriter& writer) {
  if (!settings.on_demand && !settings.last_on_demand_epoch_ms) return;
  writer.BeginObject("BillingModeSummary");
  writer.StringMember("BillingMode", settings.on_demand ? "PAY_PER_REQUEST" : "PROVISIONED");
  if (settings.last_on_demand_epoch_ms && status != ResourceStatus::kCreating) {
    writer.TimestampMember("LastUpdateToPayPerRequestDateTime", *settings.last_on_demand_epoch_ms);
  }
  writer.EndObject();
}

// The label and ARN of the latest stream are described even if it is disabled.
void WriteStream(const TableVersion& table, JsonWriter& writer) {
  if (const auto& stream = table.settings.stream) {
    writer.BeginObject("StreamSpecification");
    writer.BoolMember("StreamEnabled", stream->enabled);
    writer.StringMember("StreamViewType", stream->view_type);
    writer.EndObject();
  }
  const std::string& label = table.settings.latest_stream_label;
  if (label.empty()) return;
  writer.StringMember("LatestStreamLabel", label);
  writer.StringMember("LatestStreamArn", table.arn + "/stream/" + label);
}

void WriteThroughputAndSize(const Context& context, const TableVersion& table, JsonWriter& writer) {
  const TableStatistics statistics = context.engine.StatisticsOf(table, nullptr);
  WriteThroughput(context, table.settings.throughput, table.settings.throughput_history, writer);
  writer.IntegerMember("TableSizeBytes", statistics.size_bytes);
  writer.IntegerMember("ItemCount", statistics.item_count);
  writer.StringMember("TableArn", table.arn);
  writer.StringMember("TableId", table.table_id);
}

void WriteOtherSettings(const TableVersion& table, JsonWriter& writer) {
  const TableSettings& settings = table.settings;
  writer.BoolMember("DeletionProtectionEnabled", settings.deletion_protection);
  WriteOnDemandThroughput(settings.on_demand_throughput, writer);
  if (settings.table_class) {
    writer.BeginObject("TableClassSummary");
    writer.StringMember("TableClass", *settings.table_class);
    if (settings.last_table_class_epoch_ms) {
      writer.TimestampMember("LastUpdateDateTime", *settings.last_table_class_epoch_ms);
    }
    writer.EndObject();
  }
  if (settings.sse) {
    writer.BeginObject("SSEDescription");
    writer.StringMember("Status", settings.sse->is_updating ? "UPDATING" : "ENABLED");
    writer.StringMember("SSEType", "KMS");
    writer.StringMember("KMSMasterKeyArn", settings.sse->kms_key_arn);
    writer.EndObject();
  }
  WriteStream(table, writer);
}

}  // namespace

void WriteKeySchema(const KeySchema& key, JsonWriter& writer) {
  writer.BeginArray("KeySchema");
  for (std::size_t i = 0; i < key.parts(); ++i) {
    writer.BeginObject();
    writer.StringMember("AttributeName", key.part(i).name);
    writer.StringMember("KeyType", i < key.hash.size() ? "HASH" : "RANGE");
    writer.EndObject();
  }
  writer.EndArray();
}

void WriteTableDescription(const Context& context, const TableVersion& table, ResourceStatus status,
                           JsonWriter& writer) {
  writer.BeginObject();
  WriteAttributeDefinitions(table.settings, writer);
  writer.StringMember("TableName", table.name);
  WriteKeySchema(table.key, writer);
  writer.StringMember("TableStatus", ResourceStatusName(status));
  writer.TimestampMember("CreationDateTime", table.creation_epoch_ms);
  WriteThroughputAndSize(context, table, writer);
  WriteBillingMode(table.settings, status, writer);
  WriteAllIndexes(context, table, status, writer);
  WriteWarmThroughput(table.settings.warm, status, writer);
  WriteOtherSettings(table, writer);
  writer.EndObject();
}

void WriteTableAnswer(const Context& context, std::string_view member, const TableVersion& table,
                      ResourceStatus status, JsonWriter& answer) {
  answer.BeginObject();
  answer.Name(member);
  WriteTableDescription(context, table, status, answer);
  answer.EndObject();
}

void WriteDeletedTableDescription(const Context& context, const TableVersion& table,
                                  JsonWriter& writer) {
  constexpr ResourceStatus kStatus = ResourceStatus::kDeleting;
  writer.BeginObject();
  writer.StringMember("TableName", table.name);
  writer.StringMember("TableStatus", ResourceStatusName(kStatus));
  WriteThroughputAndSize(context, table, writer);
  WriteBillingMode(table.settings, kStatus, writer);
  WriteOtherSettings(table, writer);
  writer.EndObject();
}

}  // namespace hashrange
