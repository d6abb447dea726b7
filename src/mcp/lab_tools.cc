// The tools of the lab, which compares layouts of keys before there is an application
// (docs/lab.md). A lab file is made from a model (docs/lab-import.md) or written, and then checked,
// explained and run.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/file_text.h"
#include "base/memory/live_memory.h"
#include "base/memory/output_buffer.h"
#include "base/text/nearest_name.h"
#include "lab/forecast/forecast_curve.h"
#include "lab/import/lab_import.h"
#include "lab/language/lab_file.h"
#include "lab/language/lab_reader.h"
#include "lab/language/lab_texts.h"
#include "lab/propose/proposal.h"
#include "lab/report/lab_figures.h"
#include "lab/report/lab_limits.h"
#include "lab/report/lab_report.h"
#include "lab/report/lab_sentences.h"
#include "lab/report/lab_verdict.h"
#include "lab/report/proposal_text.h"
#include "lab/run/explanation.h"
#include "lab/run/lab_run.h"
#include "mcp/report_folder.h"
#include "mcp/tool.h"
#include "measure/number_text.h"
#include "measure/report/readable_text.h"
#include "wire/json_writer.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

constexpr std::int64_t kUsualSeconds = 45;
constexpr std::int64_t kMostSeconds = 600;
constexpr std::int64_t kGreatestScaleOfTool = 1'000;
// A run makes about this many calls in each layout, unless `thin` is given.
constexpr double kUsualCalls = 50'000;
// Of all entities together: the instances are counted and filled before the first call.
constexpr double kMostInstancesOfTool = 5'000'000;
// Of one call: they are reported side by side.
constexpr std::size_t kMostLayouts = 20;
constexpr std::chrono::seconds kExplainTime{60};
constexpr std::chrono::seconds kProposeTime{120};
// How much the data of a lab may take beside the tables that are in the process already.
constexpr std::int64_t kMostLabBytes = std::int64_t{2} << 30;
constexpr std::size_t kMostStructuredViolations = 10;
constexpr std::size_t kMostCurves = 5;

constexpr ToolArgument kLabPathArgument = {.name = "path",
                                           .description = "The lab file (YAML), on this machine"};
constexpr ToolArgument kLabTextArgument = {
    .name = "lab", .description = "The lab file's text (YAML), in place of `path`"};

constexpr ToolArgument kVaryArgument = {
    .name = "vary",
    .type = ArgumentType::kTexts,
    .description =
        "What is expected while numbers of the file change, at most 5: \"PATH=FROM..TO\", such as "
        "\"rates.NAME=1/s..100/s\", \"counts.NAME=1000..100000\", \"layouts.NAME.shards=1..20\" "
        "or \"NAME.PATH=x0.1..x10\""};

constexpr ToolArgument kImportArguments[] = {
    {.name = "path",
     .type = ArgumentType::kTexts,
     .is_required = true,
     .description =
         "The file of a model, on this machine, or a list of the files of one model; of tables, "
         "definitions with the files of their items behind them, or folders; of ElectroDB, one or "
         "several entities"},
    {.name = "kind",
     .description = "What the files are; without it, their content shows it",
     .values = kImportKindNames}};

constexpr ToolArgument kReadLabArguments[] = {kLabPathArgument, kLabTextArgument};

constexpr ToolArgument kExplainLabArguments[] = {
    kLabPathArgument,
    kLabTextArgument,
    {.name = "layouts",
     .type = ArgumentType::kTexts,
     .description = "Only these layouts, at most 20"},
    {.name = "patterns", .type = ArgumentType::kTexts, .description = "Only these access patterns"},
    kVaryArgument};

constexpr ToolArgument kProposeLabArguments[] = {
    kLabPathArgument,
    kLabTextArgument,
    {.name = "max_indexes",
     .type = ArgumentType::kWhole,
     .description = "How many indexes a layout may have (usually 20)",
     .greatest = kMostProposedIndexes},
    {.name = "headroom",
     .type = ArgumentType::kWhole,
     .description = "How many times the declared rates the keys shall carry, at which more is of "
                    "no use (usually the limit of the file, or 10)",
     .least = 1},
    {.name = "tables",
     .description = "How many tables a layout may have: \"2\" or \"1..3\" (usually any number)"}};

