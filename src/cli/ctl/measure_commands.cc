#include "cli/ctl/measure_commands.h"

#include <algorithm>
#include <utility>

#include "base/output_folder.h"
#include "cli/ctl/answer_text.h"
#include "cli/ctl/measurement_source.h"
#include "cli/ctl/server_call.h"
#include "cli/terminal/program_output.h"
#include "measure/cost/assessment.h"
#include "measure/cost/price_list.h"
#include "measure/report/measure_report.h"
#include "measure/report/readable_text.h"
#include "measure/report/report_input.h"
#include "wire/json_writer.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

constexpr const char* kMeasureFooter =
    "NAME|FILE is a measurement in a file, if there is such a file or the text ends in .json;\n"
    "otherwise it is the name of one that runs on the server. Reports, comparisons and checks are\n"
    "made without the server. With --json their results are JSON.\n"
    "FILE of --options is {\"names\":[…],\"rates\":{…},\"prices\":{…},\"profile\":\"…\"}.";

constexpr const char* kWhatIfFooter =
    "NAME|FILE is a measurement in a file or one that runs on the server. It stands beside itself "
    "as\n"
    "it would be under the same traffic, which is modelled. All changes are applied together.\n"
    "Example:\n"
    "  hashrange ctl measure what-if run.json --projection shop/GSI1=INCLUDE:status,total";

// Names and texts of the options, which several commands share.
OptionRow TextRow(const char* name, const char* help, std::optional<std::string>& target) {
  return {{name}, "TEXT", help, &target};
}

OptionRow NameRow(MeasureLine& line) {
  return {"NAME", "", "The name of the measurement", &line.name, OptionRules{.is_required = true}};
}

OptionRow MeasurementRow(MeasureLine& line) {
  const auto set = [&line](const std::string& argument) { line.measurements = {argument}; };
  return {"MEASUREMENT", "", "The measurement, NAME|FILE (see below)", set,
          OptionRules{.is_required = true}};
}

OptionRow OptionsFileRow(MeasureLine& line) {
  return {"--options", "FILE", "Names of patterns, rates, prices and the profile", &line.options};
}

OptionRow HtmlRow(MeasureLine& line) {
  return {"--html", "FILE", "Write the report as HTML to this file", &line.output};
}

void AddStart(MeasureLine& line, CommandRow& row) {
  row.arguments = {NameRow(line)};
  row.options = {
      TextRow("--account", "Only this account, 12 digits", line.account),
      TextRow("--region", "Only this Region", line.region),
      {"--table", "TEXT", "Only this table", &line.tables},
      TextRow("--separators", "The characters between the parts of keys", line.separators),
      TextRow("--window", "How long a window of peaks is: 1m", line.window),
      TextRow("--type-attribute", "The attribute that tells the type of an item",
              line.type_attribute)};
}

void AddNothing(MeasureLine&, CommandRow&) {}

void AddStop(MeasureLine& line, CommandRow& row) {
  row.arguments = {NameRow(line)};
  row.options = {{"--output", "FILE", "Write the measurement to this file", &line.output,
                  OptionRules{.short_name = "-o"}}};
}

void AddShow(MeasureLine& line, CommandRow& row) { row.arguments = {MeasurementRow(line)}; }

void AddReport(MeasureLine& line, CommandRow& row) {
  row.arguments = {{"MEASUREMENTS", "",
                    "Measurements, NAME|FILE (see below); several stand side by side",
                    &line.measurements, OptionRules{.is_required = true}}};
  row.options = {HtmlRow(line), OptionsFileRow(line)};
}

void AddCompare(MeasureLine& line, CommandRow& row) {
  row.arguments = {MeasurementRow(line)};
  row.options = {{"--against", "FILE", "The earlier measurement", &line.against,
                  OptionRules{.is_required = true}},
                 OptionsFileRow(line)};
}

void AddCheck(MeasureLine& line, CommandRow& row) {
  row.arguments = {
      MeasurementRow(line),
      {"BUDGETS", "", "The file of the budgets", &line.budgets, OptionRules{.is_required = true}}};
  row.options = {OptionsFileRow(line)};
}

void AddWhatIf(MeasureLine& line, CommandRow& row) {
  row.arguments = {MeasurementRow(line)};
  row.options = {{"--drop-index", "TABLE/INDEX", "Leave this index out", &line.dropped_indexes},
                 {"--projection", "TABLE/INDEX=KEYS_ONLY|INCLUDE:a,b",
                  "Store only these attributes in this index", &line.projections},
                 {"--billing", "TABLE=PROVISIONED|PAY_PER_REQUEST",
                  "Change the billing mode of this table", &line.billings},
                 HtmlRow(line),
                 OptionsFileRow(line)};
}

// A command of `measure`.
struct MeasureEntry {
  const char* name;
  const char* help;
  void (*add)(MeasureLine& line, CommandRow& row);
  Result<int> (*run)(const MeasureLine& line);
  const char* footer = "";
  bool gives_verdict = false;  // it exits with 1 if a measurement is not good enough
};

