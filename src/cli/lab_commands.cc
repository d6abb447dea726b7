// The commands of `hashrange lab`, which read a lab file and print or write a result.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/file_text.h"
#include "base/output_folder.h"
#include "cli/lab_line.h"
#include "cli/terminal/program_output.h"
#include "cli/terminal/progress_line.h"
#include "lab/command/lab_command.h"
#include "lab/endpoint/endpoint_lab.h"
#include "lab/forecast/forecast_curve.h"
#include "lab/import/lab_import.h"
#include "lab/language/lab_reader.h"
#include "lab/language/lab_texts.h"
#include "lab/propose/proposal.h"
#include "lab/report/lab_report.h"
#include "lab/report/proposal_page.h"
#include "lab/report/proposal_text.h"
#include "lab/run/explanation.h"
#include "lab/run/lab_run.h"
#include "platform/signals.h"
#include "remote/client/credential_source.h"
#include "remote/client/endpoint_url.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

constexpr std::string_view kStdStream = "-";

// The lab file.

Result<std::string> ReadStdin() {
  HR_ASSIGN(std::string text, ReadStdinText());
  if (text.empty()) return ValidationError("there is nothing on stdin");
  return text;
}

Result<std::string> ReadLabFileText(const std::string& name) {
  return name == kStdStream ? ReadStdin() : ReadFileText(name);
}

std::string TitleOf(const std::string& name) { return name == kStdStream ? "stdin" : name; }

// Returns the lab file of that name; "-" is stdin. What is said of it is printed to stderr, a line
// each.
Result<LoadedLab> LoadLabFile(const std::string& name) {
  HR_ASSIGN(const std::string text, ReadLabFileText(name));
  std::vector<std::string> messages;
  Result<LoadedLab> lab = ReadLabText(text, TitleOf(name), messages);
  for (const std::string& message : messages) PrintError(message);
  return lab;
}

// The endpoint at which `lab run` makes its calls, too.

// An endpoint that has answered.
struct OpenedEndpoint {
  std::unique_ptr<CredentialSource> credentials;
  std::unique_ptr<EndpointLab> lab;  // uses the credentials
};

// Returns the endpoint of the line, which has one. `file` and `stop` outlive the result.
Result<OpenedEndpoint> OpenLabEndpoint(const LabLine& line, const LabFile& file,
                                       const std::atomic<bool>& stop,
                                       std::function<void(double)> progress) {
  const LabEndpointLine& asked = line.endpoint;
  OpenedEndpoint opened;
  HR_ASSIGN(const EndpointUrl url, ParseEndpointUrl(asked.url));
  const bool is_aws = IsAwsEndpoint(url);
  HR_ASSIGN(opened.credentials, FindCredentials({.profile = asked.profile, .may_invent = !is_aws}));
  EndpointRunOptions options;
  options.url = url;
  options.region = ChooseRegion(asked.region, url, asked.profile);
  options.credentials = opened.credentials.get();
  options.ca_file = asked.ca_file;
  options.traffic = asked.traffic;
  options.prefix = asked.prefix;
  options.is_charged = is_aws;
  options.spend_usd = asked.spend_usd;
  options.only_layouts = line.options.only_layouts;
  options.stop = &stop;
  options.progress = std::move(progress);
  options.note = [](const std::string& sentence) { PrintError(sentence); };
  HR_ASSIGN(opened.lab, EndpointLab::Open(file, options));
  return opened;
}

// Prints why layouts were not run to their end, and what they left behind.
void PrintEndpointTrouble(const EndpointResult& result) {
  for (const EndpointLayoutRun& run : result.runs) {
    if (!run.ended_early_because.empty()) {
      PrintError("layout \"" + run.layout + "\" ended early: " + run.ended_early_because);
    }
    if (!run.left_behind.empty()) PrintError(run.left_behind);
  }
}

// The results.

// The files of the results, which are found before the work.
struct LabOutputs {
  std::optional<OutputFile> html = {};
  std::optional<OutputFile> json = {};
};

// An option and the file that it names; empty: none.
struct NamedOutput {
  std::string_view option;
  std::string file;
};

