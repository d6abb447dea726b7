#include "cli/lab_line.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "base/duration.h"
#include "base/nearest_name.h"
#include "cli/empty_option.h"
#include "cli/exit_codes.h"
#include "cli/help_text.h"
#include "cli/option_values.h"
#include "lab/import/import_kinds.h"
#include "lab/run/lab_run.h"

namespace hashrange {
namespace {

constexpr std::uint64_t kMostThreads = 1024;

constexpr const char* kExample =
    "A lab file has the entities of an application, what it asks, and layouts of keys to compare.\n"
    "Each layout gets the same data and the same calls, on simulated time, in this process.\n"
    "docs/lab.md teaches it.\n"
    "Example:\n"
    "  hashrange lab init shop.yaml\n"
    "  hashrange lab explain shop.yaml\n"
    "  hashrange lab run shop.yaml --html shop.html\n"
    "  hashrange lab check shop.yaml";

constexpr const char* kExitCodes =
    "FILE may be - for stdin. The program exits with 0; with 2 if the lab file or an argument is\n"
    "wrong; with 130 if it was interrupted, after a report of what was done until then.";
constexpr const char* kRunExitCodes =
    "FILE may be - for stdin. With --endpoint, the same calls are made there, too, in tables that\n"
    "are made for the run and removed behind it (docs/lab-endpoint.md). The program exits with 0;\n"
    "with 1 if the run at the endpoint could not go on; with 2 if the lab file or an argument is\n"
    "wrong; with 130 if it was interrupted, after a report of what was done until then.";
constexpr const char* kCheckExitCodes =
    "FILE may be - for stdin. The program exits with 0 if all limits hold; with 1 if one does "
    "not;\n"
    "with 2 if there is no verdict; with 130 if it was interrupted.";

constexpr const char* kImportNote =
    "FILE may be - for stdin. Without --out, the lab file is written to stdout. What was left out\n"
    "is named on stderr, and at the head of the file.";

void AddFile(CLI::App& app, LabLine& line) {
  app.add_option("FILE", line.file, "The lab file")->required()->type_name("");
}

void AddLayouts(CLI::App& app, LabLine& line) {
  app.add_option("--layout", line.options.only_layouts, "Only this layout")
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->take_all();
}

// Returns the name of a result's file; empty: stdout.
std::string FileOrStdout(const std::string& file) { return file == "-" ? "" : file; }

void AddJson(CLI::App& app, LabLine& line, const char* help) {
  const auto set_json = [&line](const std::string& file) { line.json = FileOrStdout(file); };
  app.add_option_function<std::string>("--json", set_json, help)
      ->type_name("[FILE]")
      ->expected(0, 1);
}

void AddExplain(CLI::App& app, LabLine& line) {
  AddFile(app, line);
  AddLayouts(app, line);
  AddJson(app, line, "Write the plans as JSON to this file, or to stdout");
}

// The options of a run and of a check.
void AddRunOptions(CLI::App& app, LabLine& line) {
  AddFile(app, line);
  AddLayouts(app, line);
  const auto set_scales = [&line](const std::string& text) {
    line.options.scales = ReadScales(text);
  };
  app.add_option_function<std::string>(
         "--scale", set_scales,
         "How many times the data of the file: 1,10,100 runs three sizes (default: 1)")
      ->type_name("N")
      ->check(Scales());
  app.add_option("--thin", line.options.thin, "Make one of N calls, which counts as N (default: 1)")
      ->type_name("N")
      ->check(WholeNumber(kGreatestThin));
  app.add_option("--threads", line.options.threads,
                 "How many layouts and sizes run at a time (default: one per core)")
      ->type_name("N")
      ->check(WholeNumber(kMostThreads));
  const auto set_html = [&line](const std::string& file) { line.html = FileOrStdout(file); };
  app.add_option_function<std::string>(
         "--html", set_html, "Write the report as a page to this file, too; - writes it to stdout")
      ->type_name("FILE");
  AddJson(app, line, "Write all figures as JSON to this file, or to stdout");
}

// The options of a run at an endpoint.
void AddEndpoint(CLI::App& app, LabEndpointLine& line) {
  CLI::Option* const endpoint =
      app.add_option("--endpoint", line.url,
                     "Make the same calls at this endpoint, too: DynamoDB, Alternator, Hashrange")
          ->type_name("URL");
  const auto set_rate = [&line](const std::string& text) {
    line.traffic.rate = ReadShare(text).value_or(1);
  };
  app.add_option_function<std::string>(
         "--rate", set_rate, "There, this share of the declared rates: 0.01, 1% (default: 100%)")
      ->type_name("SHARE")
      ->check(Share())
      ->needs(endpoint);
  const auto set_length = [&line](const std::string& text) {
    line.traffic.length_ms = ParseDuration(text).value_or(0);
  };
  app.add_option_function<std::string>(
         "--duration", set_length, "There, only the first 30s or 5m of the traffic (default: all)")
      ->type_name("TIME")
      ->check(Duration())
      ->needs(endpoint);
  app.add_option("--prefix", line.prefix,
                 "What the names of the tables there begin with (default: a random one)")
      ->type_name("TEXT")
      ->needs(endpoint);
  app.add_option("--spend", line.spend_usd,
                 "What the run may cost in US$; needed at an endpoint of AWS")
      ->type_name("USD")
      ->check(NumberFrom(0, "an amount of US$, such as 0.50"))
      ->needs(endpoint);
  app.add_option("--region", line.region, "The Region (default: that of the URL or the profile)")
      ->type_name("NAME")
      ->needs(endpoint);
  app.add_option("--profile", line.profile, "The profile of ~/.aws whose keys are used")
      ->type_name("NAME")
      ->needs(endpoint);
  app.add_option("--ca-file", line.ca_file,
                 "Trust these certificates (PEM) in place of the system's")
      ->type_name("FILE")
      ->needs(endpoint);
}

void AddRun(CLI::App& app, LabLine& line) {
  AddRunOptions(app, line);
  AddEndpoint(app, line.endpoint);
  app.add_option("--requests", line.options.requests_file,
                 "Write each request and what it consumed to this file, a line of JSON each")
      ->type_name("FILE")
      ->check(CLI::Validator(
          [](const std::string& file) {
            return file == "-" ? std::string("has to be a file: stdout has the report") : "";
          },
          ""));
  const auto skip = [&line](std::int64_t) { line.options.confirms_first_limit = false; };
  app.add_flag_function("--no-confirm", skip,
                        "Do not confirm the first limit by a run below it and one above");
}

// The verdict takes the first limit as it is computed.
void AddCheck(CLI::App& app, LabLine& line) {
  AddRunOptions(app, line);
  line.options.confirms_first_limit = false;
}

void AddInit(CLI::App& app, LabLine& line) {
  line.file = "lab.yaml";
  app.add_option("FILE", line.file, "The file, which must not exist (default: lab.yaml)")
      ->type_name("");
}

void AddImport(CLI::App& app, LabLine& line) {
  app.add_option(
         "FILE", line.models,
         "The model: a schema.json, a measurement, a data model of an assistant or of NoSQL "
         "Workbench, a schema of OneTable or ElectroDB; definitions of tables, each with the "
         "file of its items behind it; or a folder of tables")
      ->required()
      ->type_name("");
  const auto set_kind = [&line](const std::string& name) { line.kind = ImportKindNamed(name); };
  app.add_option_function<std::string>("--as", set_kind,
                                       "The kind of the model: " + ImportKindNames())
      ->type_name("KIND")
      ->check(CLI::Validator(
          [](const std::string& name) {
            if (ImportKindNamed(name)) return std::string();
            return "has to be one of " + ImportKindNames() + ", and this is \"" + name + "\"";
          },
          ""));
  app.add_option("--out", line.out, "Write the lab file to this file, which must not exist")
      ->type_name("FILE");
  app.add_flag("--force", line.overwrites, "Replace the file of --out");
}

void AddNothing(CLI::App&, LabLine&) {}

struct LabRow {
  std::string_view name;
  const char* help;
  LabLine::Command command;
  void (*add)(CLI::App& app, LabLine& line);
  const char* footnote = "";
};

constexpr LabRow kRows[] = {
    {"run", "Run the traffic through each layout, and report", LabLine::Command::kRun, AddRun,
     kRunExitCodes},
    {"explain", "Print the requests by which each layout serves each pattern, and why",
     LabLine::Command::kExplain, AddExplain, kExitCodes},
    {"check", "Exit with 1 if a layout exceeds the limits of the file", LabLine::Command::kCheck,
     AddCheck, kCheckExitCodes},
    {"init", "Write a lab file to start from", LabLine::Command::kInit, AddInit},
    {"import", "Make a lab file from a model that you have", LabLine::Command::kImport, AddImport,
     kImportNote},
    {"schema", "Print the JSON Schema of lab files, for editors", LabLine::Command::kSchema,
     AddNothing},
};

constexpr auto kNames = [] {
  std::array<std::string_view, std::size(kRows)> names;
  for (std::size_t at = 0; at < names.size(); ++at) names[at] = kRows[at].name;
  return names;
}();

// `command`: the name of the subcommand, such as `run`; empty: the line has none.
LabLine RefuseLine(const std::string& why, const std::string& command = "") {
  std::fprintf(stderr, "hashrange: %s (see hashrange lab %s--help)\n", why.c_str(),
               command.empty() ? "" : (command + " ").c_str());
  LabLine line;
  line.exit_code = kUsageError;
  return line;
}

// Each command has a line of its own, since their options have other defaults.
class LabParser {
 public:
  LabParser() {
    UseHelpText(app_);
    app_.require_subcommand(1);
    app_.footer(kExample);
    for (std::size_t at = 0; at < lines_.size(); ++at) {
      const LabRow& row = kRows[at];
      CLI::App* const command = app_.add_subcommand(std::string(row.name), row.help);
      command->footer(row.footnote);
      lines_[at].command = row.command;
      row.add(*command, lines_[at]);
    }
  }

