// The JSON of reports of measurements.

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "measure/report/json_report_members.h"
#include "measure/report/measure_report.h"
#include "measure/report/partition_section.h"
#include "measure/rules/partition_text.h"

namespace hashrange {
namespace {

void Number(std::string_view name, double value, JsonWriter& writer) {
  if (!std::isfinite(value)) return;
  writer.DoubleMember(name, value);
}

void WriteMix(const MixFigures& mix, JsonWriter& writer) {
  WriteObjectMember("headline", true, writer, [&] {
    writer.IntegerMember("calls", mix.calls);
    writer.IntegerMember("requests", mix.requests);
    writer.IntegerMember("errors", mix.errors);
    writer.IntegerMember("throttled", mix.throttled);
    Number("read_units", mix.read_units, writer);
    Number("write_units", mix.write_units, writer);
    Number("failed_read_units", mix.failed_read_units, writer);
    Number("failed_write_units", mix.failed_write_units, writer);
    Number("usd_per_million_calls", mix.usd_per_million_calls, writer);
    writer.IntegerMember("items", mix.items);
    Number("table_bytes", mix.table_bytes, writer);
    Number("index_bytes", mix.index_bytes, writer);
    writer.IntegerMember("covered_ms", mix.covered_ms);
  });
}

void WritePattern(const PatternFigures& figures, JsonWriter& writer) {
  const PatternMeasure& pattern = *figures.pattern;
  WriteTextMember("id", pattern.id, writer);
  WriteTextMember("name", pattern.name, writer);
  WriteTextMember("text", pattern.text, writer);
  WriteTextMember("operation", pattern.operation, writer);
  writer.IntegerMember("calls", pattern.calls);
  Number("share_of_cost", figures.share_of_cost, writer);
  Number("usd_per_million", figures.usd_per_million, writer);
  Number("usd_of_a_million_calls_of_the_mix", figures.usd_of_mix, writer);
  Number("read_units_a_call", figures.read_units_a_call, writer);
  Number("read_units_p99", pattern.call.read_units.Percentile(0.99), writer);
  Number("write_units_a_call", figures.write_units_a_call, writer);
  Number("write_units_p99", pattern.call.write_units.Percentile(0.99), writer);
  if (figures.vector_bytes_searched_a_call > 0) {
    Number("vector_bytes_searched_a_call", figures.vector_bytes_searched_a_call, writer);
  }
  if (figures.vector_bytes_written_a_call > 0) {
    Number("vector_bytes_written_a_call", figures.vector_bytes_written_a_call, writer);
  }
  if (figures.examined_per_returned >= 0) {
    Number("examined_per_returned", figures.examined_per_returned, writer);
  }
  if (figures.resource_costs.empty()) return;
  WriteObjectsMember("resources", figures.resource_costs, writer,
                     [&](const ResourcePrice& resource) {
                       WriteTextMember("table", resource.table, writer);
                       WriteTextMember("index", resource.index, writer);
                       Number("read_usd_per_million", resource.read_usd_per_million, writer);
                       Number("write_usd_per_million", resource.write_usd_per_million, writer);
                     });
}

void WriteResource(const ResourceFigures& resource, JsonWriter& writer) {
  WriteTextMember("table", resource.table, writer);
  WriteTextMember("index", resource.index, writer);
  Number("read_units", resource.read_units, writer);
  Number("write_units", resource.write_units, writer);
  Number("read_units_a_call", resource.read_units_a_call, writer);
  Number("write_units_a_call", resource.write_units_a_call, writer);
  writer.IntegerMember("items", resource.items);
  Number("size_bytes", resource.size_bytes, writer);
  if (resource.is_deleted) {
    writer.BoolMember("is_deleted", true);
  }
  if (resource.hottest_key_share > 0) {
    Number("hottest_key_share", resource.hottest_key_share, writer);
  }
}

void WriteMonthJson(const ReportedMonth& month, JsonWriter& writer) {
  WriteObjectMember("month", true, writer, [&] {
    WriteTextMember("basis", month.basis, writer);
    WriteObjectsMember("plans", month.plans, writer, [&](const ReportedPlan& plan) {
      WriteTextMember("name", plan.name, writer);
      Number("usd", plan.usd, writer);
      WriteTextMember("method", plan.is_modelled ? "modelled" : "", writer);
      Number("units_above_capacity", plan.units_above_capacity, writer);
    });
    WriteObjectsMember("lines", month.lines, writer, [&](const ReportedCostLine& line) {
      WriteTextMember("what", line.what, writer);
      WriteTextMember("table", line.table, writer);
      WriteTextMember("index", line.index, writer);
      WriteTextMember("billing", line.billing, writer);
      Number("quantity", line.quantity, writer);
      WriteTextMember("unit", line.unit, writer);
      Number("usd", line.usd, writer);
      WriteTextMember("method", line.method, writer);
    });
  });
}

void WriteFirstLimitJson(const LimitRow& limit, JsonWriter& writer) {
  Number("least_calls_per_second", limit.least_calls_per_second, writer);
  Number("most_calls_per_second", limit.greatest_calls_per_second, writer);
  WriteTextMember("table", limit.table, writer);
  WriteTextMember("index", limit.index, writer);
  WriteTextMember("key", limit.key, writer);
  WriteTextMember("direction", limit.direction, writer);
  Number("limit_units_per_second", limit.limit, writer);
  if (limit.new_table_calls_per_second > 0) {
    Number("new_table_calls_per_second", limit.new_table_calls_per_second, writer);
  }
  WriteTextMember("sentence", limit.sentence, writer);
}

void WritePartitionJson(const PartitionFigure& figure, JsonWriter& writer) {
  const PartitionMeasure& partition = *figure.partition;
  const HashShares shares = HashSharesOf(partition);
  writer.IntegerMember("number", partition.number);
  writer.IntegerMember("parent", partition.parent);
  WriteTextMember("cause", partition.cause, writer);
  writer.IntegerMember("began_epoch_ms", partition.began_epoch_ms);
  writer.IntegerMember("ended_epoch_ms", partition.ended_epoch_ms);
  Number("begin_share", shares.begin, writer);
  Number("end_share", shares.end, writer);
  WriteTextMember("first_key", partition.first_key, writer);
  WriteTextMember("last_key", partition.last_key, writer);
  Number("read_units", partition.read_units, writer);
  Number("write_units", partition.write_units, writer);
  Number("read_demand", partition.read_demand, writer);
  Number("write_demand", partition.write_demand, writer);
  writer.IntegerMember("throttled_reads", partition.throttled_reads);
  writer.IntegerMember("throttled_writes", partition.throttled_writes);
  Number("peak_heat", figure.peak_heat, writer);
  Number("read_heat", partition.read_heat, writer);
  Number("write_heat", partition.write_heat, writer);
  WriteTextMember("uncut", UncutText(partition), writer);
}

void WritePartitionMapJson(const PartitionFigures& figures, JsonWriter& writer) {
  const PartitionMap& map = *figures.map;
  WriteTextMember("table", map.table, writer);
  WriteTextMember("index", map.index, writer);
  WriteTextMember("mode", map.mode, writer);
  writer.StringMember("method", "modelled");
  Number("read_limit", map.read_limit, writer);
  Number("write_limit", map.write_limit, writer);
  Number("partition_read_units", map.partition_read_units, writer);
  Number("partition_write_units", map.partition_write_units, writer);
  writer.IntegerMember("slice_ms", map.slice_ms);
  writer.IntegerMember("present", figures.present);
  writer.IntegerMember("splits", figures.splits.size());
  WriteObjectsMember("throttles", map.throttles, writer, [&](const ThrottleCount& throttle) {
    WriteTextMember("reason", throttle.reason, writer);
    writer.IntegerMember("count", throttle.count);
  });
  const std::vector<PartitionFigure> shown = HottestOf(figures.partitions, kMostPartitionRows);
  WriteObjectsMember("partitions", shown, writer,
                     [&](const PartitionFigure& figure) { WritePartitionJson(figure, writer); });
  writer.IntegerMember("left_out", figures.partitions.size() - shown.size());
}

void WriteFindingJson(const ReportedFinding& finding, JsonWriter& writer) {
  WriteTextMember("rule", finding.rule, writer);
  WriteTextMember("severity", finding.severity, writer);
  WriteTextMember("what", finding.what, writer);
  WriteTextMember("where", finding.where, writer);
  WriteTextMember("evidence", finding.evidence, writer);
  WriteTextMember("cost", finding.cost, writer);
  WriteTextMember("advice", finding.advice, writer);
  WriteTextMember("method", finding.method, writer);
}

void WriteView(const ReportView& view, JsonWriter& writer) {
  const ReportInput& input = *view.input;
  WriteTextMember("title", view.title, writer);
  writer.IntegerMember("began_epoch_ms", input.measurement.began_epoch_ms);
  writer.IntegerMember("ended_epoch_ms", input.measurement.ended_epoch_ms);
  WriteMix(view.mix, writer);
  WriteObjectsMember("patterns", view.patterns, writer,
                     [&](const PatternFigures& figures) { WritePattern(figures, writer); });
  WriteObjectsMember("resources", view.resources, writer,
                     [&](const ResourceFigures& resource) { WriteResource(resource, writer); });
  WriteMonthJson(input.month, writer);
  WriteObjectsMember("first_limits", input.first_limits, writer,
                     [&](const LimitRow& limit) { WriteFirstLimitJson(limit, writer); });
  WriteTextMember("first_limit_assumption", input.first_limit_assumption, writer);
  if (!input.measurement.partitions.empty()) {
    WriteObjectsMember(
        "partitions", PartitionFiguresOf(input.measurement), writer,
        [&](const PartitionFigures& figures) { WritePartitionMapJson(figures, writer); });
  }
  WriteObjectsMember("findings", input.findings, writer,
                     [&](const ReportedFinding& finding) { WriteFindingJson(finding, writer); });
  WriteObjectsMember("not_assessed", input.not_assessed, writer, [&](const ReportedGap& gap) {
    WriteTextMember("rule", gap.rule, writer);
    WriteTextMember("why", gap.why, writer);
  });
  writer.IntegerMember("clean_rules", input.clean_rules);
  WriteObjectsMember("callers", CallersOf(input.measurement), writer,
                     [&](const NamedCount& caller) {
                       WriteTextMember("name", caller.name, writer);
                       writer.IntegerMember("requests", caller.count);
                     });
  WriteObjectsMember("assumptions", input.assumptions, writer,
                     [&](const ReportedAssumption& assumption) {
                       WriteTextMember("sentence", assumption.sentence, writer);
                       WriteTextMember("method", assumption.method, writer);
                     });
}

void WriteCompared(const ComparedPattern& pattern, JsonWriter& writer) {
  WriteTextMember("pattern", pattern.label, writer);
  writer.BeginArray("usd_per_million");
  for (const std::optional<ComparedFigures>& figures : pattern.figures) {
    if (figures && std::isfinite(figures->usd_per_million)) {
      writer.Double(figures->usd_per_million);
    } else {
      writer.Raw("null");
    }
  }
  writer.EndArray();
}

}  // namespace

void WriteReportJson(std::span<const ReportInput> inputs, JsonWriter& writer) {
  const std::vector<ReportView> views = ViewsOf(inputs);
  std::vector<ComparedPattern> compared;
  if (views.size() > 1) compared = ComparePatterns(views);
  writer.BeginObject();
  WriteObjectsMember("measurements", views, writer,
                     [&](const ReportView& view) { WriteView(view, writer); });
  WriteObjectsMember("compared", compared, writer,
                     [&](const ComparedPattern& pattern) { WriteCompared(pattern, writer); });
  writer.EndObject();
}

}  // namespace hashrange