constexpr ToolArgument kRunLabArguments[] = {
    kLabPathArgument,
    kLabTextArgument,
    {.name = "layouts",
     .type = ArgumentType::kTexts,
     .description = "Only these layouts, at most 20"},
    {.name = "seconds",
     .type = ArgumentType::kWhole,
     .description = "The run ends after this time, with a report of what was done (usually 45)",
     .least = 1,
     .greatest = kMostSeconds},
    {.name = "thin",
     .type = ArgumentType::kWhole,
     .description = "One of so many calls is made, and counts as so many. Usually chosen so that a "
                    "layout gets about 50,000 calls; 1 makes every call",
     .least = 1,
     .greatest = static_cast<std::int64_t>(kGreatestThin)},
    {.name = "scale",
     .type = ArgumentType::kWhole,
     .description = "How many times the data of the file (usually 1)",
     .least = 1,
     .greatest = kGreatestScaleOfTool},
    {.name = "confirm_first_limit",
     .type = ArgumentType::kBoolean,
     .description = "Whether further runs about the first limit look where it holds, which takes "
                    "several times as long (usually false)"},
    kVaryArgument};

// Checks that the path is a file, or a folder of files and folders: a device or a pipe could be
// read without an end, and stdin is the protocol's.
// Errors: ValidationException  it is neither, or is not there
Status CheckIsStored(const std::string& path) {
  namespace files = std::filesystem;
  std::error_code why;
  const files::file_status status = files::status(path, why);
  if (status.type() == files::file_type::not_found || status.type() == files::file_type::none) {
    return ValidationError("cannot read " + path + ": " + why.message());
  }
  if (files::is_regular_file(status)) return {};
  if (!files::is_directory(status)) {
    return ValidationError("cannot read " + path + ": it is no file and no folder");
  }
  files::directory_iterator entry(path, why);
  for (; !why && entry != files::directory_iterator(); entry.increment(why)) {
    std::error_code unknown;
    if (entry->is_regular_file(unknown) || entry->is_directory(unknown)) continue;
    return ValidationError("cannot read " + entry->path().string() +
                           ": it is no file and no folder");
  }
  if (why) return ValidationError("cannot read " + path + ": " + why.message());
  return {};
}

// The library names the option of the command line, where the tool has an argument.
Error WithArgumentName(Error error) {
  constexpr std::string_view kOption = "--as names";
  const std::size_t at = error.message.find(kOption);
  if (at != std::string::npos) error.message.replace(at, kOption.size(), "\"kind\" names");
  return error;
}

Result<ToolResult> ImportModel(ToolCall& call) {
  const auto kind = ImportKindNamed(call.arguments.Text("kind"));
  const std::vector<std::string> paths = TextsOf(call.arguments, "path");
  for (const std::string& path : paths) {
    if (path == "-") return ValidationError("\"-\" is stdin, which the tool does not read");
    HR_RETURN_IF_ERROR(CheckIsStored(path));
  }
  Result<ImportedLab> imported = ImportLab(paths, kind);
  if (!imported.ok()) return WithArgumentName(imported.error());
  const ImportedLab& lab = *imported;
  std::string text = FileLine("lab file", call.place.reports, "imported.lab.yaml", lab.text);
  for (const std::string& remark : lab.remarks) text += "note: " + remark + "\n";
  if (lab.questions > 0) {
    text += "note: the file has " + QuestionCountText(lab.questions) +
            ", marked {?…}; write the answer in the place of each mark\n";
  }
  text += lab.text;
  return ToolResult{.text = BoundedText(std::move(text), call.place.reports, "imported.txt")};
}

struct LabText {
  std::string title = {};
  std::string text = {};
};