// Returns whether a device or a pipe has the name, which several results may share.
bool IsStream(const std::string& file) {
  std::error_code none;
  return std::filesystem::exists(file, none) && !std::filesystem::is_regular_file(file, none);
}

std::filesystem::path WholeName(const std::string& file) {
  std::error_code none;
  return std::filesystem::weakly_canonical(std::filesystem::absolute(file, none), none);
}

// Returns whether both names are of one file, which need not exist.
bool IsSameFile(const std::string& one, const std::string& other) {
  std::error_code none;
  return WholeName(one) == WholeName(other) || std::filesystem::equivalent(one, other, none);
}

// Returns whether the option asks for stdout.
bool IsStdout(const std::optional<std::string>& output) { return output && output->empty(); }

Status CheckDistinct(const std::vector<NamedOutput>& outputs) {
  for (std::size_t at = 0; at < outputs.size(); ++at) {
    for (std::size_t before = 0; before < at; ++before) {
      const std::string& file = outputs[at].file;
      if (file.empty() || outputs[before].file.empty()) continue;
      if (IsStream(file) || !IsSameFile(file, outputs[before].file)) continue;
      return ValidationError(std::string(outputs[before].option) + " and " +
                             std::string(outputs[at].option) + " would write to the same file " +
                             file);
    }
  }
  return {};
}

// An option's value is easily forgotten, and then the next argument, the lab file, is taken for it.
Status CheckOverwrites(const LabLine& line) {
  for (const std::string& output : {line.html.value_or(""), line.json.value_or(""),
                                    line.options.requests_file, line.propose.write}) {
    std::error_code none;
    if (output.empty() || !std::filesystem::equivalent(output, line.file, none)) continue;
    return ValidationError("the result would overwrite the lab file " + line.file);
  }
  if (IsStdout(line.html) && IsStdout(line.json)) {
    return ValidationError("--html and --json would both write to stdout");
  }
  return CheckDistinct({{"--html", line.html.value_or("")},
                        {"--json", line.json.value_or("")},
                        {"--requests", line.options.requests_file},
                        {"--write", line.propose.write}});
}

// An imported model is not overwritten by the lab file that is made of it.
Status CheckNotAmong(const std::string& out, const std::vector<std::string>& models) {
  for (const std::string& model : models) {
    if (IsSameFile(out, model)) return ValidationError("--out would overwrite the model " + model);
  }
  return {};
}

// Returns nothing where the option is not given, or asks for stdout.
Result<std::optional<OutputFile>> OpenOutput(const std::optional<std::string>& output) {
  if (!output || output->empty()) return std::optional<OutputFile>();
  HR_ASSIGN(OutputFile file, OutputFile::Open(*output));
  return std::optional(std::move(file));
}

Result<LabOutputs> OpenOutputs(const LabLine& line) {
  HR_RETURN_IF_ERROR(CheckOverwrites(line));
  HR_ASSIGN(std::optional<OutputFile> html, OpenOutput(line.html));
  HR_ASSIGN(std::optional<OutputFile> json, OpenOutput(line.json));
  return LabOutputs{std::move(html), std::move(json)};
}

// A finished or interrupted run, and where its reports go.
struct FinishedRun {
  LabFile file;
  LabResult result;
  LabOutputs outputs;
  Status at_endpoint;  // why nothing was run there, which leaves the modelled runs as they are
};

LabOrder OrderOf(const LabLine& line, LabOrder::Command command, const std::atomic<bool>& stop) {
  LabOrder order{.command = command, .options = line.options, .varied = line.varied};
  order.options.stop = &stop;
  return order;
}

