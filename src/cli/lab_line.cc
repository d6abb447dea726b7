#include "cli/lab_line.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/text/nearest_name.h"
#include "base/text/time_text.h"
#include "cli/options/command_parser.h"
#include "lab/import/lab_import.h"
#include "lab/propose/proposal.h"
#include "lab/run/lab_run.h"

namespace hashrange {
namespace {

using LabCommand = LabLine::Command;

constexpr const char* kLabPath = "hashrange lab";
constexpr std::uint64_t kMostThreads = 1024;

constexpr const char* kLabFooter =
    "A lab file has the entities of an application, what it asks, and layouts of keys to compare.\n"
    "Each layout gets the same data and the same calls, on simulated time, in this process.\n"
    "docs/lab.md teaches it.\n"
    "Example:\n"
    "  hashrange lab init shop.yaml\n"
    "  hashrange lab explain shop.yaml\n"
    "  hashrange lab run shop.yaml --html shop.html\n"
    "  hashrange lab check shop.yaml\n"
    "  hashrange lab propose shop.yaml --write proposed.yaml";

constexpr const char* kExplainFooter =
    "FILE may be - for stdin. The program exits with 0; with 2 if the lab file or an argument is\n"
    "wrong; with 130 if it was interrupted, after a report of what was done until then.";
constexpr const char* kRunFooter =
    "FILE may be - for stdin. With --endpoint, the same calls are made there, too, in tables that\n"
    "are made for the run and removed behind it (docs/lab-endpoint.md). The program exits with 0;\n"
    "with 1 if the run at the endpoint could not go on; with 2 if the lab file or an argument is\n"
    "wrong; with 130 if it was interrupted, after a report of what was done until then.";
constexpr const char* kLimitsFooter =
    "FILE may be - for stdin. The program exits with 0 if all limits hold; with 1 if one does "
    "not;\n"
    "with 2 if there is no verdict; with 130 if it was interrupted.";

constexpr const char* kProposeFooter =
    "FILE may be - for stdin, and needs no layouts. The layouts that are found are run, unless\n"
    "--no-run is given. The program exits with 0; with 2 if the lab file or an argument is wrong, "
    "or\n"
    "if there is no layout; with 130 if it was interrupted, after the best that was found by then.";

constexpr const char* kImportFooter =
    "FILE may be - for stdin. Without --out, the lab file is written to stdout. What was left out\n"
    "is named on stderr, and at the head of the file. Where the model does not decide, a value is\n"
    "a question, {?...}, which the other commands refuse until it is answered.";

OptionRow FileRow(LabLine& line) {
  return {"FILE", "", "The lab file", &line.file, OptionRules{.is_required = true}};
}

OptionRow LayoutRow(LabLine& line) {
  return {"--layout", "NAME", "Only this layout", &line.options.only_layouts};
}

OptionRow VaryRow(LabLine& line) {
  return {"--vary", "PATH=FROM..TO",
          "What is expected while this number of the file changes, such as rates.NAME=1/s..100/s",
          &line.varied};
}

// Returns the name of a result's file; empty: stdout.
std::string FileOrStdout(const std::string& file) { return file == "-" ? "" : file; }

OptionRow JsonRow(LabLine& line, const char* help) {
  const auto set_json = [&line](const std::string& file) { line.json = FileOrStdout(file); };
  return {"--json", "FILE", help, set_json, OptionRules{.value_is_optional = true}};
}

void AddExplain(LabLine& line, CommandRow& row) {
  row.arguments = {FileRow(line)};
  row.options = {LayoutRow(line),
                 JsonRow(line, "Write the plans as JSON to this file, or to stdout"),
                 VaryRow(line)};
}

// The options of a run and of a check.
void AddRunOptions(LabLine& line, CommandRow& row) {
  const auto set_scales = [&line](const std::string& text) {
    line.options.scales = ReadScales(text);
  };
  const auto set_html = [&line](const std::string& file) { line.html = FileOrStdout(file); };
  row.arguments = {FileRow(line)};
  row.options = {
      LayoutRow(line),
      {"--scale", "N",
       "How many times the data of the file: 1,10,100 runs three sizes (default: 1)", set_scales,
       OptionRules{.check = Scales(kGreatestScale)}},
      {"--thin", "N", "Make one of N calls, which counts as N (default: 1)", &line.options.thin,
       OptionRules{.check = WholeNumber(kGreatestThin)}},
      {"--threads", "N", "How many layouts and sizes run at a time (default: one per core)",
       &line.options.threads, OptionRules{.check = WholeNumber(kMostThreads)}},
      {"--html", "FILE", "Write the report as a page to this file, too; - writes it to stdout",
       set_html},
      JsonRow(line, "Write all figures as JSON to this file, or to stdout")};
}

// The options of a run at an endpoint.
std::vector<OptionRow> EndpointRows(LabEndpointLine& line) {
  const auto set_rate = [&line](const std::string& text) {
    line.traffic.rate = ReadShare(text).value_or(1);
  };
  const auto set_length = [&line](const std::string& text) {
    line.traffic.length_ms = ParseDuration(text).value_or(0);
  };
  std::vector<OptionRow> rows = {
      {"--rate", "SHARE", "There, this share of the declared rates: 0.01, 1% (default: 100%)",
       set_rate, OptionRules{.check = Share()}},
      {"--duration", "TIME", "There, only the first 30s or 5m of the traffic (default: all)",
       set_length, OptionRules{.check = Duration()}},
      {"--prefix", "TEXT", "What the names of the tables there begin with (default: a random one)",
       &line.prefix},
      {"--spend", "USD", "What the run may cost in US$; needed at an endpoint of AWS",
       &line.spend_usd, OptionRules{.check = NumberFrom(0, "an amount of US$, such as 0.50")}},
      {"--region", "NAME", "The Region (default: that of the URL or the profile)", &line.region},
      {"--profile", "NAME", "The profile of ~/.aws whose keys are used", &line.profile},
      {"--ca-file", "FILE", "Trust these certificates (PEM) in place of the system's",
       &line.ca_file}};
  for (OptionRow& row : rows) row.rules.needs = {"--endpoint"};
  rows.insert(
      rows.begin(),
      {"--endpoint", "URL",
       "Make the same calls at this endpoint, too: DynamoDB, Alternator, Hashrange", &line.url});
  return rows;
}

std::string CheckRequestsFile(const std::string& file) {
  return file == "-" ? "has to be a file: stdout has the report" : "";
}

void AddRun(LabLine& line, CommandRow& row) {
  const auto leave_out_confirmation = [&line](const std::string&) {
    line.options.confirms_first_limit = false;
    return std::string();
  };
  AddRunOptions(line, row);
  row.options.push_back(VaryRow(line));
  for (OptionRow& added : EndpointRows(line.endpoint)) row.options.push_back(std::move(added));
  row.options.push_back(
      {"--requests", "FILE",
       "Write each request and what it consumed to this file, a line of JSON each",
       &line.options.requests_file, OptionRules{.check = CheckRequestsFile}});
  row.options.push_back({"--no-confirm", "", "Do not confirm the first limit by runs about it",
                         kNoTarget, OptionRules{.check = leave_out_confirmation}});
}

std::string CheckTables(const std::string& text) {
  return ReadTableRange(text) ? "" : "has to be a number or a range, such as 1 or 1..3";
}

void AddPropose(LabLine& line, CommandRow& row) {
  const auto set_html = [&line](const std::string& file) { line.html = FileOrStdout(file); };
  row.arguments = {FileRow(line)};
  row.options = {
      {"--write", "FILE", "Write the lab file with the proposed layouts to this file",
       &line.propose.write},
      {"--max-indexes", "N", "How many indexes a layout may have (default: 20)",
       &line.propose.most_indexes, OptionRules{.range = NumberRange{0, kMostProposedIndexes}}},
      {"--headroom", "N",
       "How many times the declared rates the keys shall carry, at which more is of no use "
       "(default: the limit of the file, or 10)",
       &line.propose.headroom, OptionRules{.check = NumberFrom(1, "a multiple of the rates")}},
      {"--tables", "A..B", "How many tables a layout may have (default: any number)",
       &line.propose.tables, OptionRules{.check = CheckTables}},
      {"--html", "FILE",
       "Write the layouts as a plot, why each is so, and the report of their run as a page to this "
       "file",
       set_html},
      JsonRow(line, "Write the proposal as JSON to this file, or to stdout"),
      {"--no-run", "", "Do not run the proposed layouts", &line.propose.skips_run}};
}

void AddInit(LabLine& line, CommandRow& row) {
  line.file = "lab.yaml";
  row.arguments = {{"FILE", "", "The file, which must not exist (default: lab.yaml)", &line.file}};
}

std::string CheckImportKind(const std::string& name) {
  if (ImportKindNamed(name)) return "";
  return "has to be one of " + ImportKindNames() + ", and this is \"" + name + "\"";
}

void AddImport(LabLine& line, CommandRow& row) {
  const auto set_kind = [&line](const std::string& name) { line.kind = ImportKindNamed(name); };
  row.arguments = {{"FILE", "",
                    "The model: a schema.json, a measurement, a data model of an assistant or of "
                    "NoSQL Workbench, a schema of OneTable or ElectroDB; definitions of tables, "
                    "each with the file of its items behind it; or a folder of tables",
                    &line.models, OptionRules{.is_required = true}}};
  row.options = {
      {"--as", "KIND", "The kind of the model: " + ImportKindNames(), set_kind,
       OptionRules{.check = CheckImportKind}},
      {"--out", "FILE", "Write the lab file to this file, which must not exist", &line.out},
      {"--force", "", "Replace the file of --out", &line.overwrites}};
}

void AddNothing(LabLine&, CommandRow&) {}

struct LabEntry {
  const char* name;
  const char* help;
  LabCommand command;
  void (*add)(LabLine& line, CommandRow& row);
  const char* footer = "";
};

constexpr LabEntry kEntries[] = {
    {"run", "Run the traffic through each layout, and report", LabCommand::kRun, AddRun,
     kRunFooter},
    {"explain", "Print the requests by which each layout serves each pattern, and why",
     LabCommand::kExplain, AddExplain, kExplainFooter},
    {"check", "Exit with 1 if a layout exceeds the limits of the file", LabCommand::kCheck,
     AddRunOptions, kLimitsFooter},
    {"propose", "Find the layouts, from the entities and the access patterns", LabCommand::kPropose,
     AddPropose, kProposeFooter},
    {"init", "Write a lab file to start from", LabCommand::kInit, AddInit},
    {"import", "Make a lab file from a model that you have", LabCommand::kImport, AddImport,
     kImportFooter},
    {"schema", "Print the JSON Schema of lab files, for editors", LabCommand::kSchema, AddNothing},
};

// Each command has a line of its own, since their options have other defaults.
using LabLines = std::array<LabLine, std::size(kEntries)>;

CommandRow LabRow(LabLines& lines) {
  CommandRow lab{.path = kLabPath,
                 .help = "Compare layouts of keys for an application, before it is written.",
                 .footer = kLabFooter,
                 .question = "which command of lab?",
                 .tells_unknown_first = true};
  for (std::size_t at = 0; at < lines.size(); ++at) {
    const LabEntry& entry = kEntries[at];
    CommandRow row{.path = entry.name, .help = entry.help, .footer = entry.footer};
    lines[at].command = entry.command;
    entry.add(lines[at], row);
    lab.commands.push_back(std::move(row));
  }
  return lab;
}

// `command`: the name of the command, such as `run`; empty: the line has none.
LabLine RefusedLabLine(const std::string& why, const std::string& command) {
  LabLine line;
  line.exit_code = RefuseUsage(command.empty() ? kLabPath : kLabPath + (" " + command), why);
  return line;
}

}  // namespace

CommandRow DescribeLab() {
  LabLines lines;
  return LabRow(lines);
}

LabLine ParseLabLine(int argc, const char* const* argv) {
  LabLines lines;
  const ParsedLine parsed = ParseRows(LabRow(lines), argc, argv);
  if (parsed.is_printed) return {};
  const std::string given = parsed.commands.empty() ? "" : parsed.commands.front();
  if (!parsed.wrong.empty()) return RefusedLabLine(parsed.wrong, given);
  const auto* const entry = std::ranges::find(kEntries, given, &LabEntry::name);
  LabLine& line = lines[static_cast<std::size_t>(entry - std::begin(kEntries))];
  if (!line.endpoint.url.empty() && line.options.scales.size() > 1) {
    return RefusedLabLine("--endpoint takes one --scale", given);
  }
  return std::move(line);
}

}  // namespace hashrange
