#include "operation/table/throughput_description.h"

#include "engine/throughput_history.h"

namespace hashrange {
namespace {

void Member(JsonWriter& writer, std::string_view name, std::string_view value) {
  writer.Name(name);
  writer.String(value);
}
void Member(JsonWriter& writer, std::string_view name, std::int64_t value) {
  writer.Name(name);
  writer.Integer(value);
}

}  // namespace

void WriteThroughput(const Context& context, const ProvisionedThroughput& throughput,
                     const ThroughputHistory& history, JsonWriter& writer) {
  writer.Name("ProvisionedThroughput");
  writer.BeginObject();
  if (history.last_increase_epoch_ms) {
    writer.Name("LastIncreaseDateTime");
    writer.Timestamp(*history.last_increase_epoch_ms);
  }
  if (history.last_decrease_epoch_ms) {
    writer.Name("LastDecreaseDateTime");
    writer.Timestamp(*history.last_decrease_epoch_ms);
  }
  Member(writer, "NumberOfDecreasesToday", DecreasesToday(history, context.NowEpochMs()));
  Member(writer, "ReadCapacityUnits", throughput.read_units);
  Member(writer, "WriteCapacityUnits", throughput.write_units);
  writer.EndObject();
}

void WriteWarmThroughput(const WarmThroughput& warm, ResourceStatus status, JsonWriter& writer) {
  const bool creating = status == ResourceStatus::kCreating;
  if (creating && !warm.is_given) return;
  writer.Name("WarmThroughput");
  writer.BeginObject();
  Member(writer, "ReadUnitsPerSecond", warm.read_units_per_second);
  Member(writer, "WriteUnitsPerSecond", warm.write_units_per_second);
  Member(writer, "Status", creating || warm.is_updating ? "UPDATING" : "ACTIVE");
  writer.EndObject();
}

void WriteOnDemandThroughput(const std::optional<OnDemandThroughput>& limit, JsonWriter& writer) {
  if (!limit) return;
  writer.Name("OnDemandThroughput");
  writer.BeginObject();
  if (limit->max_read_units) Member(writer, "MaxReadRequestUnits", *limit->max_read_units);
  if (limit->max_write_units) Member(writer, "MaxWriteRequestUnits", *limit->max_write_units);
  writer.EndObject();
}

}  // namespace hashrange