Result<FinishedRun> FinishRun(const LabLine& line, LabOrder::Command command,
                              const std::atomic<bool>& stop) {
  HR_ASSIGN(LoadedLab lab, LoadLabFile(line.file));
  LabOrder order = OrderOf(line, command, stop);
  HR_ASSIGN(std::vector<ForecastCurve> curves, PrepareLab(lab, order));
  HR_ASSIGN(LabOutputs outputs, OpenOutputs(line));
  ProgressBar bar;
  // The modelled run and the one at the endpoint count as one half each.
  const bool has_endpoint = !line.endpoint.url.empty();
  std::optional<OpenedEndpoint> endpoint;
  if (has_endpoint) {
    HR_ASSIGN(endpoint, OpenLabEndpoint(line, lab.file, stop,
                                        [&bar](double done) { bar.Show((1 + done) / 2); }));
  }
  order.options.progress = [&](double done) { bar.Show(has_endpoint ? done / 2 : done); };
  HR_ASSIGN(LabResult result, RunLayouts(lab, order, std::move(curves)));
  Status at_endpoint;
  if (endpoint && !stop) {
    auto run = endpoint->lab->Run(result);
    if (run.ok()) {
      result.endpoint = std::move(*run);
    } else {
      at_endpoint = std::move(run).error();
    }
  }
  return FinishedRun{std::move(lab.file), std::move(result), std::move(outputs),
                     std::move(at_endpoint)};
}

// Writes the JSON to its file, or to stdout.
Status WriteJsonResult(LabOutputs& outputs, const std::function<void(JsonWriter&)>& write) {
  return outputs.json ? outputs.json->WriteWhole(WrittenJson(write) + "\n") : PrintJson(write);
}

// Writes the files, and the page or the JSON to stdout if the line asks for that.
Status WriteResults(FinishedRun& run, const LabLine& line) {
  if (line.html) {
    const std::string page = LabHtmlReport(run.file, run.result);
    HR_RETURN_IF_ERROR(run.outputs.html ? run.outputs.html->WriteWhole(page) : PrintText(page));
  }
  if (!line.json) return {};
  return WriteJsonResult(run.outputs,
                         [&](JsonWriter& writer) { WriteLabJson(run.file, run.result, writer); });
}

// Returns the exit code of a run that was interrupted; nothing when it was not.
std::optional<int> NoteInterruption(const std::atomic<bool>& stop, const FinishedRun& run) {
  if (!stop) return std::nullopt;
  PrintError(InterruptionSentence(!run.result.runs.empty()));
  return kInterrupted;
}

// Returns whether stdout has a result for other programs, so that no text may be there.
bool PrintsResult(const LabLine& line) { return IsStdout(line.html) || IsStdout(line.json); }

// Returns the exit code of work that an interruption ended with an error; nothing when the work has
// another end.
template <typename T>
std::optional<int> NoteInterruptedError(const std::atomic<bool>& stop, const Result<T>& result) {
  if (result.ok() || !stop) return std::nullopt;
  PrintError(result.error().message);
  return kInterrupted;
}

Result<int> ReportRun(const LabLine& line) {
  const std::atomic<bool>& stop = CatchInterruption(kInterrupted);
  auto finished = FinishRun(line, LabOrder::Command::kRun, stop);
  if (const auto interrupted = NoteInterruptedError(stop, finished)) return *interrupted;
  HR_ASSIGN(FinishedRun run, std::move(finished));
  const std::optional<int> interrupted = NoteInterruption(stop, run);
  if (run.result.runs.empty()) return interrupted.value_or(0);
  HR_RETURN_IF_ERROR(WriteResults(run, line));
  if (!PrintsResult(line)) {
    HR_RETURN_IF_ERROR(PrintText(LabTextReport(run.file, run.result, StdoutReportForm())));
  }
  HR_RETURN_IF_ERROR(std::move(run.at_endpoint));
  const auto& endpoint = run.result.endpoint;
  if (endpoint) PrintEndpointTrouble(*endpoint);
  return interrupted.value_or(endpoint && HasTrouble(*endpoint) ? kFailure : 0);
}

Result<int> CheckRun(const LabLine& line) {
  const std::atomic<bool>& stop = CatchInterruption(kInterrupted);
  HR_ASSIGN(FinishedRun run, FinishRun(line, LabOrder::Command::kCheck, stop));
  if (const auto interrupted = NoteInterruption(stop, run)) return *interrupted;
  HR_RETURN_IF_ERROR(WriteResults(run, line));
  LabCheckText check = CheckText(run.file, run.result);
  for (const std::string& note : check.notes) PrintError(note);
  if (!PrintsResult(line)) HR_RETURN_IF_ERROR(PrintText(check.text));
  return check.holds ? 0 : kFailure;
}

