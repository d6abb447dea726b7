#include "cli/lab_commands.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/output_buffer.h"
#include "base/output_folder.h"
#include "cli/ctl_answer.h"
#include "cli/exit_codes.h"
#include "cli/interruption.h"
#include "cli/lab_endpoint.h"
#include "cli/lab_input.h"
#include "cli/measure_output.h"
#include "cli/progress_bar.h"
#include "lab/import/lab_import.h"
#include "lab/language/lab_texts.h"
#include "lab/report/lab_report.h"
#include "lab/run/explanation.h"
#include "lab/run/lab_run.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

constexpr std::string_view kStdStream = "-";

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

// Returns whether the name is that of a device or a pipe, which several results may share.
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
  for (const std::string& output :
       {line.html.value_or(""), line.json.value_or(""), line.options.requests_file}) {
    std::error_code none;
    if (output.empty() || !std::filesystem::equivalent(output, line.file, none)) continue;
    return ValidationError("the result would overwrite the lab file " + line.file);
  }
  if (IsStdout(line.html) && IsStdout(line.json)) {
    return ValidationError("--html and --json would both write to stdout");
  }
  return CheckDistinct({{"--html", line.html.value_or("")},
                        {"--json", line.json.value_or("")},
                        {"--requests", line.options.requests_file}});
}

// An imported model is not overwritten by the lab file that is made of it.
Status CheckNotAmong(const std::string& out, const std::vector<std::string>& models) {
  for (const std::string& model : models) {
    if (IsSameFile(out, model)) return ValidationError("--out would overwrite the model " + model);
  }
  return {};
}

Result<LabOutputs> OpenOutputs(const LabLine& line) {
  HR_RETURN_IF_ERROR(CheckOverwrites(line));
  LabOutputs outputs;
  if (line.html && !line.html->empty()) {
    HR_ASSIGN(OutputFile file, OutputFile::Open(*line.html));
    outputs.html.emplace(std::move(file));
  }
  if (line.json && !line.json->empty()) {
    HR_ASSIGN(OutputFile file, OutputFile::Open(*line.json));
    outputs.json.emplace(std::move(file));
  }
  return outputs;
}

// A file that has limits knows where they stand.
bool HasLimits(const LabFile& file) {
  return file.limits_of_all.place.line > 0 || !file.limits.empty();
}

// A finished or interrupted run, and where its reports go.
struct FinishedRun {
  LabFile file;
  LabResult result;
  LabOutputs outputs;
  Status at_endpoint;  // why nothing was run there, which leaves the modelled runs as they are
};

Result<FinishedRun> RunLayouts(const LabLine& line, const std::atomic<bool>& stop) {
  HR_ASSIGN(LabFile file, LoadLabFile(line.file));
  HR_RETURN_IF_ERROR(CheckLayoutNames(file, line.options.only_layouts));
  if (line.command == LabLine::Command::kCheck && !HasLimits(file)) {
    return ValidationError(line.file + " has no limits");
  }
  HR_ASSIGN(LabOutputs outputs, OpenOutputs(line));
  ProgressBar bar;
  // The modelled run and the one at the endpoint count as one half each.
  const bool has_endpoint = !line.endpoint.url.empty();
  std::optional<OpenedEndpoint> endpoint;
  if (has_endpoint) {
    HR_ASSIGN(endpoint,
              OpenLabEndpoint(line, file, stop, [&bar](double done) { bar.Show((1 + done) / 2); }));
  }
  LabRunOptions options = line.options;
  options.stop = &stop;
  options.progress = [&](double done) { bar.Show(has_endpoint ? done / 2 : done); };
  HR_ASSIGN(LabResult result, RunLab(file, options));
  Status at_endpoint;
  if (endpoint && !stop) {
    auto run = endpoint->lab->Run(result);
    if (run.ok()) {
      result.endpoint = std::move(*run);
    } else {
      at_endpoint = std::move(run).error();
    }
  }
  return FinishedRun{std::move(file), std::move(result), std::move(outputs),
                     std::move(at_endpoint)};
}

// Writes the JSON to its file, or to stdout.
Status WriteJsonResult(LabOutputs& outputs, const OutputBuffer& json) {
  if (!outputs.json) return PrintJson(json.view());
  return outputs.json->WriteWhole(std::string(json.view()) + "\n");
}

// Writes the files, and the page or the JSON to stdout if the line asks for that.
Status WriteResults(FinishedRun& run, const LabLine& line) {
  if (line.html) {
    std::string page = LabHtmlReport(run.file, run.result);
    HR_RETURN_IF_ERROR(run.outputs.html ? run.outputs.html->WriteWhole(page)
                                        : PrintText(std::move(page)));
  }
  if (!line.json) return {};
  OutputBuffer json;
  JsonWriter writer(json);
  WriteLabJson(run.file, run.result, writer);
  return WriteJsonResult(run.outputs, json);
}

// Returns the exit code of a run that was interrupted; nothing when it was not.
std::optional<int> NoteInterruption(const std::atomic<bool>& stop, const FinishedRun& run) {
  if (!stop) return std::nullopt;
  const bool has_runs = !run.result.runs.empty();
  PrintCtlError(has_runs ? "interrupted: the report is about what was done until then"
                         : "interrupted before anything was done");
  return kInterrupted;
}

