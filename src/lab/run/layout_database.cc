#include "lab/run/layout_database.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "base/memory/arena.h"
#include "base/memory/live_memory.h"
#include "base/memory/output_buffer.h"
#include "lab/plan/planner.h"
#include "lab/run/answer/answer_reader.h"
#include "measure/measurement_json.h"
#include "measure/partition_load.h"
#include "measure/pattern_sums.h"
#include "simulation/partitions/partition_parameters.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

constexpr std::string_view kMeasurement = "measurements/lab";

// Nothing happens at a time of the machine.
Database::Options DatabaseOptions() {
  Database::Options options;
  options.ttl_interval_ms = 0;
  options.metrics = false;
  return options;
}

std::string MillisecondsText(std::int64_t ms) { return std::to_string(ms) + "ms"; }

// Writes the members of the parameters, with all units divided by `thin`.
void WriteParameters(const PartitionParameters& parameters, std::uint64_t thin,
                     JsonWriter& writer) {
  for (const WholePartitionParameter& row : kWholePartitionParameters) {
    const std::int64_t value = parameters.*row.value;
    switch (row.kind) {
      case PartitionParameterKind::kUnits:
        writer.IntegerMember(row.name, std::min(ThinnedUnits(value, thin), row.greatest));
        break;
      case PartitionParameterKind::kBytes:
        writer.IntegerMember(row.name, value);
        break;
      case PartitionParameterKind::kTime:
        writer.StringMember(row.name, MillisecondsText(value));
        break;
    }
  }
  for (const SharePartitionParameter& row : kSharePartitionParameters) {
    writer.DoubleMember(row.name, parameters.*row.value);
  }
  writer.BeginObject(kSplitDelayParameter);
  writer.StringMember("min", MillisecondsText(parameters.least_split_delay_ms));
  writer.StringMember("max", MillisecondsText(parameters.greatest_split_delay_ms));
  writer.EndObject();
}

}  // namespace

std::int64_t ThinnedUnits(std::int64_t units, std::uint64_t thin) {
  const auto divisor = static_cast<std::int64_t>(thin);
  return std::max<std::int64_t>(1, (units + divisor / 2) / divisor);
}

LabTable ThinnedTable(LabTable table, std::uint64_t thin) {
  const auto divide = [&](LabThroughput& throughput) {
    throughput.read_units = ThinnedUnits(throughput.read_units, thin);
    throughput.write_units = ThinnedUnits(throughput.write_units, thin);
  };
  divide(table.throughput);
  for (LabIndex& index : table.indexes) divide(index.throughput);
  return table;
}

LayoutDatabase::LayoutDatabase(const LabFile& file, const LabLayout& layout, RequestsFile* log,
                               std::int64_t max_memory_bytes)
    : file_(file),
      layout_(layout),
      log_(log),
      max_memory_bytes_(max_memory_bytes),
      database_(DatabaseOptions()) {}

Status LayoutDatabase::CheckMemory() const {
  if (max_memory_bytes_ == 0 || ApproximateLiveBytes() <= max_memory_bytes_) return {};
  return ValidationError("Layout \"" + layout_.name +
                         "\": the data takes more memory than the run may take. Give entities a "
                         "smaller `count`, run fewer layouts at a time, or at a smaller scale.");
}

Status LayoutDatabase::CallForSetup(std::string_view operation, std::string_view json) {
  HR_RETURN_IF_ERROR(CheckMemory());
  const int status = database_.Call(operation, json, answer_);
  const LabAnswer answer = ReadLabAnswer(status, answer_);
  if (log_ != nullptr) log_->Write({"", operation, json, status, answer.units});
  if (status == kOkStatus) return {};
  return ValidationError("Layout \"" + layout_.name + "\": the engine refuses " +
                         std::string(operation) + ": " + std::string(ErrorMessageIn(answer_)) +
                         " The request was " + std::string(json.substr(0, 2000)));
}

Status LayoutDatabase::MakeTables(const LayoutPlan& plan, std::uint64_t thin) {
  SetTime(file_.start_epoch_ms);
  for (const LabTable& table : layout_.tables) {
    HR_RETURN_IF_ERROR(CallForSetup(
        "CreateTable", CreateTableRequest(thin == 1 ? table : ThinnedTable(table, thin))));
  }
  for (const std::string& ttl : plan.update_ttls) {
    HR_RETURN_IF_ERROR(CallForSetup("UpdateTimeToLive", ttl));
  }
  return {};
}