Result<int> ExplainFile(const LabLine& line) {
  HR_ASSIGN(const LoadedLab lab, LoadLabFile(line.file));
  // Without curves, nothing takes so long that it has to be interrupted in an orderly way.
  static const std::atomic<bool> kNever = false;
  const std::atomic<bool>& stop = line.varied.empty() ? kNever : CatchInterruption(kInterrupted);
  const LabOrder order = OrderOf(line, LabOrder::Command::kExplain, stop);
  auto drawn = PrepareLab(lab, order);
  if (const auto interrupted = NoteInterruptedError(stop, drawn)) return *interrupted;
  HR_ASSIGN(const std::vector<ForecastCurve> curves, std::move(drawn));
  HR_ASSIGN(LabOutputs outputs, OpenOutputs(line));
  HR_ASSIGN(const std::vector<ExplainedLayout> layouts, ExplainLayouts(lab, order));
  if (stop) {
    PrintError(InterruptionSentence(false));
    return kInterrupted;
  }
  if (line.json) {
    HR_RETURN_IF_ERROR(WriteJsonResult(outputs, [&](JsonWriter& writer) {
      WriteExplanationJson(lab.file, layouts, writer, curves);
    }));
  }
  if (!PrintsResult(line)) {
    HR_RETURN_IF_ERROR(PrintText(ExplanationText(lab.file, layouts, StdoutReportForm(), curves)));
  }
  return 0;
}

// What `lab propose` is given and has found.
struct FinishedProposal {
  LoadedLab lab;
  Proposal proposal = {};
  std::string proposed_text = {};  // the lab file with the proposed layouts
};

Result<FinishedProposal> FinishProposal(const LabLine& line, const std::atomic<bool>& stop) {
  FinishedProposal finished;
  HR_ASSIGN(const std::string text, ReadLabFileText(line.file));
  HR_ASSIGN(finished.lab, LoadApplication(text, TitleOf(line.file)));
  ProgressBar bar;
  ProposeOptions options = {.most_indexes = static_cast<int>(line.propose.most_indexes),
                            .headroom = line.propose.headroom,
                            .stop = &stop,
                            .progress = [&bar](double done) { bar.Show(done); }};
  if (const auto tables = ReadTableRange(line.propose.tables)) options.tables = *tables;
  HR_ASSIGN(finished.proposal, ProposeLayouts(finished.lab.file, options));
  HR_ASSIGN(finished.proposed_text,
            WithProposal(text, finished.lab.document, finished.lab.file, finished.proposal));
  return finished;
}

// Runs the proposed layouts. Of much traffic, one of several calls is made; the trials of all
// layouts but the one to take share what takes about a minute of a processor.
Result<FinishedRun> RunProposal(const LabLine& line, const FinishedProposal& finished,
                                const std::atomic<bool>& stop) {
  constexpr double kCalls = 200'000;
  constexpr double kTrialWorkOfOthers = 4'500'000;
  HR_ASSIGN(LoadedLab lab, LoadLab(finished.proposed_text, TitleOf(line.file)));
  LabOrder order = OrderOf(line, LabOrder::Command::kRun, stop);
  order.options.thin =
      std::max<std::uint64_t>(1, static_cast<std::uint64_t>(CallsOfTraffic(lab.file) / kCalls));
  const auto layouts = static_cast<double>(lab.file.layouts.size());
  order.options.trial_work_of_others = std::min(kMostTrialWork, kTrialWorkOfOthers / layouts);
  ProgressBar bar;
  order.options.progress = [&bar](double done) { bar.Show(done); };
  HR_ASSIGN(LabResult result, RunLayouts(lab, order, {}));
  return FinishedRun{std::move(lab.file), std::move(result), {}, {}};
}