// Errors: ValidationException  neither or both arguments were given, the file cannot be read or is
//         longer than 16 MiB
Result<LabText> ReadLabTextArgument(ObjectReader& arguments) {
  const std::string path = arguments.Text(kLabPathArgument.name);
  std::string text = arguments.Text(kLabTextArgument.name);
  if (path.empty() == text.empty()) {
    return ValidationError("give either \"path\" or \"lab\", the text of a lab file");
  }
  if (!text.empty()) return LabText{"lab", std::move(text)};
  HR_ASSIGN(text, ReadFileText(path, kMaxFileTextBytes, FileKinds::kFile));
  return LabText{path, std::move(text)};
}

// Errors: as ReadLabTextArgument; ValidationException  the file is wrong; the sentence has the
//         place
Result<LoadedLab> ReadLabArgument(ObjectReader& arguments) {
  HR_ASSIGN(const LabText lab, ReadLabTextArgument(arguments));
  return LoadLab(lab.text, lab.title);
}

Result<ToolResult> StartLab(ToolCall& call) {
  std::string text(LabStarterText());
  text +=
      FileLine("JSON Schema of lab files", call.place.reports, "lab.schema.json", LabSchemaText());
  return ToolResult{.text = std::move(text)};
}

std::string WarningLines(const LabFile& file) {
  std::string text;
  for (const std::string& warning : file.warnings) text += "warning: " + warning + "\n";
  return text;
}

Result<ToolResult> ValidateLab(ToolCall& call) {
  HR_ASSIGN(const LoadedLab lab, ReadLabArgument(call.arguments));
  const LabFile& file = lab.file;
  HR_RETURN_IF_ERROR(CheckCallCount(file, kGreatestThin));
  std::string text = "the lab file is right: " +
                     CountedText(static_cast<double>(file.entities.size()), "entity", "entities") +
                     ", " +
                     CountedText(static_cast<double>(file.patterns.size()), "access pattern") +
                     ", " + CountedText(static_cast<double>(file.layouts.size()), "layout") +
                     ", about " + NumberText(CallsOfTraffic(file)) + " calls in each\n";
  text += WarningLines(file);
  return ToolResult{.text = BoundedText(std::move(text), call.place.reports, "warnings.txt")};
}

// Errors: ValidationException  a wanted name is not there
Status CheckNames(std::string_view kind, const std::vector<std::string>& wanted,
                  const std::vector<std::string_view>& names) {
  for (const std::string& name : wanted) {
    if (std::ranges::find(names, name) != names.end()) continue;
    return ValidationError(UnknownNameSentence(kind, name, names));
  }
  return {};
}

// Removes the elements whose names are not in `wanted`; keeps all where nothing is wanted.
// Errors: ValidationException  a wanted name is not there
template <typename Named>
Status KeepNamed(std::string_view kind, const std::vector<std::string>& wanted,
                 std::vector<Named>& all) {
  std::vector<std::string_view> names;
  for (const Named& each : all) names.push_back(each.name);
  HR_RETURN_IF_ERROR(CheckNames(kind, wanted, names));
  std::erase_if(all, [&wanted](const Named& each) {
    return !wanted.empty() && std::ranges::find(wanted, each.name) == wanted.end();
  });
  return {};
}

// Returns the names of the layouts that are asked for; empty: all.
// Errors: ValidationException  a layout is not there, or there are too many for one answer
Result<std::vector<std::string>> LayoutsIn(ObjectReader& arguments, const LabFile& file) {
  std::vector<std::string> names = TextsOf(arguments, "layouts");
  std::vector<std::string_view> known;
  for (const LabLayout& layout : file.layouts) known.push_back(layout.name);
  HR_RETURN_IF_ERROR(CheckNames("layout", names, known));
  const std::size_t count = names.empty() ? known.size() : names.size();
  if (count <= kMostLayouts) return names;
  return ValidationError("a call takes at most " + std::to_string(kMostLayouts) +
                         " layouts, and these are " + std::to_string(count) +
                         "; name some of them by \"layouts\"");
}

// Returns a thread that sets the flag after some time, unless the thread is destroyed before.
// `flag` outlives the thread.
std::jthread StartTimer(std::chrono::milliseconds time, std::atomic<bool>& flag) {
  return std::jthread([time, &flag](const std::stop_token& ended) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any changed;
    changed.wait_for(lock, ended, time, [] { return false; });
    if (!ended.stop_requested()) flag = true;
  });
}

