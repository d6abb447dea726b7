#include "report/report_json.h"

#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "measure/partition_text.h"
#include "report/partition_figures.h"
#include "report/readable_text.h"
#include "report/report_figures.h"

namespace hashrange {
namespace {

void Text(std::string_view name, std::string_view text, JsonWriter& writer) {
  writer.StringMember(name, ReadableText(text));
}

void Number(std::string_view name, double value, JsonWriter& writer) {
  if (!std::isfinite(value)) return;
  writer.Name(name);
  writer.Double(value);
}

void Count(std::string_view name, std::uint64_t count, JsonWriter& writer) {
  writer.IntegerMember(name, static_cast<std::int64_t>(count));
}

// Writes an array of objects, each by `write`.
template <typename Values, typename Write>
void List(std::string_view name, const Values& values, JsonWriter& writer, Write write) {
  writer.Name(name);
  writer.BeginArray();
  for (const auto& value : values) {
    writer.BeginObject();
    write(value);
    writer.EndObject();
  }
  writer.EndArray();
}

void WriteMix(const MixFigures& mix, JsonWriter& writer) {
  writer.Name("headline");
  writer.BeginObject();
  Count("calls", mix.calls, writer);
  Count("requests", mix.requests, writer);
  Count("errors", mix.errors, writer);
  Count("throttled", mix.throttled, writer);
  Number("read_units", mix.read_units, writer);
  Number("write_units", mix.write_units, writer);
  Number("failed_read_units", mix.failed_read_units, writer);
  Number("failed_write_units", mix.failed_write_units, writer);
  Number("usd_per_million_calls", mix.usd_per_million_calls, writer);
  Count("items", mix.items, writer);
  Number("table_bytes", mix.table_bytes, writer);
  Number("index_bytes", mix.index_bytes, writer);
  writer.IntegerMember("covered_ms", mix.covered_ms);
  writer.EndObject();
}

void WritePattern(const PatternFigures& figures, JsonWriter& writer) {
  const PatternMeasure& pattern = *figures.pattern;
  Text("id", pattern.id, writer);
  Text("name", pattern.name, writer);
  Text("text", pattern.text, writer);
  Text("operation", pattern.operation, writer);
  Count("calls", pattern.calls, writer);
  Number("share_of_cost", figures.share_of_cost, writer);
  Number("usd_per_million", figures.usd_per_million, writer);
  Number("usd_of_a_million_calls_of_the_mix", figures.usd_of_mix, writer);
  Number("read_units_a_call", figures.read_units_a_call, writer);
  Number("read_units_p99", pattern.call.read_units.Percentile(0.99), writer);
  Number("write_units_a_call", figures.write_units_a_call, writer);
  Number("write_units_p99", pattern.call.write_units.Percentile(0.99), writer);
  if (figures.examined_per_returned >= 0) {
    Number("examined_per_returned", figures.examined_per_returned, writer);
  }
  if (figures.resource_costs.empty()) return;
  List("resources", figures.resource_costs, writer, [&](const ReportedResourceCost& resource) {
    Text("table", resource.table, writer);
    Text("index", resource.index, writer);
    Number("read_usd_per_million", resource.read_usd_per_million, writer);
    Number("write_usd_per_million", resource.write_usd_per_million, writer);
  });
}

void WriteResource(const ResourceFigures& resource, JsonWriter& writer) {
  Text("table", resource.table, writer);
  Text("index", resource.index, writer);
  Number("read_units", resource.read_units, writer);
  Number("write_units", resource.write_units, writer);
  Number("read_units_a_call", resource.read_units_a_call, writer);
  Number("write_units_a_call", resource.write_units_a_call, writer);
  Count("items", resource.items, writer);
  Number("size_bytes", resource.size_bytes, writer);
  if (resource.is_deleted) {
    writer.Name("is_deleted");
    writer.Bool(true);
  }
  if (resource.hottest_key_share > 0) {
    Number("hottest_key_share", resource.hottest_key_share, writer);
  }
}

void WriteMonthJson(const ReportedMonth& month, JsonWriter& writer) {
  writer.Name("month");
  writer.BeginObject();
  Text("basis", month.basis, writer);
  List("plans", month.plans, writer, [&](const ReportedPlan& plan) {
    Text("name", plan.name, writer);
    Number("usd", plan.usd, writer);
    Text("method", plan.is_modelled ? "modelled" : "", writer);
    Number("units_above_capacity", plan.units_above_capacity, writer);
  });
  List("lines", month.lines, writer, [&](const ReportedCostLine& line) {
    Text("what", line.what, writer);
    Text("table", line.table, writer);
    Text("index", line.index, writer);
    Text("billing", line.billing, writer);
    Number("quantity", line.quantity, writer);
    Text("unit", line.unit, writer);
    Number("usd", line.usd, writer);
    Text("method", line.method, writer);
  });
  writer.EndObject();
}

void WriteFirstLimitJson(const ReportedFirstLimit& limit, JsonWriter& writer) {
  Number("least_calls_per_second", limit.least_calls_per_second, writer);
  Number("most_calls_per_second", limit.most_calls_per_second, writer);
  Text("table", limit.table, writer);
  Text("index", limit.index, writer);
  Text("key", limit.key, writer);
  Text("direction", limit.direction, writer);
  Number("limit_units_per_second", limit.limit_units_per_second, writer);
  if (limit.new_table_calls_per_second > 0) {
    Number("new_table_calls_per_second", limit.new_table_calls_per_second, writer);
  }
  Text("sentence", limit.sentence, writer);
}

void WritePartitionJson(const PartitionFigure& figure, JsonWriter& writer) {
  const PartitionMeasure& partition = *figure.partition;
  const HashShares shares = HashSharesOf(partition);
  writer.IntegerMember("number", partition.number);
  writer.IntegerMember("parent", partition.parent);
  Text("cause", partition.cause, writer);
  writer.IntegerMember("began_epoch_ms", partition.began_epoch_ms);
  writer.IntegerMember("ended_epoch_ms", partition.ended_epoch_ms);
  Number("begin_share", shares.begin, writer);
  Number("end_share", shares.end, writer);
  Text("first_key", partition.first_key, writer);
  Text("last_key", partition.last_key, writer);
  Number("read_units", partition.read_units, writer);
  Number("write_units", partition.write_units, writer);
  Number("read_demand", partition.read_demand, writer);
  Number("write_demand", partition.write_demand, writer);
  writer.IntegerMember("throttled_reads", partition.throttled_reads);
  writer.IntegerMember("throttled_writes", partition.throttled_writes);
  Number("peak_heat", figure.peak_heat, writer);
  Number("read_heat", partition.read_heat, writer);
  Number("write_heat", partition.write_heat, writer);
  Text("uncut", UncutText(partition), writer);
}

void WritePartitionMapJson(const PartitionFigures& figures, JsonWriter& writer) {
  const PartitionMap& map = *figures.map;
  Text("table", map.table, writer);
  Text("index", map.index, writer);
  Text("mode", map.mode, writer);
  writer.StringMember("method", "modelled");
  Number("read_limit", map.read_limit, writer);
  Number("write_limit", map.write_limit, writer);
  Number("partition_read_units", map.partition_read_units, writer);
  Number("partition_write_units", map.partition_write_units, writer);
  writer.IntegerMember("slice_ms", map.slice_ms);
  Count("present", figures.present, writer);
  Count("splits", figures.splits.size(), writer);
  List("throttles", map.throttles, writer, [&](const ThrottleCount& throttle) {
    Text("reason", throttle.reason, writer);
    writer.IntegerMember("count", throttle.count);
  });
  const std::vector<PartitionFigure> shown = HottestOf(figures.partitions, kMostPartitionRows);
  List("partitions", shown, writer,
       [&](const PartitionFigure& figure) { WritePartitionJson(figure, writer); });
  Count("left_out", figures.partitions.size() - shown.size(), writer);
}

void WriteFindingJson(const ReportedFinding& finding, JsonWriter& writer) {
  Text("rule", finding.rule, writer);
  Text("severity", finding.severity, writer);
  Text("what", finding.what, writer);
  Text("where", finding.where, writer);
  Text("evidence", finding.evidence, writer);
  Text("cost", finding.cost, writer);
  Text("advice", finding.advice, writer);
  Text("method", finding.method, writer);
}

void WriteView(const ReportView& view, JsonWriter& writer) {
  const ReportInput& input = *view.input;
  Text("title", view.title, writer);
  writer.IntegerMember("began_epoch_ms", input.measurement.began_epoch_ms);
  writer.IntegerMember("ended_epoch_ms", input.measurement.ended_epoch_ms);
  WriteMix(view.mix, writer);
  List("patterns", view.patterns, writer,
       [&](const PatternFigures& figures) { WritePattern(figures, writer); });
  List("resources", view.resources, writer,
       [&](const ResourceFigures& resource) { WriteResource(resource, writer); });
  WriteMonthJson(input.month, writer);
  List("first_limits", input.first_limits, writer,
       [&](const ReportedFirstLimit& limit) { WriteFirstLimitJson(limit, writer); });
  Text("first_limit_assumption", input.first_limit_assumption, writer);
  if (!input.measurement.partitions.empty()) {
    List("partitions", PartitionFiguresOf(input.measurement), writer,
         [&](const PartitionFigures& figures) { WritePartitionMapJson(figures, writer); });
  }
  List("findings", input.findings, writer,
       [&](const ReportedFinding& finding) { WriteFindingJson(finding, writer); });
  List("not_assessed", input.not_assessed, writer, [&](const ReportedGap& gap) {
    Text("rule", gap.rule, writer);
    Text("why", gap.why, writer);
  });
  Count("clean_rules", input.clean_rules, writer);
  List("callers", CallersOf(input.measurement), writer, [&](const NamedCount& caller) {
    Text("name", caller.name, writer);
    Count("requests", caller.count, writer);
  });
  List("assumptions", input.assumptions, writer, [&](const ReportedAssumption& assumption) {
    Text("sentence", assumption.sentence, writer);
    Text("method", assumption.method, writer);
  });
}

void WriteCompared(const ComparedPattern& pattern, JsonWriter& writer) {
  Text("pattern", pattern.label, writer);
  writer.Name("usd_per_million");
  writer.BeginArray();
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
  List("measurements", views, writer, [&](const ReportView& view) { WriteView(view, writer); });
  List("compared", compared, writer,
       [&](const ComparedPattern& pattern) { WriteCompared(pattern, writer); });
  writer.EndObject();
}

}  // namespace hashrange
