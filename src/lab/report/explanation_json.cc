#include <algorithm>
#include <optional>
#include <string_view>

#include "lab/report/lab_plan_json.h"
#include "lab/report/lab_report.h"
#include "measure/report/json_report_members.h"

namespace hashrange {
namespace {

// Units that are not known are null.
void WriteSpread(std::string_view name, const UnitSpread& units, JsonWriter& writer) {
  writer.Name(name);
  if (units.calls == 0) return writer.Raw("null");
  writer.BeginObject();
  WriteTextMember("known", units.is_computed ? "computed" : "measured", writer);
  WriteCountMember("calls", units.calls, writer);
  WriteFigureMember("min", units.least, writer);
  WriteFigureMember("mean", units.mean, writer);
  WriteFigureMember("max", units.greatest, writer);
  WriteFigureMember("data_share", units.data_share, writer);
  writer.EndObject();
}

void WriteExplained(const LabFile& file, const ExplainedPattern& pattern, JsonWriter& writer) {
  WriteTextMember("name", pattern.name, writer);
  const auto declared = std::ranges::find(file.patterns, pattern.name, &LabPattern::name);
  const bool has_rate = declared != file.patterns.end() && declared->calls_per_second >= 0;
  WriteFigureMember("declared_calls_per_second",
                    has_rate ? std::optional(declared->calls_per_second) : std::nullopt, writer);
  WritePlanMembers(file, pattern.plan, writer);
  WriteSpread("read_units_a_call", pattern.read_units, writer);
  WriteSpread("write_units_a_call", pattern.write_units, writer);
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

void WriteExplanationJson(const LabFile& file, const std::vector<ExplainedLayout>& layouts,
                          JsonWriter& writer) {
  writer.BeginObject();
  WriteObjectsMember("layouts", layouts, writer, [&](const ExplainedLayout& layout) {
    WriteTextMember("name", layout.name, writer);
    WriteObjectsMember("patterns", layout.patterns, writer, [&](const ExplainedPattern& pattern) {
      WriteExplained(file, pattern, writer);
    });
    WriteObjectsMember("findings", layout.findings, writer,
                       [&](const PlanFinding& finding) { WriteFinding(finding, writer); });
  });
  writer.EndObject();
}

}  // namespace hashrange