// Returns the curves that the call asks for, of these layouts; empty: of all.
// Errors: as DrawForecastCurves; ValidationException  there are too many
Result<std::vector<ForecastCurve>> DrawCurvesOf(ToolCall& call, const LoadedLab& lab,
                                                const std::vector<std::string>& layouts) {
  const std::vector<std::string> varied = TextsOf(call.arguments, kVaryArgument.name);
  if (varied.size() > kMostCurves) {
    return ValidationError("a call varies at most " + std::to_string(kMostCurves) +
                           " numbers, and these are " + std::to_string(varied.size()));
  }
  return DrawForecastCurves(lab, varied, layouts, &call.stop);
}

Result<ToolResult> ExplainLayoutsOfLab(ToolCall& call) {
  HR_ASSIGN(const LoadedLab lab, ReadLabArgument(call.arguments));
  const LabFile& file = lab.file;
  HR_ASSIGN(std::vector<std::string> names, LayoutsIn(call.arguments, file));
  const std::vector<std::string> patterns = TextsOf(call.arguments, "patterns");
  const std::size_t asked = names.empty() ? file.layouts.size() : names.size();
  const std::jthread timer = StartTimer(kExplainTime, call.stop);
  HR_ASSIGN(const std::vector<ForecastCurve> curves, DrawCurvesOf(call, lab, names));
  HR_ASSIGN(std::vector<ExplainedLayout> layouts,
            ExplainLab(file, {.only_layouts = std::move(names),
                              .max_memory_bytes = ApproximateLiveBytes() + kMostLabBytes,
                              .max_instances = kMostInstancesOfTool,
                              .stop = &call.stop}));
  std::string text;
  if (layouts.size() < asked && call.stop) {
    text = "The call was stopped: name fewer \"layouts\" to have all of them.\n";
  }
  for (ExplainedLayout& layout : layouts) {
    HR_RETURN_IF_ERROR(KeepNamed("access pattern", patterns, layout.patterns));
  }
  OutputBuffer json;
  JsonWriter writer(json);
  WriteExplanationJson(file, layouts, writer, curves);
  text += WarningLines(file) + ExplanationText(file, layouts, {}, curves);
  text = BoundedText(std::move(text), call.place.reports, "lab-explain.txt");
  text += FileLine("data", call.place.reports, "lab-explain.json", json.view());
  return ToolResult{.text = std::move(text)};
}

Result<ProposeOptions> ProposeOptionsIn(ToolCall& call) {
  ObjectReader& arguments = call.arguments;
  ProposeOptions options = {.stop = &call.stop, .progress = call.progress};
  options.most_indexes = static_cast<int>(arguments.Number("max_indexes", options.most_indexes));
  if (arguments.Member("headroom") != nullptr) options.headroom = arguments.Number("headroom");
  if (const std::string given = arguments.Text("tables"); !given.empty()) {
    const std::optional<TableRange> tables = ReadTableRange(given);
    if (!tables) {
      return ValidationError("\"tables\" has to be a number or a range, such as 1 or 1..3");
    }
    options.tables = *tables;
  }
  return options;
}

Result<ToolResult> ProposeLayoutsForLab(ToolCall& call) {
  HR_ASSIGN(const LabText given, ReadLabTextArgument(call.arguments));
  HR_ASSIGN(const LoadedLab lab, LoadApplication(given.text, given.title));
  HR_ASSIGN(const ProposeOptions options, ProposeOptionsIn(call));
  const std::jthread timer = StartTimer(kProposeTime, call.stop);
  HR_ASSIGN(const Proposal proposal, ProposeLayouts(lab.file, options));
  HR_ASSIGN(const std::string proposed, WithProposal(given.text, lab.document, lab.file, proposal));
  ReportFolder& reports = call.place.reports;
  OutputBuffer json;
  JsonWriter writer(json);
  WriteProposalJson(lab.file, proposal, writer);
  const std::string files =
      FileLine("lab file with these layouts", reports, "proposed.lab.yaml", proposed) +
      FileLine("data", reports, "lab-propose.json", json.view());
  std::string text = WarningLines(lab.file) + ProposalText(lab.file, proposal);
  return ToolResult{.text = BoundedText(std::move(text), reports, "lab-propose.txt") + files,
                    .structured = JsonObjectText([&](JsonWriter& data) {
                      data.Name("proposal");
                      data.Raw(json.view());
                      data.StringMember("files", files);
                    })};
}

