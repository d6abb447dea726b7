#include "lab/report/lab_endpoint_json.h"

#include <string_view>

#include "lab/report/lab_endpoint_tables.h"
#include "measure/report/json_report_members.h"

namespace hashrange {
namespace {

constexpr double kUsPerMs = 1000;

void WriteMs(std::string_view name, const Distribution& us, JsonWriter& writer) {
  writer.Name(name);
  if (us.count() == 0) {
    writer.Raw("null");
    return;
  }
  writer.BeginObject();
  WriteFigureMember("mean", us.mean() / kUsPerMs, writer);
  WriteFigureMember("p50", us.Percentile(0.5) / kUsPerMs, writer);
  WriteFigureMember("p90", us.Percentile(0.9) / kUsPerMs, writer);
  WriteFigureMember("p99", us.Percentile(0.99) / kUsPerMs, writer);
  WriteFigureMember("max", us.max() / kUsPerMs, writer);
  writer.EndObject();
}

void WriteUnitsACall(std::string_view name, const Distribution& units, JsonWriter& writer) {
  writer.Name(name);
  if (units.count() == 0) {
    writer.Raw("null");
    return;
  }
  writer.BeginObject();
  WriteFigureMember("mean", units.mean(), writer);
  WriteFigureMember("p99", units.Percentile(0.99), writer);
  WriteFigureMember("max", units.max(), writer);
  writer.EndObject();
}

void WriteComparison(const UnitComparison& units, JsonWriter& writer) {
  writer.Name("units_and_twin");
  writer.BeginObject();
  WriteCountMember("requests_compared", units.compared, writer);
  WriteCountMember("different", units.different, writer);
  WriteCountMember("different_while_writing", units.uncertain, writer);
  WriteCountMember("not_comparable", units.not_comparable, writer);
  WriteCountMember("not_reported", units.unreported, writer);
  WriteCountMember("refused_by_twin", units.twin_refused, writer);
  WriteFigureMember("reported_units", units.reported_units, writer);
  WriteFigureMember("twin_units", units.twin_units, writer);
  WriteTextMember("first_difference", units.first_difference, writer);
  writer.EndObject();
}

void WriteEndpointPattern(const EndpointPatternRun& pattern, JsonWriter& writer) {
  const PatternRun& run = pattern.run;
  WriteCountMember("calls", run.calls, writer);
  WriteCountMember("failed", run.failed, writer);
  WriteCountMember("failed_conditions", run.conditions, writer);
  WriteCountMember("skipped", run.skipped, writer);
  WriteCountMember("not_made", pattern.not_made, writer);
  WriteCountMember("unfinished", pattern.unfinished, writer);
  WriteCountMember("requests", run.requests, writer);
  WriteCountMember("throttled", run.throttled, writer);
  WriteCountMember("not_answered", run.broken, writer);
  WriteCountMember("refused", run.refused, writer);
  WriteCountMember("items", run.items, writer);
  WriteTextMember("first_error", run.error, writer);
  WriteMs("latency_ms", pattern.latency_us, writer);
  WriteUnitsACall("read_units_a_call", run.read_units, writer);
  WriteUnitsACall("write_units_a_call", run.write_units, writer);
  WriteComparison(pattern.units, writer);
}

void WriteEndpointLayout(const LabFile& file, const EndpointResult& endpoint,
                         const EndpointLayoutRun& run, JsonWriter& writer) {
  WriteTextMember("name", run.layout, writer);
  WriteTextMember("ended_early_because", run.ended_early_because, writer);
  WriteTextMember("left_behind", run.left_behind, writer);
  WriteCountMember("items_filled", run.items_filled, writer);
  WriteFigureMember("fill_seconds", run.fill_s, writer);
  WriteFigureMember("traffic_seconds", run.traffic_s, writer);
  WriteFigureMember("elapsed_seconds", run.elapsed_s, writer);
  if (endpoint.is_charged) WriteFigureMember("spent_usd", run.spent_usd, writer);
  WriteMs("began_late_ms", run.lateness_us, writer);
  writer.Name("patterns");
  writer.BeginArray();
  for (std::size_t at = 0; at < run.patterns.size(); ++at) {
    const EndpointPatternRun& pattern = run.patterns[at];
    writer.BeginObject();
    WriteTextMember("name", pattern.run.name, writer);
    WriteFigureMember("wanted_calls_per_second", WantedCallsPerSecond(file, endpoint, run, at),
                      writer);
    WriteFigureMember("ended_calls_per_second", EndedCallsPerSecond(run, pattern), writer);
    WriteEndpointPattern(pattern, writer);
    writer.EndObject();
  }
  writer.EndArray();
}

}  // namespace

void WriteEndpointMember(const LabFile& file, const LabResult& result, JsonWriter& writer) {
  if (!result.endpoint) return;
  const EndpointResult& endpoint = *result.endpoint;
  writer.Name("endpoint");
  writer.BeginObject();
  WriteTextMember("url", endpoint.url, writer);
  WriteTextMember("table_prefix", endpoint.prefix, writer);
  WriteFigureMember("share_of_declared_rates", endpoint.rate, writer);
  WriteObjectsMember("layouts", endpoint.runs, writer, [&](const EndpointLayoutRun& run) {
    WriteEndpointLayout(file, endpoint, run, writer);
  });
  writer.EndObject();
}

}  // namespace hashrange
