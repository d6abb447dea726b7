// The tools that measure what calls cost.
#include <algorithm>
#include <string>
#include <utility>

#include "mcp/report_folder.h"
#include "mcp/tool.h"
#include "mcp/tool_requests.h"
#include "measure/cost/assessment.h"
#include "measure/report/measure_report.h"
#include "measure/report/readable_text.h"
#include "measure/report/report_input.h"
#include "wire/json.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostFindings = 15;
constexpr std::size_t kMostKeyCharacters = 120;

constexpr ToolArgument kNameArgument = {
    .name = "name", .is_required = true, .description = "The measurement's name"};

constexpr ToolArgument kStartArguments[] = {
    kNameArgument,
    {.name = "tables",
     .type = ArgumentType::kTexts,
     .description = "Only calls of these tables; without it: of all tables of the account"}};

constexpr ToolArgument kReadArguments[] = {
    kNameArgument,
    {.name = "options",
     .type = ArgumentType::kObject,
     .description =
         "{\"names\":[{\"name\":\"orders of a customer\",\"operation\":\"Query\",\"index\":"
         "\"GSI1\"}],\"rates\":{\"orders of a customer\":120}}: names for patterns, and their "
         "calls a second, from which a month's price follows"}};

Result<AssessmentOptions> OptionsIn(ObjectReader& arguments) {
  const JsonValue* const options = arguments.Member("options");
  if (!options) return AssessmentOptions();
  // The reader takes numbers as numbers, where a document has their texts.
  HR_ASSIGN(const OwnedJson json, OwnedJson::Parse(JsonText(*options), JsonDialect::kStrict));
  return ReadAssessmentOptions(json.value(), "options");
}

std::string PlaceText(const FindingPlace& place) {
  std::string text = place.table;
  if (!place.index.empty()) text += "/" + place.index;
  if (!place.entity.empty()) text += " " + place.entity;
  if (!place.key.empty()) text += " " + ClippedText(place.key, kMostKeyCharacters);
  return text;
}

// Returns a line for each finding, the worst first: what to do about it. The evidence is in the
// report. Empty: nothing was found.
std::string AdviceLines(const Assessment& assessment) {
  const auto& findings = assessment.findings.findings;
  if (findings.empty()) return {};
  std::string text = "What to do\n";
  for (std::size_t at = 0; at < std::min(findings.size(), kMostFindings); ++at) {
    const Finding& finding = findings[at];
    text += std::string(SeverityName(finding.severity)) + " " + finding.slug + ", " +
            PlaceText(finding.place) + ": " + finding.advice + "\n";
  }
  if (findings.size() > kMostFindings) {
    text += "and " + std::to_string(findings.size() - kMostFindings) + " more\n";
  }
  return text;
}

Result<ToolResult> StartMeasuring(ToolCall& call) {
  const std::string name = call.arguments.Text("name");
  HR_RETURN_IF_ERROR(BeginMeasurement(call.place.target, name, TextsOf(call.arguments, "tables")));
  return ToolResult{.text = "measurement " + name +
                            " counts the calls from now on; make them, then measurement_read\n"};
}

Result<ToolResult> ReportMeasured(ToolCall& call, bool ends) {
  const std::string name = call.arguments.Text("name");
  HR_ASSIGN(const AssessmentOptions options, OptionsIn(call.arguments));
  HR_RETURN_IF_ERROR(
      CheckOwner(call.place.target, "measurements", "measurement", name, OfAllAccounts::kAllowed));
  HR_ASSIGN(std::string json, FetchMeasurement(call.place.target, name, ends));
  HR_ASSIGN(Measurement measurement, ParseMeasurement(json));
  const Assessment assessment = Assess(std::move(measurement), options);
  const ReportInput input = MakeReportInput(assessment);
  std::string text = TextReport({&input, 1}, {}) + "\n" + AdviceLines(assessment);
  text = BoundedText(std::move(text), call.place.reports, "measurement.txt");
  text += FileLine("page", call.place.reports, "measurement.html", HtmlReport({&input, 1}));
  text += FileLine("data", call.place.reports, "measurement.json", json);
  return ToolResult{.text = std::move(text)};
}

Result<ToolResult> ReadMeasuring(ToolCall& call) { return ReportMeasured(call, false); }
Result<ToolResult> StopMeasuring(ToolCall& call) { return ReportMeasured(call, true); }

constexpr Tool kMeasurementTools[] = {
    {.name = "measurement_start",
     .title = "Start a measurement",
     .description =
         "Begins to measure what calls cost, by access pattern, table, index and key, whoever "
         "makes them: this server's tools or the application under work. Up to 16 run at a time. "
         "Then make the calls, and read it.",
     .arguments = kStartArguments,
     .effect = ToolEffect::kAdds,
     .is_idempotent = false,
     .function = StartMeasuring},
    {.name = "measurement_read",
     .title = "Read a measurement",
     .description =
         "Reports on a measurement that goes on: calls, capacity units and price by access "
         "pattern, the first limit that growth meets, and findings against design rules (Scans, "
         "filters, hot keys, indexes nobody reads) with advice. The whole page (HTML) and the data "
         "(JSON) are written to files.",
     .arguments = kReadArguments,
     .effect = ToolEffect::kReads,
     .function = ReadMeasuring},
    {.name = "measurement_stop",
     .title = "Stop a measurement",
     .description = "Ends a measurement, and reports on it as measurement_read does.",
     .arguments = kReadArguments,
     .effect = ToolEffect::kDestroys,
     .is_idempotent = false,
     .function = StopMeasuring}};

}  // namespace

std::span<const Tool> MeasurementTools() { return kMeasurementTools; }

}  // namespace hashrange