// Errors: ValidationException  there would be more instances than the tools fill
Status CheckInstances(double instances) {
  if (instances <= kMostInstancesOfTool) return {};
  return ValidationError(
      "the lab file has about " + NumberText(instances) +
      " instances of all its entities at this scale, and the tools fill at most " +
      NumberText(kMostInstancesOfTool) +
      "; give entities a smaller \"count\", or run a smaller \"scale\"");
}

std::uint64_t ThinOf(ObjectReader& arguments, const LabFile& file) {
  if (arguments.Member("thin")) return static_cast<std::uint64_t>(arguments.Number("thin"));
  const double enough = std::ceil(CallsOfTraffic(file) / kUsualCalls);
  return static_cast<std::uint64_t>(std::clamp(enough, 1.0, static_cast<double>(kGreatestThin)));
}

void WriteStrings(std::string_view name, const std::vector<std::string>& texts,
                  JsonWriter& writer) {
  writer.BeginArray(name);
  for (const std::string& text : texts) writer.String(text);
  writer.EndArray();
}

// What of a run the structured result says.
struct RunSummary {
  LabVerdict verdict;
  std::vector<std::string> violations = {};
  const std::vector<ForecastCurve>& curves;
  bool was_stopped = false;
  std::uint64_t thin = 1;
};

constexpr std::string_view kSummarySchema =
    R"({"type":"object","properties":{)"
    R"("verdict":{"type":"string","description":"Which layout to take, and why"},)"
    R"("taken":{"type":["string","null"],"description":"The name of that layout"},)"
    R"("reasons":{"type":"array","items":{"type":"string"},)"
    R"("description":"What speaks against each layout, and what would change the verdict"},)"
    R"("layouts":{"type":"array","items":{"type":"object","properties":{)"
    R"("name":{"type":"string"},"month_usd":{"type":"string"},"first_limit":{"type":"string"},)"
    R"("stored":{"type":"string"},"throttled":{"type":"string"}},)"
    R"("required":["name","first_limit","stored","throttled"],"additionalProperties":false}},)"
    R"("limits_exceeded":{"type":"array","items":{"type":"string"}},)"
    R"("curves":{"type":"array","items":{"type":"object","properties":{"vary":{"type":"string"},)"
    R"("sentences":{"type":"array","items":{"type":"string"}}},)"
    R"("required":["vary","sentences"],"additionalProperties":false},)"
    R"("description":"What is expected while the numbers of `vary` change"},)"
    R"("thin":{"type":"integer","description":"One of so many calls was made"},)"
    R"("was_stopped":{"type":"boolean"},)"
    R"("files":{"type":"string","description":"Where the page and all figures are"}},)"
    R"("required":["verdict","taken","reasons","layouts","limits_exceeded","curves","thin",)"
    R"("was_stopped","files"],"additionalProperties":false})";

void WriteCurveSentences(const std::vector<ForecastCurve>& curves, JsonWriter& writer) {
  constexpr std::size_t kMostSentences = 4;
  writer.BeginArray("curves");
  for (const ForecastCurve& curve : curves) {
    std::vector<std::string> sentences = CurveSentences(curve);
    if (sentences.size() > kMostSentences) sentences.resize(kMostSentences);
    for (std::string& sentence : sentences) sentence = ClippedText(sentence, 200);
    writer.BeginObject();
    writer.StringMember("vary", ClippedText(curve.path, 100));
    WriteStrings("sentences", sentences, writer);
    writer.EndObject();
  }
  writer.EndArray();
}

