// measurements: the calls that begin, read and end measurements.
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/text/time_text.h"
#include "control/call_input.h"
#include "control/routes.h"
#include "control/running_measurements.h"
#include "measure/cost/assessment.h"
#include "measure/measurement_json.h"
#include "measure/meter/meter.h"
#include "measure/report/measure_report.h"
#include "measure/report/report_input.h"

namespace hashrange {
namespace {

constexpr std::size_t kMaxMeasurementNameBytes = 100;
constexpr std::size_t kMaxTableNames = 1000;
constexpr std::size_t kMaxAgainst = 16;

Status CheckMeasurementName(std::string_view name) {
  const bool is_plain = name.find_first_of("/?#%") == name.npos;
  if (is_plain && name.size() <= kMaxMeasurementNameBytes) return {};
  return ValidationError("\"name\" is at most " + std::to_string(kMaxMeasurementNameBytes) +
                         " bytes long and has none of the characters / ? # %.");
}

Result<std::vector<std::string>> ReadTableNames(const ControlObject& body) {
  std::vector<std::string> names;
  if (body.List("tables").size() > kMaxTableNames) {
    return ValidationError("\"tables\" has at most " + std::to_string(kMaxTableNames) + " names.");
  }
  for (const JsonValue& name : body.List("tables")) {
    const bool is_name = name.type == JsonValue::Type::kString && name.size > 0;
    if (!is_name || name.size > kMaxScopeNameBytes) {
      return ValidationError("\"tables\" is a list of the names of tables.");
    }
    names.emplace_back(name.string());
  }
  return names;
}

Result<MeasurementSettings> ReadMeasurementSettings(const ControlObject& body) {
  MeasurementSettings settings;
  if (const auto separators = body.Text("separators")) settings.separators = *separators;
  settings.window_ms = body.DurationMs("window").value_or(settings.window_ms);
  settings.type_attribute = body.Text("type_attribute").value_or("");
  if (settings.type_attribute.size() > kMaxScopeNameBytes) {
    return ValidationError("\"type_attribute\" is longer than " +
                           std::to_string(kMaxScopeNameBytes) + " bytes.");
  }
  if (settings.separators.size() > 16) {
    return ValidationError("\"separators\" has at most 16 characters.");
  }
  constexpr std::int64_t kLeastWindowMs = 1000, kGreatestWindowMs = 86'400'000;
  if (settings.window_ms < kLeastWindowMs || settings.window_ms > kGreatestWindowMs) {
    return ValidationError("\"window\" is from 1s to 24h.");
  }
  return settings;
}

Result<AssessmentOptions> ReadOptions(const ControlObject& body) {
  const JsonValue* const options = body.Find("options");
  return options ? ReadAssessmentOptions(*options, "options") : AssessmentOptions();
}

void WriteSummary(const MeasurementSummary& summary, JsonWriter& answer) {
  answer.BeginObject();
  answer.StringMember("name", summary.name);
  if (!summary.scope.account.empty()) answer.StringMember("account", summary.scope.account);
  if (!summary.scope.region.empty()) answer.StringMember("region", summary.scope.region);
  if (!summary.scope.tables.empty()) {
    WriteList("tables", summary.scope.tables, answer,
              [&](const std::string& table) { answer.String(table); });
  }
  answer.StringMember("began", InstantText(summary.began_epoch_ms));
  answer.EndObject();
}

}  // namespace

ControlResult ListMeasurements(ControlCall& call, JsonWriter& answer) {
  return AnswerList("measurements", call.parts.meter.List(), answer,
                    [&](const MeasurementSummary& summary) { WriteSummary(summary, answer); });
}

ControlResult StartMeasurement(ControlCall& call, JsonWriter& answer) {
  constexpr Member kMembers[] = {{"name", MemberType::kText, true},
                                 kAccountMember,
                                 kRegionMember,
                                 {"tables", MemberType::kList},
                                 {"separators", MemberType::kText},
                                 {"window", MemberType::kDuration},
                                 {"type_attribute", MemberType::kText}};
  HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kMembers));
  const std::string name(*body.Text("name"));
  HR_RETURN_IF_ERROR(CheckMeasurementName(name));
  HR_ASSIGN(const Scope scope, ReadScope(body, call.parts.shared_tables));
  HR_ASSIGN(std::vector<std::string> tables, ReadTableNames(body));
  HR_ASSIGN(MeasurementSettings settings, ReadMeasurementSettings(body));
  MeasurementScope measured{std::string(scope.account_id.value_or("")),
                            std::string(scope.region.value_or("")), std::move(tables)};
  HR_RETURN_IF_ERROR(
      call.parts.running_measurements.Start(name, std::move(measured), std::move(settings)));
  for (const MeasurementSummary& summary : call.parts.meter.List()) {
    if (summary.name == name) WriteSummary(summary, answer);
  }
  return {};
}