Result<std::uint64_t> LayoutDatabase::CountItems() {
  std::uint64_t items = 0;
  for (const LabTable& table : layout_.tables) {
    database_.Call("DescribeTable", R"({"TableName":")" + table.name + "\"}", answer_);
    Arena arena;
    HR_ASSIGN(const JsonValue* const answer, ParseJsonData(answer_, JsonDialect::kDocument, arena));
    const JsonValue* const described = answer->Find("Table");
    const JsonValue* const count = described == nullptr ? nullptr : described->Find("ItemCount");
    if (count == nullptr) return InternalError("the items of a table cannot be counted");
    std::uint64_t of_table = 0;
    const std::string_view text = count->string();
    std::from_chars(text.data(), text.data() + text.size(), of_table);
    items += of_table;
  }
  return items;
}

void LayoutDatabase::ModelPartitions(const LabPartitions& partitions) {
  // A table that took its traffic for long was cut where keys met in a partition. So many
  // partitions that keys seldom meet stand for that; the quota limits the table.
  constexpr std::int64_t kPartitionsOfWarm = 4;
  PartitionParameters parameters = file_.partitions;
  if (partitions.is_warm) {
    parameters.new_read_units = kPartitionsOfWarm * parameters.quota_read_units;
    parameters.new_write_units = kPartitionsOfWarm * parameters.quota_write_units;
  }
  OutputBuffer body;
  JsonWriter writer(body);
  writer.BeginObject();
  writer.StringMember("mode", "enforce");
  constexpr auto kMostSeed = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  writer.IntegerMember("seed", static_cast<std::int64_t>(partitions.seed & kMostSeed));
  writer.BeginObject("parameters");
  WriteParameters(parameters, partitions.thin, writer);
  writer.EndObject();
  writer.EndObject();
  database_.Control("POST", "partitions", body.view());
}

void LayoutDatabase::StartMeasurement() {
  database_.Control("POST", "measurements", R"({"name":"lab"})");
}

Result<Measurement> LayoutDatabase::StopMeasurement() {
  Answer answer = database_.Control("DELETE", kMeasurement);
  HR_ASSIGN(Measurement measurement, ReadOwnMeasurement(std::move(answer.body)));
  measurement.name = layout_.name;
  // These differ from run to run.
  measurement.server_time.clear();
  // All calls come from one caller here, so what one caller did one after another means nothing.
  measurement.sequences.clear();
  // For the same reason, the meter does not see that unprocessed members are sent again.
  for (PatternMeasure& pattern : measurement.patterns) pattern.abandoned_unprocessed = 0;
  MergeAlikePatterns(measurement);
  DescribeAsDeclared(measurement);
  return measurement;
}

void LayoutDatabase::DescribeAsDeclared(Measurement& measurement) const {
  for (TableMeasure& measured : measurement.tables) {
    measured.partition_limits = LimitsOf(file_.partitions);
    const auto table = std::ranges::find(layout_.tables, measured.name, &LabTable::name);
    if (table == layout_.tables.end() || table->throughput.on_demand) continue;
    measured.provisioned_read_units = table->throughput.read_units;
    measured.provisioned_write_units = table->throughput.write_units;
    for (IndexMeasure& index : measured.indexes) {
      const auto declared = std::ranges::find(table->indexes, index.name, &LabIndex::name);
      if (declared == table->indexes.end() || declared->throughput.on_demand) continue;
      index.provisioned_read_units = declared->throughput.read_units;
      index.provisioned_write_units = declared->throughput.write_units;
    }
  }
}

void LayoutDatabase::SaveTables() {
  database_.Control("POST", "snapshots", R"({"name":"filled"})");
}

void LayoutDatabase::RestoreTables() { database_.Control("POST", "snapshots/filled/restore"); }

void LayoutDatabase::DeleteExpired(std::int64_t epoch_ms) {
  SetTime(epoch_ms);
  database_.Control("POST", "clock", R"({"frozen":true})");
}

}  // namespace hashrange