// Its size is less than kMostStructuredBytes.
std::string SummaryJson(const LabFigures& figures, const RunSummary& summary,
                        std::string_view files) {
  constexpr std::size_t kMostReasons = 8;
  constexpr std::size_t kMostSentence = 600;
  constexpr std::size_t kMostName = 60;
  const LabVerdict& verdict = summary.verdict;
  std::vector<std::string> reasons = verdict.reasons;
  if (reasons.size() > kMostReasons) reasons.resize(kMostReasons);
  for (std::string& reason : reasons) reason = ClippedText(reason, kMostSentence);
  return JsonObjectText([&](JsonWriter& writer) {
    writer.StringMember("verdict", ClippedText(verdict.headline, kMostSentence));
    writer.Name("taken");
    if (verdict.layout()) {
      writer.String(figures.layouts[*verdict.layout()].name);
    } else {
      writer.Raw("null");
    }
    WriteStrings("reasons", reasons, writer);
    writer.BeginArray("layouts");
    for (const LabLayoutFigures& layout : figures.layouts) {
      writer.BeginObject();
      writer.StringMember("name", ClippedText(layout.name, kMostName));
      if (layout.month) writer.StringMember("month_usd", AmountText(layout.month->usd));
      writer.StringMember("first_limit", ClippedText(FirstDeclaredLimitText(layout), 120));
      writer.StringMember("stored", BytesText(layout.StoredBytes()));
      writer.StringMember("throttled", PercentText(layout.throttled_share));
      writer.EndObject();
    }
    writer.EndArray();
    WriteStrings("limits_exceeded", summary.violations, writer);
    WriteCurveSentences(summary.curves, writer);
    writer.IntegerMember("thin", static_cast<std::int64_t>(summary.thin));
    writer.BoolMember("was_stopped", summary.was_stopped);
    writer.StringMember("files", files);
  });
}

ToolResult ReportLabRun(const LabFile& file, const LabResult& result, bool was_stopped,
                        ReportFolder& reports) {
  const LabFigures figures = MakeLabFigures(file, result);
  const std::vector<LabViolation> violations = CheckLabLimits(file, figures);
  RunSummary summary{.verdict = JudgeLayouts(file, figures, violations),
                     .curves = result.curves,
                     .was_stopped = was_stopped,
                     .thin = result.thin};
  for (const LabViolation& violation : violations) {
    if (summary.violations.size() >= kMostStructuredViolations) break;
    summary.violations.push_back(ClippedText(violation.sentence, 200));
  }
  OutputBuffer json;
  JsonWriter writer(json);
  WriteLabJson(file, result, writer);
  const std::string files = FileLine("page", reports, "lab-run.html", LabHtmlReport(file, result)) +
                            FileLine("data", reports, "lab-run.json", json.view());
  std::string text = WarningLines(file);
  if (was_stopped) text += "The run was stopped before its end: the figures are of a part.\n";
  text += LabTextReport(file, result, {});
  return {.text = BoundedText(std::move(text), reports, "lab-run.txt") + files,
          .structured = SummaryJson(figures, summary, files)};
}

Result<ToolResult> RunLayoutsOfLab(ToolCall& call) {
  HR_ASSIGN(const LoadedLab lab, ReadLabArgument(call.arguments));
  const LabFile& file = lab.file;
  LabRunOptions options;
  options.scales = {static_cast<std::uint64_t>(call.arguments.Number("scale", 1))};
  HR_RETURN_IF_ERROR(CheckInstances(AllInstancesOf(file) * static_cast<double>(options.scales[0])));
  options.thin = ThinOf(call.arguments, file);
  options.confirms_first_limit = call.arguments.Flag("confirm_first_limit");
  HR_ASSIGN(options.only_layouts, LayoutsIn(call.arguments, file));
  options.max_memory_bytes = ApproximateLiveBytes() + kMostLabBytes;
  options.stop = &call.stop;
  options.progress = call.progress;
  const auto seconds = std::chrono::seconds(
      static_cast<std::int64_t>(call.arguments.Number("seconds", kUsualSeconds)));
  const std::jthread timer = StartTimer(seconds, call.stop);
  HR_ASSIGN(std::vector<ForecastCurve> curves, DrawCurvesOf(call, lab, options.only_layouts));
  HR_ASSIGN(LabResult result, RunLab(file, options));
  result.curves = std::move(curves);
  if (result.runs.empty()) {
    return ValidationError(
        "the run ended before anything was done; give it more \"seconds\", or a greater \"thin\"");
  }
  const bool was_stopped = std::ranges::any_of(result.runs, &LayoutRun::is_partial);
  return ReportLabRun(file, result, was_stopped, call.place.reports);
}

