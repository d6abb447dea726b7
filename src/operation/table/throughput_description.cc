#include "operation/table/throughput_description.h"

#include "engine/throughput_history.h"

namespace hashrange {

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
  writer.IntegerMember("NumberOfDecreasesToday", DecreasesToday(history, context.NowEpochMs()));
  writer.IntegerMember("ReadCapacityUnits", throughput.read_units);
  writer.IntegerMember("WriteCapacityUnits", throughput.write_units);
  writer.EndObject();
}

void WriteWarmThroughput(const WarmThroughput& warm, ResourceStatus status, JsonWriter& writer) {
  const bool creating = status == ResourceStatus::kCreating;
  if (creating && !warm.is_given) return;
  writer.Name("WarmThroughput");
  writer.BeginObject();
  writer.IntegerMember("ReadUnitsPerSecond", warm.read_units_per_second);
  writer.IntegerMember("WriteUnitsPerSecond", warm.write_units_per_second);
  writer.StringMember("Status", creating || warm.is_updating ? "UPDATING" : "ACTIVE");
  writer.EndObject();
}

void WriteOnDemandThroughput(const std::optional<OnDemandThroughput>& limit, JsonWriter& writer) {
  if (!limit) return;
  writer.Name("OnDemandThroughput");
  writer.BeginObject();
  if (limit->max_read_units) writer.IntegerMember("MaxReadRequestUnits", *limit->max_read_units);
  if (limit->max_write_units) writer.IntegerMember("MaxWriteRequestUnits", *limit->max_write_units);
  writer.EndObject();
}

}  // namespace hashrange
