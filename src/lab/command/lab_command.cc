#include "lab/command/lab_command.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/text/nearest_name.h"
#include "lab/report/lab_report.h"

namespace hashrange {
namespace {

// Returns `"plain", "sharded"`.
std::string QuotedList(const std::vector<std::string_view>& names) {
  std::string list;
  for (const std::string_view name : names) {
    list.append(list.empty() ? "\"" : ", \"").append(name).append("\"");
  }
  return list;
}

// Returns an error that names the layout that the lab file does not have, and the layouts that it
// has.
Status CheckLayoutNames(const LabFile& file, const std::vector<std::string>& names) {
  std::vector<std::string_view> known;
  for (const LabLayout& layout : file.layouts) known.push_back(layout.name);
  for (const std::string& name : names) {
    if (std::ranges::find(known, name) != known.end()) continue;
    std::string sentence = UnknownNameSentence("layout", name, known);
    sentence += sentence.ends_with('?') ? " The file has " : ". The file has ";
    return ValidationError(sentence + QuotedList(known));
  }
  return {};
}

// A file that has limits knows where they stand.
bool HasLimits(const LabFile& file) {
  return file.limits_of_all.place.line > 0 || !file.limits.empty();
}

// Returns whether the first limit of a layout has to be confirmed for a check.
bool HasHeadroom(const LabFile& file) {
  return file.limits_of_all.headroom || std::ranges::any_of(file.limits, [](const auto& own) {
           return own.second.headroom.has_value();
         });
}

}  // namespace

Result<LoadedLab> ReadLabText(std::string_view text, std::string_view name,
                              std::vector<std::string>& messages) {
  Result<LoadedLab> lab = LoadLab(text, name);
  if (lab.ok()) {
    for (const std::string& warning : lab->file.warnings) messages.push_back("warning: " + warning);
    return lab;
  }
  Error error = std::move(lab).error();
  for (std::size_t end = error.message.find('\n'); end != error.message.npos;
       end = error.message.find('\n')) {
    messages.push_back(error.message.substr(0, end));
    error.message.erase(0, end + 1);
  }
  return error;
}

Result<std::vector<ForecastCurve>> PrepareLab(const LoadedLab& lab, const LabOrder& order) {
  HR_RETURN_IF_ERROR(CheckLayoutNames(lab.file, order.options.only_layouts));
  if (order.command == LabOrder::Command::kCheck && !HasLimits(lab.file)) {
    return ValidationError(lab.file.name + " has no limits");
  }
  return DrawForecastCurves(lab, order.varied, order.options.only_layouts, order.options.stop);
}

Result<LabResult> RunLayouts(const LoadedLab& lab, const LabOrder& order,
                             std::vector<ForecastCurve> curves) {
  LabRunOptions options = order.options;
  if (order.command == LabOrder::Command::kCheck && !HasHeadroom(lab.file)) {
    options.confirms_first_limit = false;
  }
  HR_ASSIGN(LabResult result, RunLab(lab.file, options));
  result.curves = std::move(curves);
  return result;
}

Result<std::vector<ExplainedLayout>> ExplainLayouts(const LoadedLab& lab, const LabOrder& order) {
  return ExplainLab(lab.file, {.only_layouts = order.options.only_layouts,
                               .max_memory_bytes = order.options.max_memory_bytes,
                               .stop = order.options.stop});
}

LabCheckText CheckText(const LabFile& file, const LabResult& result) {
  const std::vector<std::string> violations = LimitViolations(file, result);
  LabCheckText check{.holds = violations.empty(),
                     .text = violations.empty() ? "within limits\n" : ""};
  for (const std::string& violation : violations) check.text += violation + "\n";
  if (result.thin > 1) {
    check.notes.push_back("note: one of " + std::to_string(result.thin) +
                          " calls was made, so throttles and failed calls are rough");
  }
  return check;
}

std::string InterruptionSentence(bool has_runs) {
  return has_runs ? "interrupted: the report is about what was done until then"
                  : "interrupted before anything was done";
}

}  // namespace hashrange