  const CLI::App& app() const { return app_; }

  LabLine Parse(int argc, const char* const* argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::Success& asked) {
      app_.exit(asked);
      return {};
    } catch (const CLI::ParseError& wrong) {
      const std::vector<CLI::App*> commands = app_.get_subcommands();
      return RefuseLine(WhyWrong(wrong), commands.empty() ? "" : commands.front()->get_name());
    }
    LabLine line = GivenLine();
    if (!line.endpoint.url.empty() && line.options.scales.size() > 1) {
      return RefuseLine("--endpoint takes one --scale", "run");
    }
    return line;
  }

 private:
  std::string WhyWrong(const CLI::ParseError& wrong) const {
    const std::vector<std::string> unknown = app_.remaining(true);
    const bool has_command = !app_.get_subcommands().empty();
    if (unknown.empty()) return has_command ? wrong.what() : "which command of lab?";
    const std::string& first = unknown.front();
    if (has_command || first.starts_with('-')) return "unknown argument: " + first;
    return UnknownNameSentence("command", first, kNames);
  }

  LabLine GivenLine() const {
    const std::string given = app_.get_subcommands().front()->get_name();
    return lines_[std::ranges::find(kNames, given) - kNames.begin()];
  }

  CLI::App app_{"Compare layouts of keys for an application, before it is written.",
                "hashrange lab"};
  std::array<LabLine, std::size(kRows)> lines_;
};

}  // namespace

CommandDescription DescribeLab() { return DescribeCommand(LabParser().app(), "hashrange lab"); }

LabLine ParseLabLine(int argc, const char* const* argv) {
  if (const std::string option = EmptyOption(argc, argv); !option.empty()) {
    return RefuseLine(option + " is empty");
  }
  return LabParser().Parse(argc, argv);
}

}  // namespace hashrange