constexpr MeasureEntry kEntries[] = {
    {"start", "Begin a measurement", AddStart, StartMeasure},
    {"list", "List the measurements that run", AddNothing, ListMeasures},
    {"stop", "End a measurement and print it", AddStop, StopMeasure},
    {"show", "Print a measurement as JSON", AddShow, ShowMeasure, kMeasureFooter},
    {"report", "Report on measurements", AddReport, ReportMeasures, kMeasureFooter},
    {"compare", "Exit with 1 if a measurement is worse than another", AddCompare, CompareMeasures,
     kMeasureFooter, true},
    {"check", "Exit with 1 if a measurement exceeds budgets", AddCheck, CheckMeasure,
     kMeasureFooter, true},
    {"what-if", "Report what a measurement would be with another design", AddWhatIf, ReportWhatIf,
     kWhatIfFooter},
    {"prices", "Print the built-in price list", AddNothing, PrintPrices},
};

constexpr const char* kListTarget = "/_hashrange/measurements";

// Sends the call and prints the answer like the other commands of ctl.
Result<int> SendAndPrint(const HttpCall& call, bool asks_for_json) {
  HR_ASSIGN(const HttpReply reply, SendCtlCall(call));
  HR_RETURN_IF_ERROR(PrintText(AnswerText(reply, ChooseOutput(asks_for_json))));
  return 0;
}

std::string StartBody(const MeasureLine& line) {
  const std::pair<const char*, const std::optional<std::string>*> texts[] = {
      {"account", &line.account},
      {"region", &line.region},
      {"separators", &line.separators},
      {"window", &line.window},
      {"type_attribute", &line.type_attribute}};
  return JsonObjectText([&](JsonWriter& writer) {
    writer.StringMember("name", line.name);
    for (const auto& [member, text] : texts) {
      if (*text) writer.StringMember(member, **text);
    }
    if (!line.tables.empty()) {
      writer.BeginArray("tables");
      for (const std::string& table : line.tables) writer.String(table);
      writer.EndArray();
    }
  });
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
Result<int> PrintSentences(const Complaints& complaints, const std::string& praise) {
  std::string lines;
  for (const auto& complaint : complaints) lines += ReadableText(complaint.sentence) + "\n";
  HR_RETURN_IF_ERROR(PrintText(complaints.empty() ? praise : lines));
  return complaints.empty() ? 0 : 1;
}

Status WriteHtmlReport(const std::vector<ReportInput>& inputs, const std::string& path) {
  HR_ASSIGN(OutputFile file, OutputFile::Open(path));
  return file.WriteWhole(HtmlReport(inputs));
}

}  // namespace

CommandRow MeasureRow(MeasureLine& line) {
  CommandRow measure{.path = "measure",
                     .help = "Measure what calls cost; report and check it",
                     .question = "which command of measure?"};
  for (const MeasureEntry& entry : kEntries) {
    CommandRow row{.path = entry.name, .help = entry.help, .footer = entry.footer};
    entry.add(line, row);
    measure.commands.push_back(std::move(row));
  }
  return measure;
}

int RunMeasure(std::string_view command, const MeasureLine& line) {
  const MeasureEntry& entry = *std::ranges::find(kEntries, command, &MeasureEntry::name);
  const Result<int> result = entry.run(line);
  if (result.ok()) return *result;
  const int exit_code = FailWith(result.error());
  return entry.gives_verdict ? kUsageError : exit_code;  // there is no verdict
}

Result<int> StartMeasure(const MeasureLine& line) {
  HttpCall call = line.server;
  call.method = "POST";
  call.target = kListTarget;
  call.body = StartBody(line);
  return SendAndPrint(call, line.asks_for_json);
}

Result<int> ListMeasures(const MeasureLine& line) {
  HttpCall call = line.server;
  call.method = "GET";
  call.target = kListTarget;
  return SendAndPrint(call, line.asks_for_json);
}

Result<int> StopMeasure(const MeasureLine& line) {
  HttpCall call = line.server;
  call.method = "DELETE";
  HR_ASSIGN(call.target, MeasurementTarget(line.name));
  if (line.output.empty()) return SendAndPrint(call, true);
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
  HR_RETURN_IF_ERROR(PrintJson([&](JsonWriter& writer) { WriteComparison(comparison, writer); }));
  return comparison.regressions.empty() ? 0 : 1;
}

Result<int> CheckMeasure(const MeasureLine& line) {
  HR_ASSIGN(AssessmentOptions options, LoadAssessmentOptions(line.options));
  HR_ASSIGN(const Budgets budgets, LoadBudgets(line.budgets));
  HR_ASSIGN(Measurement measurement, LoadMeasurement(line.measurements.front(), line.server));
  const std::vector<BudgetViolation> violations =
      CheckBudgets(std::move(measurement), budgets, std::move(options));
  if (!line.asks_for_json) return PrintSentences(violations, "within budgets");
  HR_RETURN_IF_ERROR(PrintJson([&](JsonWriter& writer) { WriteViolations(violations, writer); }));
  return violations.empty() ? 0 : 1;
}

Result<int> PrintPrices(const MeasureLine&) {
  const auto write = [](JsonWriter& writer) { WritePriceList(BuiltInPrices(), writer); };
  HR_RETURN_IF_ERROR(PrintText(IndentJson(WrittenJson(write))));
  return 0;
}

Status WriteReports(const std::vector<ReportInput>& inputs, const MeasureLine& line,
                    const std::string& introduction) {
  const bool is_html = !line.output.empty();
  if (is_html && line.asks_for_json) return ValidationError("--html and --json exclude each other");
  if (is_html) return WriteHtmlReport(inputs, line.output);
  if (line.asks_for_json) {
    return PrintJson([&](JsonWriter& writer) { WriteReportJson(inputs, writer); });
  }
  return PrintText(introduction + TextReport(inputs, StdoutReportForm()));
}

}  // namespace hashrange
