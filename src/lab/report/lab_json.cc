// The JSON of a lab.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/plan/request/request_template.h"
#include "lab/report/lab_growth.h"
#include "lab/report/lab_plans.h"
#include "lab/report/lab_report.h"
#include "lab/report/lab_sections.h"
#include "lab/report/lab_sentences.h"
#include "lab/report/lab_warm_up.h"
#include "measure/report/json_report_members.h"
#include "measure/report/measure_report.h"
#include "measure/report/readable_text.h"

namespace hashrange {
namespace {

// Writes the units of a call; null where no call succeeded.
void WriteUnits(const LabPatternFigures& pattern, JsonWriter& writer) {
  for (const bool is_write : {false, true}) {
    WriteObjectMember(
        is_write ? "write_units_a_call" : "read_units_a_call", pattern.succeeded > 0, writer, [&] {
          const UnitsOfCalls& units = is_write ? pattern.write_units : pattern.read_units;
          WriteFigureMember("mean", units.mean, writer);
          WriteFigureMember("p99", units.p99, writer);
          WriteFigureMember("max", units.greatest, writer);
        });
  }
}

void WriteWrongShare(const WrongShare& wrong, JsonWriter& writer) {
  WriteFigureMember("least_wrong_share", wrong.least, writer);
  WriteFigureMember("most_wrong_share", wrong.most, writer);
}

// Writes how the pattern is served, why, and its requests. The JSON of a request is a text, since
// it may have a "…" where no JSON has one.
void WritePlanMembers(const LabFile& file, const PatternPlan& plan, JsonWriter& writer) {
  WriteTextMember("service", ServiceText(plan), writer);
  WriteTextsMember("reasons", plan.reasons, writer);
  WriteTextsMember("rejected", plan.rejected, writer);
  if (!plan.impossible.empty()) WriteTextMember("impossible", plan.impossible, writer);
  WriteObjectsMember("steps", plan.steps, writer, [&](const PlanStep& step) {
    WriteTextMember("title", StepTitle(step), writer);
    WriteTextMember("operation", step.request.operation, writer);
    WriteTextMember("table", step.request.table, writer);
    WriteTextMember("index", step.request.index, writer);
    WriteTextMember("request", ReadableStep(file, step), writer);
    if (!step.walk) return;
    writer.Name("walk");
    writer.BeginObject();
    WriteTextMember("period", BucketName(step.buckets->form), writer);
    writer.Name("newest_first");
    writer.Bool(step.walk->is_backward);
    writer.IntegerMember("items", static_cast<std::uint64_t>(step.walk->items));
    WriteFigureMember("expected_periods_a_call", step.walk->mean_periods, writer);
    WriteFigureMember("expected_periods_p99", step.walk->p99_periods, writer);
    writer.EndObject();
  });
}

void WritePattern(const LabFile& file, const LabPatternFigures& pattern, JsonWriter& writer) {
  WriteTextMember("name", pattern.name, writer);
  if (pattern.plan) WritePlanMembers(file, *pattern.plan, writer);
  if (pattern.run) {
    const PatternRun& run = *pattern.run;
    const double rate = run.declared_calls_per_second;
    WriteFigureMember("declared_calls_per_second", rate >= 0 ? std::optional(rate) : std::nullopt,
                      writer);
    WriteFigureMember("weight", run.weight, writer);
    writer.IntegerMember("calls", run.calls);
    writer.IntegerMember("succeeded", pattern.succeeded);
    writer.IntegerMember("failed", run.failed);
    writer.IntegerMember("failed_conditions", run.conditions);
    writer.IntegerMember("skipped", run.skipped);
    writer.IntegerMember("requests", run.requests);
    writer.IntegerMember("throttled", run.throttled);
    writer.IntegerMember("items", run.items);
  }
  WriteUnits(pattern, writer);
  WriteVectorMembers(pattern.searched_bytes, pattern.vector_write_bytes, writer);
  WriteFigureMember("requests_a_call", pattern.requests_a_call, writer);
  WriteFigureMember("requests_a_call_p99",
                    pattern.succeeded > 0 ? std::optional(pattern.requests_p99) : std::nullopt,
                    writer);
  WriteObjectMember("round_trips_a_call", pattern.succeeded > 0, writer, [&] {
    WriteFigureMember("mean", pattern.run->round_trips.mean(), writer);
    WriteFigureMember("p99", pattern.run->round_trips.Percentile(0.99), writer);
  });
  WriteFigureMember("throttled_share", pattern.throttled_share, writer);
  WriteFigureMember("failed_share", pattern.failed_share, writer);
  WriteWrongShare(pattern.wrong, writer);
  WriteFigureMember("month_usd_on_demand", pattern.month_usd, writer);
}

void WriteLimitRow(const LimitRow& row, JsonWriter& writer) {
  WriteLimitPlace(row, writer);
  WriteTextMember("reason", row.reason, writer);
  writer.BoolMember("is_eventually_consistent", row.is_eventually_consistent);
  WriteFigureMember("limit_units_per_second", row.limit, writer);
  WriteFigureMember("units_a_call_of_the_mix", row.units_a_call, writer);
  WriteFigureMember("least_calls_per_second", row.least_calls_per_second, writer);
  WriteFigureMember("most_calls_per_second", row.greatest_calls_per_second, writer);
}

void WriteCollisions(const std::vector<ItemCollisions>& collisions, JsonWriter& writer) {
  WriteObjectsMember("collisions", collisions, writer, [&](const ItemCollisions& found) {
    WriteTextMember("table", found.table, writer);
    WriteTextMember("entity", found.entity, writer);
    WriteTextMember("replaced_by", found.by_entity, writer);
    writer.IntegerMember("items", found.items);
    writer.IntegerMember("items_replaced", found.replaced);
    WriteObjectsMember("examples", found.examples, writer,
                       [&](const ItemCollisions::Example& example) {
                         WriteTextMember("key", example.key, writer);
                         WriteTextMember("replaced", example.replaced, writer);
                         WriteTextMember("by", example.by, writer);
                       });
  });
}

void WriteFirstLimit(const LabLayoutFigures& layout, JsonWriter& writer) {
  WriteObjectMember("first_limit_of_keys", layout.key_limit.has_value(), writer, [&] {
    WriteFigureMember("multiple_of_declared", layout.key_limit->multiple, writer);
    WriteLimitRow(layout.key_limit->row, writer);
  });
  WriteObjectMember("first_limit", layout.first_limit.has_value(), writer, [&] {
    const DeclaredLimit& limit = *layout.first_limit;
    WriteFigureMember("multiple_of_declared", limit.multiple, writer);
    WriteFigureMember("computed_multiple_of_declared", limit.computed, writer);
    writer.BoolMember("is_of_the_mix", limit.is_of_mix);
    writer.BoolMember("is_of_warm_tables", layout.HasTableOnDemand());
    writer.BoolMember("has_all_patterns", FailedPatterns(layout).empty());
    WriteLimitRow(limit.row, writer);
    WriteTextMember("sentence", FirstDeclaredLimitText(layout), writer);
    writer.BoolMember("is_confirmed", limit.not_confirmed_because.empty());
    for (const auto& [name, reason] :
         {std::pair("not_confirmed_because", &limit.not_confirmed_because),
          std::pair("differs_because", &limit.differs_because)}) {
      if (!reason->empty()) WriteTextMember(name, *reason, writer);
    }
  });
}

void WriteThrottlePlace(const ThrottlePlace& place, JsonWriter& writer) {
  WriteObjectMember("most_throttled", !place.pattern.empty(), writer, [&] {
    WriteTextMember("pattern", place.pattern, writer);
    WriteFigureMember("pattern_share", place.pattern_share, writer);
    WriteTextMember("table", place.table, writer);
    WriteTextMember("index", place.index, writer);
    WriteTextMember("key", place.key, writer);
    WriteTextMember("reason", place.reason, writer);
  });
}

void WriteMonth(const LabLayoutFigures& layout, JsonWriter& writer) {
  WriteObjectMember("month", true, writer, [&] {
    WriteTextMember("basis", layout.month_basis, writer);
    const auto figure = [&](double LabMonth::*of_month) {
      return layout.month ? std::optional(*layout.month.*of_month) : std::nullopt;
    };
    writer.BoolMember("has_free_tier", true);
    WriteFigureMember("usd", figure(&LabMonth::usd), writer);
    writer.BoolMember("has_all_patterns", layout.HasWholeMonth());
    WriteFigureMember("usd_on_demand", figure(&LabMonth::on_demand_usd), writer);
    WriteFigureMember("usd_storage", figure(&LabMonth::storage_usd), writer);
    WriteFigureMember("units_above_capacity", figure(&LabMonth::units_above_capacity), writer);
  });
}

void WriteStorage(const LabLayoutFigures& layout, JsonWriter& writer) {
  WriteFigureMember("table_bytes", layout.table_bytes, writer);
  WriteFigureMember("index_bytes", layout.index_bytes, writer);
  WriteObjectMember("largest_collection", layout.largest_collection.has_value(), writer, [&] {
    const LabCollection& largest = *layout.largest_collection;
    WriteTextMember("table", largest.table, writer);
    WriteTextMember("index", largest.index, writer);
    WriteTextMember("key", largest.key, writer);
    WriteFigureMember("size_bytes", largest.size_bytes, writer);
  });
}

// Differences of a layout from the first one, as factors.
void WriteDifferences(const LabLayoutFigures& layout, const LabLayoutFigures& first,
                      JsonWriter& writer) {
  const auto ratio = [](std::optional<double> now, std::optional<double> before) {
    return now && before && *before > 0 ? std::optional(*now / *before) : std::nullopt;
  };
  const auto month = [](const LabLayoutFigures& each) {
    return each.month ? std::optional(each.month->usd) : std::nullopt;
  };
  const auto multiple = [](const LabLayoutFigures& each) {
    return each.first_limit ? std::optional(each.first_limit->multiple) : std::nullopt;
  };
  WriteObjectMember("times_the_first_layout", true, writer, [&] {
    WriteFigureMember("month_usd", ratio(month(layout), month(first)), writer);
    WriteFigureMember("first_limit", ratio(multiple(layout), multiple(first)), writer);
    WriteFigureMember("stored_bytes", ratio(layout.StoredBytes(), first.StoredBytes()), writer);
  });
}

void WriteLayout(const LabFile& file, const LabLayoutFigures& layout, const LabLayoutFigures& first,
                 JsonWriter& writer) {
  const LayoutRun& run = *layout.run;
  WriteTextMember("name", layout.name, writer);
  writer.IntegerMember("scale", run.scale);
  writer.BoolMember("is_partial", run.is_partial);
  writer.IntegerMember("simulated_ms", run.simulated_ms);
  writer.IntegerMember("items_loaded", run.items_loaded);
  writer.IntegerMember("items_replaced", run.items_replaced);
  WriteCollisions(run.collisions, writer);
  writer.IntegerMember("bytes_loaded", run.bytes_loaded);
  writer.IntegerMember("requests", layout.requests);
  WriteFigureMember("throttled_share", layout.throttled_share, writer);
  WriteThrottlePlace(layout.throttle_place, writer);
  WriteFigureMember("failed_share", layout.failed_share, writer);
  WriteWrongShare(layout.wrong, writer);
  WriteMonth(layout, writer);
  WriteFirstLimit(layout, writer);
  WriteObjectsMember("trials", run.trials, writer, [&](const LimitTrial& trial) {
    WriteFigureMember("multiple_of_declared", trial.multiple, writer);
    WriteTextMember("outcome", TrialOutcomeText(trial), writer);
    WriteFigureMember("throttled_share", trial.throttled, writer);
    writer.BoolMember("is_thinned", trial.is_thinned);
    WriteThrottlePlace(trial.place, writer);
  });
  writer.IntegerMember("indexes", layout.indexes);
  WriteFigureMember("round_trips_a_call", RoundTripsOf(layout), writer);
  WriteStorage(layout, writer);
  for (const char* severity : {"severe", "warning", "hint"}) {
    writer.IntegerMember(std::string(severity) + "_findings", layout.FindingCount(severity));
  }
  WriteObjectsMember("patterns", layout.patterns, writer, [&](const LabPatternFigures& pattern) {
    WritePattern(file, pattern, writer);
  });
  WriteBillingMember(layout.billing, writer);
  const auto grown = GrownLayoutOf(file, layout.name, run.growth);
  WriteGrowthMember(grown, writer);
  WriteTextsMember("warm_up", grown ? WarmUpSentences(*grown) : std::vector<std::string>(), writer);
  if (&layout != &first) WriteDifferences(layout, first, writer);
}

void WriteScale(const LabScaleFigures& scale, JsonWriter& writer) {
  writer.IntegerMember("scale", scale.scale);
  WriteObjectsMember("patterns", scale.patterns, writer, [&](const LabPatternFigures& pattern) {
    WriteTextMember("name", pattern.name, writer);
    WriteUnits(pattern, writer);
    writer.BoolMember("has_only_failed_calls", pattern.HasOnlyFailures());
  });
}

// Writes the units of a second that partitions, new tables and quotas have.
void WritePartitionUnits(const PartitionParameters& parameters, JsonWriter& writer) {
  writer.BeginObject("partitions");
  for (const WholePartitionParameter& row : kWholePartitionParameters) {
    if (row.kind != PartitionParameterKind::kUnits) continue;
    writer.IntegerMember(row.name, static_cast<std::uint64_t>(parameters.*row.value));
  }
  writer.EndObject();
}

void WriteVerdict(const LabFigures& figures, const LabVerdict& verdict, JsonWriter& writer) {
  WriteObjectMember("verdict", true, writer, [&] {
    writer.Name("layout");
    if (verdict.layout()) {
      writer.String(ReadableText(figures.layouts[*verdict.layout()].name));
    } else {
      writer.Raw("null");
    }
    WriteTextMember("headline", verdict.headline, writer);
    WriteTextsMember("reasons", verdict.reasons, writer);
    WriteTextMember("rule", VerdictRule(), writer);
    const auto changes = verdict.choice.value_or(LayoutChoice()).changes;
    WriteObjectsMember("changes", changes, writer, [&](const ChoiceChange& change) {
      WriteFigureMember(
          change.multiple < 1 ? "below_multiple_of_declared" : "above_multiple_of_declared",
          change.multiple, writer);
      WriteTextMember("layout", figures.layouts[change.layout].name, writer);
    });
  });
}

// --- The explanation ---

// Units that are not known are null.
void WriteSpread(std::string_view name, const UnitSpread& units, JsonWriter& writer) {
  WriteObjectMember(name, units.calls > 0, writer, [&] {
    WriteTextMember("known", units.is_computed ? "computed" : "measured", writer);
    writer.IntegerMember("calls", units.calls);
    WriteFigureMember("min", units.least, writer);
    WriteFigureMember("mean", units.mean, writer);
    WriteFigureMember("max", units.greatest, writer);
    WriteFigureMember("data_share", units.data_share, writer);
  });
}

void WriteCost(const LabLayout& layout, const PatternCost& cost, JsonWriter& writer) {
  WriteObjectsMember("expected", cost.keys, writer, [&](const KeyCost& one) {
    const LabIndex* const index = IndexOf(layout, one.key);
    WriteTextMember("table", TableOf(layout, one.key).name, writer);
    WriteTextMember("index", index == nullptr ? std::string() : index->name, writer);
    WriteTextMember("direction", one.is_write ? "write" : "read", writer);
    WriteFigureMember("units_a_call", one.units, writer);
    WriteFigureMember("hottest_key_share", one.hottest_share, writer);
  });
  WriteVectorMembers(cost.SearchedBytes(), cost.VectorWriteBytes(), writer, "expected_");
  WriteFigureMember("expected_requests_a_call", cost.requests, writer);
}

void WriteExplained(const LabFile& file, const std::string& layout, const ExplainedPattern& pattern,
                    JsonWriter& writer) {
  WriteTextMember("name", pattern.name, writer);
  const auto declared = std::ranges::find(file.patterns, pattern.name, &LabPattern::name);
  const bool has_rate = declared != file.patterns.end() && declared->calls_per_second >= 0;
  WriteFigureMember("declared_calls_per_second",
                    has_rate ? std::optional(declared->calls_per_second) : std::nullopt, writer);
  WritePlanMembers(file, pattern.plan, writer);
  const auto planned = std::ranges::find(file.layouts, layout, &LabLayout::name);
  if (planned != file.layouts.end()) WriteCost(*planned, pattern.plan.cost, writer);
  WriteSpread("read_units_a_call", pattern.read_units, writer);
  WriteSpread("write_units_a_call", pattern.write_units, writer);
  if (pattern.searched_bytes.greatest > 0) {
    WriteSpread("vector_bytes_searched_a_call", pattern.searched_bytes, writer);
  }
  if (pattern.vector_write_bytes.greatest > 0) {
    WriteSpread("vector_bytes_written_a_call", pattern.vector_write_bytes, writer);
  }
}

void WriteFinding(const PlanFinding& finding, JsonWriter& writer) {
  WriteTextMember("rule", finding.rule, writer);
  WriteTextMember("severity", finding.severity, writer);
  WriteTextMember("what", finding.what, writer);
  WriteTextMember("where", finding.where, writer);
  WriteTextMember("evidence", finding.evidence, writer);
  WriteTextMember("advice", finding.advice, writer);
}

}  // namespace

void WriteVectorMembers(double searched_bytes, double written_bytes, JsonWriter& writer,
                        const std::string& before) {
  if (searched_bytes > 0) {
    WriteFigureMember(before + "vector_bytes_searched_a_call", searched_bytes, writer);
  }
  if (written_bytes > 0) {
    WriteFigureMember(before + "vector_bytes_written_a_call", written_bytes, writer);
  }
}

void WriteLimitPlace(const LimitRow& row, JsonWriter& writer) {
  WriteTextMember("what", row.what, writer);
  WriteTextMember("table", row.table, writer);
  WriteTextMember("index", row.index, writer);
  WriteTextMember("key", row.key, writer);
  WriteTextMember("direction", row.direction, writer);
}

void WriteLabJson(const LabFile& file, const LabResult& result, JsonWriter& writer) {
  const LabView view = LabViewOf(file, result);
  const LabFigures& figures = view.figures;
  writer.BeginObject();
  writer.IntegerMember("seed", file.seed);
  writer.IntegerMember("thin", result.thin);
  WritePartitionUnits(file.partitions, writer);
  WriteVerdict(figures, view.verdict, writer);
  WriteObjectsMember("layouts", figures.layouts, writer, [&](const LabLayoutFigures& layout) {
    WriteLayout(file, layout, figures.layouts.front(), writer);
  });
  WriteObjectsMember("scales", figures.scales, writer, [&](const LabLayoutScales& layout) {
    WriteTextMember("name", layout.name, writer);
    WriteObjectsMember("scales", layout.scales, writer,
                       [&](const LabScaleFigures& scale) { WriteScale(scale, writer); });
  });
  WriteEndpointMember(file, result, writer);
  WriteCurvesMember(result.curves, writer);
  WriteTextsMember("violations", LimitViolations(file, result), writer);
  WriteTextsMember("notes", figures.notes, writer);
  // The whole of what the reports of a measurement have, findings included.
  std::vector<ReportInput> inputs;
  for (const LabLayoutFigures& layout : figures.layouts) inputs.push_back(layout.input);
  if (!inputs.empty()) {
    writer.Name("report");
    WriteReportJson(inputs, writer);
  }
  writer.EndObject();
}

void WriteExplanationJson(const LabFile& file, const std::vector<ExplainedLayout>& layouts,
                          JsonWriter& writer, const std::vector<ForecastCurve>& curves) {
  writer.BeginObject();
  WritePartitionUnits(file.partitions, writer);
  WriteObjectsMember("layouts", layouts, writer, [&](const ExplainedLayout& layout) {
    WriteTextMember("name", layout.name, writer);
    WriteObjectsMember("patterns", layout.patterns, writer, [&](const ExplainedPattern& pattern) {
      WriteExplained(file, layout.name, pattern, writer);
    });
    WriteObjectsMember("findings", layout.findings, writer,
                       [&](const PlanFinding& finding) { WriteFinding(finding, writer); });
    WriteCollisions(layout.collisions, writer);
    const auto grown = GrownLayoutOf(file, layout.name, layout.growth);
    WriteBillingMember(grown ? std::optional(ExpectedBilling(*grown)) : std::nullopt, writer);
    WriteGrowthMember(grown, writer);
    WriteTextsMember("warm_up", grown ? WarmUpSentences(*grown) : std::vector<std::string>(),
                     writer);
  });
  WriteCurvesMember(curves, writer);
  writer.EndObject();
}

}  // namespace hashrange
