#include "cli/ctl_measure.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <array>
#include <string>

#include "cli/ctl_answer.h"
#include "cli/exit_codes.h"
#include "cli/what_if_command.h"

namespace hashrange {
namespace {

constexpr const char* kFootnote =
    "NAME|FILE is a measurement in a file, if there is such a file or the text ends in .json;\n"
    "otherwise it is the name of one that runs on the server. Reports, comparisons and checks are\n"
    "made without the server. With --json their results are JSON.\n"
    "FILE of --options is {\"names\":[…],\"rates\":{…},\"prices\":{…},\"profile\":\"…\"}.";

constexpr const char* kWhatIfFootnote =
    "NAME|FILE is a measurement in a file or one that runs on the server. It stands beside itself "
    "as\n"
    "it would be under the same traffic, which is modelled. All changes are applied together.\n"
    "Example:\n"
    "  hashrange ctl measure what-if run.json --projection shop/GSI1=INCLUDE:status,total";

void AddText(CLI::App& app, const char* name, std::optional<std::string>& target,
             const char* help) {
  const auto set = [&target](const std::string& text) { target = text; };
  app.add_option_function<std::string>(name, set, help)->type_name("TEXT");
}

// Without allow_extra_args(false), an option would take all words that follow.
void AddTexts(CLI::App& app, const char* name, std::vector<std::string>& target, const char* form,
              const char* help) {
  app.add_option(name, target, help)->type_name(form)->allow_extra_args(false);
}

void AddFile(CLI::App& app, const char* name, std::string& target, const char* help) {
  app.add_option(name, target, help)->type_name("FILE");
}

void AddName(CLI::App& app, MeasureLine& line) {
  app.add_option("NAME", line.name, "The name of the measurement")->required();
}

void AddMeasurement(CLI::App& app, MeasureLine& line) {
  const auto set = [&line](const std::string& argument) { line.measurements = {argument}; };
  app.add_option_function<std::string>("MEASUREMENT", set, "The measurement, NAME|FILE (see below)")
      ->required()
      ->type_name("");
}

void AddOptionsFile(CLI::App& app, MeasureLine& line) {
  AddFile(app, "--options", line.options, "Names of patterns, rates, prices and the profile");
}

void AddStart(CLI::App& app, MeasureLine& line) {
  AddName(app, line);
  AddText(app, "--account", line.account, "Only this account, 12 digits");
  AddText(app, "--region", line.region, "Only this Region");
  AddTexts(app, "--table", line.tables, "TEXT", "Only this table");
  AddText(app, "--separators", line.separators, "The characters between the parts of keys");
  AddText(app, "--window", line.window, "How long a window of peaks is: 1m");
  AddText(app, "--type-attribute", line.type_attribute,
          "The attribute that tells the type of an item");
}

void AddNothing(CLI::App&, MeasureLine&) {}

void AddStop(CLI::App& app, MeasureLine& line) {
  AddName(app, line);
  AddFile(app, "-o,--output", line.output, "Write the measurement to this file");
}

void AddReport(CLI::App& app, MeasureLine& line) {
  app.add_option("MEASUREMENTS", line.measurements,
                 "Measurements, NAME|FILE (see below); several stand side by side")
      ->required()
      ->type_name("");
  AddFile(app, "--html", line.output, "Write the report as HTML to this file");
  AddOptionsFile(app, line);
}

void AddCompare(CLI::App& app, MeasureLine& line) {
  AddMeasurement(app, line);
  app.add_option("--against", line.against, "The earlier measurement")
      ->required()
      ->type_name("FILE");
  AddOptionsFile(app, line);
}

void AddWhatIf(CLI::App& app, MeasureLine& line) {
  AddMeasurement(app, line);
  AddTexts(app, "--drop-index", line.dropped_indexes, "TABLE/INDEX", "Leave this index out");
  AddTexts(app, "--projection", line.projections, "TABLE/INDEX=KEYS_ONLY|INCLUDE:a,b",
           "Store only these attributes in this index");
  AddTexts(app, "--billing", line.billings, "TABLE=PROVISIONED|PAY_PER_REQUEST",
           "Change the billing mode of this table");
  AddFile(app, "--html", line.output, "Write the report as HTML to this file");
  AddOptionsFile(app, line);
}

void AddCheck(CLI::App& app, MeasureLine& line) {
  AddMeasurement(app, line);
  app.add_option("BUDGETS", line.budgets, "The file of the budgets")->required()->type_name("");
  AddOptionsFile(app, line);
}

// A command of `measure`.
struct MeasureRow {
  std::string_view name;
  const char* help;
  void (*add)(CLI::App& app, MeasureLine& line);
  Result<int> (*run)(const MeasureLine& line);
  const char* footnote = "";
  bool gives_verdict = false;  // it exits with 1 if a measurement is not good enough
};

constexpr MeasureRow kRows[] = {
    {"start", "Begin a measurement", AddStart, StartMeasure},
    {"list", "List the measurements that run", AddNothing, ListMeasures},
    {"stop", "End a measurement and print it", AddStop, StopMeasure},
    {"show", "Print a measurement as JSON", AddMeasurement, ShowMeasure, kFootnote},
    {"report", "Report on measurements", AddReport, ReportMeasures, kFootnote},
    {"compare", "Exit with 1 if a measurement is worse than another", AddCompare, CompareMeasures,
     kFootnote, true},
    {"check", "Exit with 1 if a measurement exceeds budgets", AddCheck, CheckMeasure, kFootnote,
     true},
    {"what-if", "Report what a measurement would be with another design", AddWhatIf, ReportWhatIf,
     kWhatIfFootnote},
    {"prices", "Print the built-in price list", AddNothing, PrintPrices},
};

int ExitCodeOf(const MeasureRow& row, const Result<int>& result) {
  if (result.ok()) return *result;
  PrintCtlError(result.error().message);
  if (row.gives_verdict) return kUsageError;  // there is no verdict
  return result.error().code == ErrorCode::kValidationException ? kUsageError : kFailure;
}

}  // namespace

MeasureCommand::MeasureCommand(CLI::App& ctl)
    : app_(*ctl.add_subcommand("measure", "Measure what calls cost; report and check it")) {
  app_.require_subcommand(1);
  for (const MeasureRow& row : kRows) {
    CLI::App* const command = app_.add_subcommand(std::string(row.name), row.help);
    command->footer(row.footnote);
    row.add(*command, line_);
  }
}

std::span<const std::string_view> MeasureCommand::Names() {
  static constexpr auto kNames = [] {
    std::array<std::string_view, std::size(kRows)> names;
    for (std::size_t at = 0; at < names.size(); ++at) names[at] = kRows[at].name;
    return names;
  }();
  return kNames;
}

bool MeasureCommand::is_given() const { return app_.parsed(); }

bool MeasureCommand::lacks_subcommand() const {
  return app_.parsed() && app_.get_subcommands().empty();
}

int MeasureCommand::Run(const HttpCall& server, bool asks_for_json) const {
  MeasureLine line = line_;
  line.server = server;
  line.asks_for_json = asks_for_json;
  const std::string given = app_.get_subcommands().front()->get_name();
  for (const MeasureRow& row : kRows) {
    if (row.name == given) return ExitCodeOf(row, row.run(line));
  }
  return 2;  // not reached: the parser knows no other command
}

}  // namespace hashrange