ControlResult DescribeMeasurement(ControlCall& call, JsonWriter& answer) {
  HR_ASSIGN(const Measurement measurement, call.parts.running_measurements.Read(call.name));
  WriteMeasurement(measurement, answer);
  return {};
}

ControlResult EndMeasurement(ControlCall& call, JsonWriter& answer) {
  HR_ASSIGN(const Measurement measurement, call.parts.running_measurements.Stop(call.name));
  WriteMeasurement(measurement, answer);
  return {};
}

ControlResult ReportMeasurement(ControlCall& call, JsonWriter& answer) {
  constexpr Member kMembers[] = {{"format", MemberType::kText},
                                 {"options", MemberType::kObject},
                                 {"against", MemberType::kList}};
  HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kMembers));
  const std::string_view format = body.Text("format").value_or("text");
  if (format != "text" && format != "html" && format != "json") {
    return ControlError(400, R"("format" is "text", "html" or "json".)");
  }
  HR_ASSIGN(const AssessmentOptions options, ReadOptions(body));
  HR_ASSIGN(Measurement measurement, call.parts.running_measurements.Read(call.name));
  std::vector<Assessment> assessments;
  assessments.push_back(Assess(std::move(measurement), options));
  const std::span<const JsonValue> against = body.List("against");
  if (against.size() > kMaxAgainst) {
    return ControlError(
        400, "\"against\" has at most " + std::to_string(kMaxAgainst) + " measurements.");
  }
  for (const JsonValue& json : against) {
    HR_ASSIGN(Measurement other, ReadMeasurement(json));
    assessments.push_back(Assess(std::move(other), options));
  }
  const std::vector<ReportInput> inputs = MakeReportInputs(assessments);
  if (format == "json") {
    WriteReportJson(inputs, answer);
  } else if (format == "html") {
    call.content_type = "text/html; charset=utf-8";
    answer.Raw(HtmlReport(inputs));
  } else {
    call.content_type = "text/plain; charset=utf-8";
    answer.Raw(TextReport(inputs, {}));
  }
  return {};
}

ControlResult CheckMeasurement(ControlCall& call, JsonWriter& answer) {
  constexpr Member kMembers[] = {{"budgets", MemberType::kObject, true},
                                 {"options", MemberType::kObject}};
  HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kMembers));
  HR_ASSIGN(const Budgets budgets, ReadBudgets(*body.Find("budgets")));
  HR_ASSIGN(const AssessmentOptions options, ReadOptions(body));
  HR_ASSIGN(Measurement measurement, call.parts.running_measurements.Read(call.name));
  WriteViolations(CheckBudgets(std::move(measurement), budgets, options), answer);
  return {};
}

ControlResult CompareMeasurement(ControlCall& call, JsonWriter& answer) {
  constexpr Member kMembers[] = {{"against", MemberType::kObject, true},
                                 {"options", MemberType::kObject}};
  HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kMembers));
  HR_ASSIGN(Measurement baseline, ReadMeasurement(*body.Find("against")));
  HR_ASSIGN(const AssessmentOptions options, ReadOptions(body));
  HR_ASSIGN(Measurement measurement, call.parts.running_measurements.Read(call.name));
  std::vector<Measurement> measurements;
  measurements.push_back(std::move(baseline));
  measurements.push_back(std::move(measurement));
  WriteComparison(CompareNamed(std::move(measurements), options), answer);
  return {};
}

ControlResult EndMeasurements(ControlCall& call, JsonWriter& answer) {
  std::size_t count = 0;
  for (const MeasurementSummary& summary : call.parts.meter.List()) {
    if (call.parts.running_measurements.Discard(summary.name)) ++count;
  }
  return AnswerCount("measurements", count, answer);
}

}  // namespace hashrange