Result<int> ProposeForFile(const LabLine& line) {
  const std::atomic<bool>& stop = CatchInterruption(kInterrupted);
  HR_ASSIGN(LabOutputs outputs, OpenOutputs(line));
  auto proposed = FinishProposal(line, stop);
  if (const auto interrupted = NoteInterruptedError(stop, proposed)) return *interrupted;
  HR_ASSIGN(FinishedProposal finished, std::move(proposed));
  if (!line.propose.write.empty()) {
    HR_ASSIGN(OutputFile file, OutputFile::Open(line.propose.write));
    HR_RETURN_IF_ERROR(file.WriteWhole(finished.proposed_text));
  }
  if (line.json) {
    HR_RETURN_IF_ERROR(WriteJsonResult(outputs, [&](JsonWriter& writer) {
      WriteProposalJson(finished.lab.file, finished.proposal, writer);
    }));
  }
  if (!PrintsResult(line)) {
    HR_RETURN_IF_ERROR(PrintText(ProposalText(finished.lab.file, finished.proposal)));
  }
  std::optional<FinishedRun> run;
  if (!line.propose.skips_run && !stop) {
    HR_ASSIGN(FinishedRun made, RunProposal(line, finished, stop));
    run.emplace(std::move(made));
  }
  if (line.html) {
    std::optional<ProposalRun> shown;
    if (run) shown.emplace(run->file, run->result);
    const std::string page =
        ProposalHtmlReport(finished.lab.file, finished.proposal, shown ? &*shown : nullptr);
    HR_RETURN_IF_ERROR(outputs.html ? outputs.html->WriteWhole(page) : PrintText(page));
  }
  if (!run) return stop ? kInterrupted : 0;
  if (!PrintsResult(line)) {
    HR_RETURN_IF_ERROR(PrintText("\n" + LabTextReport(run->file, run->result, StdoutReportForm())));
  }
  return NoteInterruption(stop, *run).value_or(0);
}

// Writes a lab file, or prints it where there is no file. Returns the exit code, 0.
Result<int> WriteLabText(const std::string& text, std::optional<OutputFile> out,
                         const std::string& name) {
  if (out) HR_RETURN_IF_ERROR(out->WriteWhole(text));
  HR_RETURN_IF_ERROR(
      PrintText(out ? "wrote " + name + "; next: hashrange lab explain " + name + "\n" : text));
  return 0;
}

Result<int> WriteStarter(const LabLine& line) {
  std::optional<OutputFile> out;
  if (line.file != kStdStream) {
    HR_ASSIGN(OutputFile made, OutputFile::Make(line.file));
    out.emplace(std::move(made));
  }
  return WriteLabText(std::string(LabStarterText()), std::move(out), line.file);
}

Result<int> ImportModels(const LabLine& line) {
  // The file is found before the work, as the files of other results are.
  std::optional<OutputFile> out;
  if (!line.out.empty() && line.out != kStdStream) {
    HR_RETURN_IF_ERROR(CheckNotAmong(line.out, line.models));
    HR_ASSIGN(OutputFile found,
              line.overwrites ? OutputFile::Open(line.out) : OutputFile::Make(line.out));
    out.emplace(std::move(found));
  }
  HR_ASSIGN(const ImportedLab lab, ImportLab(line.models, line.kind));
  for (const std::string& remark : lab.remarks) PrintError("note: " + remark);
  if (lab.questions > 0) {
    PrintError("note: the file has " + QuestionCountText(lab.questions) +
               ", marked {?…}, which `hashrange lab explain` lists");
  }
  return WriteLabText(lab.text, std::move(out), line.out);
}

Result<int> PrintSchema(const LabLine&) {
  HR_RETURN_IF_ERROR(PrintText(std::string(LabSchemaText())));
  return 0;
}

// The functions are in the order of LabLine::Command.
constexpr Result<int> (*kRunCommand[])(const LabLine& line) = {
    ReportRun, ExplainFile, CheckRun, ProposeForFile, WriteStarter, ImportModels, PrintSchema};
static_assert(std::size(kRunCommand) == static_cast<std::size_t>(LabLine::Command::kNothing));

}  // namespace

int RunLabLine(const LabLine& line) {
  if (line.command == LabLine::Command::kNothing) return line.exit_code;
  const Result<int> result = kRunCommand[static_cast<std::size_t>(line.command)](line);
  if (result.ok()) return *result;
  const int exit_code = FailWith(result.error());
  return line.command == LabLine::Command::kCheck ? kUsageError : exit_code;  // no verdict
}

}  // namespace hashrange