// Returns whether stdout has a result for other programs, so that no text may be there.
bool PrintsResult(const LabLine& line) { return IsStdout(line.html) || IsStdout(line.json); }

Result<int> ReportRun(const LabLine& line) {
  const std::atomic<bool>& stop = CatchInterruption();
  auto finished = RunLayouts(line, stop);
  if (!finished.ok() && stop) {
    PrintCtlError(finished.error().message);
    return kInterrupted;
  }
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
  const std::atomic<bool>& stop = CatchInterruption();
  HR_ASSIGN(FinishedRun run, RunLayouts(line, stop));
  if (const auto interrupted = NoteInterruption(stop, run)) return *interrupted;
  HR_RETURN_IF_ERROR(WriteResults(run, line));
  const std::vector<std::string> violations = LimitViolations(run.file, run.result);
  std::string text = violations.empty() ? "within limits\n" : "";
  for (const std::string& violation : violations) text += violation + "\n";
  if (run.result.thin > 1) {
    PrintCtlError("note: one of " + std::to_string(run.result.thin) +
                  " calls was made, so throttles and failed calls are rough");
  }
  if (!PrintsResult(line)) HR_RETURN_IF_ERROR(PrintText(std::move(text)));
  return violations.empty() ? 0 : kFailure;
}

Result<int> ExplainLayouts(const LabLine& line) {
  HR_ASSIGN(const LabFile file, LoadLabFile(line.file));
  const std::vector<std::string>& names = line.options.only_layouts;
  HR_RETURN_IF_ERROR(CheckLayoutNames(file, names));
  HR_ASSIGN(LabOutputs outputs, OpenOutputs(line));
  HR_ASSIGN(std::vector<ExplainedLayout> layouts, ExplainLab(file));
  std::erase_if(layouts, [&names](const ExplainedLayout& layout) {
    return !names.empty() && std::ranges::find(names, layout.name) == names.end();
  });
  if (line.json) {
    OutputBuffer json;
    JsonWriter writer(json);
    WriteExplanationJson(file, layouts, writer);
    HR_RETURN_IF_ERROR(WriteJsonResult(outputs, json));
  }
  if (!PrintsResult(line)) {
    HR_RETURN_IF_ERROR(PrintText(ExplanationText(file, layouts, StdoutReportForm())));
  }
  return 0;
}

Result<int> WriteStarter(const LabLine& line) {
  const std::string text(LabStarterText());
  if (line.file == kStdStream) {
    HR_RETURN_IF_ERROR(PrintText(text));
    return 0;
  }
  HR_ASSIGN(OutputFile made, OutputFile::Make(line.file));
  HR_RETURN_IF_ERROR(made.WriteWhole(text));
  HR_RETURN_IF_ERROR(
      PrintText("wrote " + line.file + "; next: hashrange lab explain " + line.file + "\n"));
  return 0;
}

Result<int> ImportModels(const LabLine& line) {
  const bool is_stdout = line.out.empty() || line.out == kStdStream;
  // The file is found before the work, as those of other results are.
  std::optional<OutputFile> out;
  if (!is_stdout) {
    HR_RETURN_IF_ERROR(CheckNotAmong(line.out, line.models));
    HR_ASSIGN(OutputFile found,
              line.overwrites ? OutputFile::Open(line.out) : OutputFile::Make(line.out));
    out.emplace(std::move(found));
  }
  HR_ASSIGN(ImportedLab lab, ImportLab(line.models, line.kind));
  for (const std::string& remark : lab.remarks) PrintCtlError("note: " + remark);
  if (!out) {
    HR_RETURN_IF_ERROR(PrintText(std::move(lab.text)));
    return 0;
  }
  HR_RETURN_IF_ERROR(out->WriteWhole(lab.text));
  HR_RETURN_IF_ERROR(
      PrintText("wrote " + line.out + "; next: hashrange lab explain " + line.out + "\n"));
  return 0;
}

Result<int> PrintSchema(const LabLine&) {
  HR_RETURN_IF_ERROR(PrintText(std::string(LabSchemaText())));
  return 0;
}

Result<int> RunCommand(const LabLine& line) {
  using Command = LabLine::Command;
  switch (line.command) {
    case Command::kRun:
      return ReportRun(line);
    case Command::kExplain:
      return ExplainLayouts(line);
    case Command::kCheck:
      return CheckRun(line);
    case Command::kInit:
      return WriteStarter(line);
    case Command::kImport:
      return ImportModels(line);
    case Command::kSchema:
      return PrintSchema(line);
    case Command::kNothing:
      break;
  }
  return line.exit_code;
}

}  // namespace

int RunLabLine(const LabLine& line) {
  const Result<int> result = RunCommand(line);
  if (result.ok()) return *result;
  PrintCtlError(result.error().message);
  if (line.command == LabLine::Command::kCheck) return kUsageError;  // there is no verdict
  return result.error().code == ErrorCode::kValidationException ? kUsageError : kFailure;
}

}  // namespace hashrange
