#include "cli/measure_commands.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/output_buffer.h"
#include "base/output_folder.h"
#include "cli/ctl_call.h"
#include "cli/json_layout.h"
#include "cli/measure_output.h"
#include "cli/measurement_source.h"
#include "measure/cost/assessment.h"
#include "measure/cost/price_list.h"
#include "measure/cost/result_json.h"
#include "measure/report/readable_text.h"
#include "measure/report/report_input.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

constexpr const char* kListTarget = "/_hashrange/measurements";

// Sends the call and prints the answer like the other commands of ctl.
Result<int> CallAndPrint(const HttpCall& call, bool asks_for_json) {
  HR_ASSIGN(const HttpReply reply, SendCtlCall(call));
  HR_RETURN_IF_ERROR(PrintReply(reply, ChooseOutput(asks_for_json)));
  return 0;
}

std::string StartBody(const MeasureLine& line) {
  const std::pair<const char*, const std::optional<std::string>*> texts[] = {
      {"account", &line.account},
      {"region", &line.region},
      {"separators", &line.separators},
      {"window", &line.window},
      {"type_attribute", &line.type_attribute}};
  OutputBuffer body;
  JsonWriter writer(body);
  writer.BeginObject();
  writer.StringMember("name", line.name);
  for (const auto& [member, text] : texts) {
    if (*text) writer.StringMember(member, **text);
  }
  if (!line.tables.empty()) {
    writer.Name("tables");
    writer.BeginArray();
    for (const std::string& table : line.tables) writer.String(table);
    writer.EndArray();
  }
  writer.EndObject();
  return std::string(body.view());
}

Result<std::vector<ReportInput>> LoadReportInputs(const MeasureLine& line) {
  HR_ASSIGN(const AssessmentOptions options, LoadAssessmentOptions(line.options));
  std::vector<Assessment> assessments;
  for (const std::string& argument : line.measurements) {
    HR_ASSIGN(Measurement measurement, LoadMeasurement(argument, line.server));
    assessments.push_back(Assess(std::move(measurement), options));
  }
  return MakeReportInputs(assessments);
}

// Measurements of one name are called in the report as on the command line.
void TellApart(std::vector<ReportInput>& inputs, const std::vector<std::string>& arguments) {
  for (std::size_t at = 0; at < inputs.size(); ++at) {
    const std::string& name = inputs[at].measurement.name;
    const auto has_name = [&](const ReportInput& input) { return input.measurement.name == name; };
    if (std::ranges::count_if(inputs, has_name) > 1) inputs[at].title = arguments[at];
  }
}

// Prints the sentence of each element, or `praise` when there is none. Returns the exit code. A
// sentence may have names from the traffic, so its control characters are escaped.
template <typename Complaints>
Result<int> PrintSentences(const Complaints& complaints, std::string praise) {
  std::string lines;
  for (const auto& complaint : complaints) lines += ReadableText(complaint.sentence) + "\n";
  HR_RETURN_IF_ERROR(PrintText(complaints.empty() ? std::move(praise) : std::move(lines)));
  return complaints.empty() ? 0 : 1;
}

}  // namespace

Result<int> StartMeasure(const MeasureLine& line) {
  HttpCall call = line.server;
  call.method = "POST";
  call.target = kListTarget;
  call.body = StartBody(line);
  return CallAndPrint(call, line.asks_for_json);
}

Result<int> ListMeasures(const MeasureLine& line) {
  HttpCall call = line.server;
  call.method = "GET";
  call.target = kListTarget;
  return CallAndPrint(call, line.asks_for_json);
}

Result<int> StopMeasure(const MeasureLine& line) {
  HttpCall call = line.server;
  call.method = "DELETE";
  HR_ASSIGN(call.target, MeasurementTarget(line.name));
  if (line.output.empty()) return CallAndPrint(call, true);
  HR_ASSIGN(OutputFile file, OutputFile::Open(line.output));
  HR_ASSIGN(const HttpReply reply, SendCtlCall(call));
  Status written = file.WriteWhole(reply.body + "\n");
  if (written.ok()) return 0;
  HR_RETURN_IF_ERROR(PrintJson(reply.body));  // the server does not have the measurement any more
  return std::move(written).error();
}

Result<int> ShowMeasure(const MeasureLine& line) {
  HR_ASSIGN(const std::string json, LoadMeasurementJson(line.measurements.front(), line.server));
  HR_RETURN_IF_ERROR(PrintJson(json));
  return 0;
}

Result<int> ReportMeasures(const MeasureLine& line) {
  HR_ASSIGN(std::vector<ReportInput> inputs, LoadReportInputs(line));
  TellApart(inputs, line.measurements);
  HR_RETURN_IF_ERROR(WriteReports(inputs, line));
  return 0;
}

Result<int> CompareMeasures(const MeasureLine& line) {
  HR_ASSIGN(const AssessmentOptions options, LoadAssessmentOptions(line.options));
  std::vector<Measurement> measurements(2);
  HR_ASSIGN(measurements[0], LoadStoredMeasurement(line.against));
  HR_ASSIGN(measurements[1], LoadMeasurement(line.measurements.front(), line.server));
  const Comparison comparison = CompareNamed(std::move(measurements), options);
  if (!line.asks_for_json) return PrintSentences(comparison.regressions, "no regressions");
  OutputBuffer json;
  JsonWriter writer(json);
  WriteComparison(comparison, writer);
  HR_RETURN_IF_ERROR(PrintJson(json.view()));
  return comparison.regressions.empty() ? 0 : 1;
}

Result<int> CheckMeasure(const MeasureLine& line) {
  HR_ASSIGN(AssessmentOptions options, LoadAssessmentOptions(line.options));
  HR_ASSIGN(const Budgets budgets, LoadBudgets(line.budgets));
  HR_ASSIGN(Measurement measurement, LoadMeasurement(line.measurements.front(), line.server));
  const std::vector<BudgetViolation> violations =
      CheckBudgets(std::move(measurement), budgets, std::move(options));
  if (!line.asks_for_json) return PrintSentences(violations, "within budgets");
  OutputBuffer json;
  JsonWriter writer(json);
  WriteViolations(violations, writer);
  HR_RETURN_IF_ERROR(PrintJson(json.view()));
  return violations.empty() ? 0 : 1;
}

Result<int> PrintPrices(const MeasureLine&) {
  OutputBuffer json;
  JsonWriter writer(json);
  WritePriceList(BuiltInPrices(), writer);
  HR_RETURN_IF_ERROR(PrintText(IndentJson(json.view())));
  return 0;
}

}  // namespace hashrange