constexpr Tool kLabTools[] = {
    {.name = "lab_import",
     .title = "Make a lab file from a model",
     .description =
         "Makes a lab file from what there is already: CreateTable inputs or DescribeTable answers "
         "with items, a measurement, a model of NoSQL Workbench, OneTable or ElectroDB, AWS Labs' "
         "schema.json or dynamodb_data_model.json. The file is written, and its text is returned "
         "with notes about what was left out. Where the source does not decide, a mark {?…} "
         "is a question: answer it. Check rates and counts before a run.",
     .arguments = kImportArguments,
     .effect = ToolEffect::kReads,
     .takes_long = true,
     .function = ImportModel},
    {.name = "lab_start",
     .title = "Start a lab file",
     .description =
         "Returns a small lab file with a comment at each line, to start from, and the path of the "
         "JSON Schema of lab files. A lab file (YAML) has the entities of an application, its "
         "access patterns with their rates, and layouts of keys to compare.",
     .effect = ToolEffect::kReads,
     .needs_tables = false,
     .function = StartLab},
    {.name = "lab_validate",
     .title = "Check a lab file",
     .description = "Reads a lab file and says whether it is right, or where it is wrong (line and "
                    "column) and what is allowed there. Takes no time.",
     .arguments = kReadLabArguments,
     .effect = ToolEffect::kReads,
     .needs_tables = false,
     .function = ValidateLab},
    {.name = "lab_propose",
     .title = "Find layouts by search",
     .description =
         "Finds layouts of keys for the entities and access patterns of a lab file, whose layouts "
         "may be missing and do not count: those that no other beats in US$ a month, headroom of "
         "the keys and number of indexes at once, and beside them the best with one table and the "
         "best with a table for each entity. Of each: the figures, why it is so, and its keys in "
         "the language of lab files; the lab file with these layouts is written, to explain, run "
         "and change. Takes seconds, and two minutes at most, and makes no items.",
     .arguments = kProposeLabArguments,
     .effect = ToolEffect::kReads,
     .takes_long = true,
     .needs_tables = false,
     .function = ProposeLayoutsForLab},
    {.name = "lab_explain",
     .title = "Explain the layouts of a lab file",
     .description =
         "For each layout and access pattern of a lab file: the exact DynamoDB requests that serve "
         "it, whether by key, with a filter or by a Scan, the units of a call, why, and design "
         "findings. Takes a second or a few, and a minute at most. Write keys, explain, and "
         "repeat; narrow long answers by `layouts` and `patterns`. `vary` adds what each layout "
         "costs and carries while a number of the file changes.",
     .arguments = kExplainLabArguments,
     .effect = ToolEffect::kReads,
     .takes_long = true,
     .function = ExplainLayoutsOfLab},
    {.name = "lab_run",
     .title = "Run and compare the layouts of a lab file",
     .description =
         "Fills each layout of a lab file with the same data, makes the same calls on simulated "
         "time, and compares the layouts: which to take and why, US$ a month, units of each "
         "pattern, throttling, the first limit that growth meets, storage, and the file's `limits` "
         "that do not hold. The run is bounded: it ends after `seconds` (45 unless given, 600 at "
         "most), and `thin` makes one of N calls (usually about 50,000 calls in each layout). "
         "Needs no tables; the page (HTML) and all figures (JSON) are written to files.",
     .arguments = kRunLabArguments,
     .output_schema = kSummarySchema,
     .effect = ToolEffect::kReads,
     .takes_long = true,
     .function = RunLayoutsOfLab}};

}  // namespace

std::span<const Tool> LabTools() { return kLabTools; }

}  // namespace hashrange
