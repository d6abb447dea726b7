// `hashrange ctl measure what-if`: the changes of a design, as its options name them.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/ctl/measure_commands.h"
#include "cli/ctl/measurement_source.h"
#include "measure/cost/assessment.h"
#include "measure/cost/what_if.h"
#include "measure/measured_tables.h"
#include "measure/report/readable_text.h"
#include "measure/report/report_input.h"

namespace hashrange {
namespace {

constexpr const char* kNoChange =
    "what is the change? One of --drop-index TABLE/INDEX, --projection "
    "TABLE/INDEX=KEYS_ONLY|INCLUDE:a,b, --billing TABLE=PROVISIONED|PAY_PER_REQUEST";

// A text cut in two at the first separator; the second part is empty if there is none.
struct TwoParts {
  std::string_view first;
  std::string_view second;
};

TwoParts CutAt(std::string_view text, char separator) {
  const std::size_t at = text.find(separator);
  if (at == text.npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + 1)};
}

Error WrongForm(std::string_view option, std::string_view given, std::string_view form) {
  std::string sentence(option);
  sentence.append(" \"").append(given).append("\" is not ").append(form);
  return ValidationError(std::move(sentence));
}

Result<WhatIf> ApplyDrop(const Measurement& measurement, std::string_view given) {
  const auto [table, index] = CutAt(given, '/');
  if (index.empty()) {
    return WrongForm("--drop-index", given, "TABLE/INDEX; " + IndexesText(measurement));
  }
  return DropIndex(measurement, table, index);
}

Result<WhatIf> ApplyProjection(const Measurement& measurement, std::string_view given) {
  constexpr std::string_view kKeysOnly = "KEYS_ONLY", kInclude = "INCLUDE:";
  const auto [resource, projection] = CutAt(given, '=');
  const auto [table, index] = CutAt(resource, '/');
  SmallerProjection smaller;
  if (projection.starts_with(kInclude)) {
    smaller.attributes = WordsIn(projection.substr(kInclude.size()));
  }
  if (index.empty() || (projection != kKeysOnly && smaller.attributes.empty())) {
    return WrongForm(
        "--projection", given,
        "TABLE/INDEX=KEYS_ONLY or TABLE/INDEX=INCLUDE:a,b; " + IndexesText(measurement));
  }
  return ShrinkProjection(measurement, table, index, smaller);
}

Result<WhatIf> ApplyBilling(const Measurement& measurement, std::string_view given) {
  const auto [table, mode] = CutAt(given, '=');
  if (mode == "PROVISIONED") return ChangeBilling(measurement, table, BillingMode::kProvisioned);
  if (mode == "PAY_PER_REQUEST") return ChangeBilling(measurement, table, BillingMode::kOnDemand);
  return WrongForm("--billing", given,
                   "TABLE=PROVISIONED or TABLE=PAY_PER_REQUEST; " + TablesText(measurement));
}

struct ChangeOption {
  std::vector<std::string> MeasureLine::*given;
  Result<WhatIf> (*apply)(const Measurement& measurement, std::string_view given);
};
constexpr ChangeOption kChangeOptions[] = {
    {&MeasureLine::dropped_indexes, ApplyDrop},
    {&MeasureLine::projections, ApplyProjection},
    {&MeasureLine::billings, ApplyBilling},
};

// Returns the measurement after all changes.
Result<WhatIf> ApplyChanges(Measurement measurement, const MeasureLine& line) {
  WhatIf changed{.measurement = std::move(measurement)};
  for (const ChangeOption& option : kChangeOptions) {
    for (const std::string& given : line.*option.given) {
      HR_ASSIGN(WhatIf next, option.apply(changed.measurement, given));
      next.unserved.insert(next.unserved.begin(), changed.unserved.begin(), changed.unserved.end());
      changed = std::move(next);
    }
  }
  return changed;
}

std::string UnservedSentence(const std::string& title) {
  return "It would not be served as it is: " + title;
}

std::string IntroductionOf(const WhatIf& changed) {
  std::string text;
  for (const std::string& change : changed.measurement.changes) {
    text += "Modelled: " + ReadableText(change) + "\n";
  }
  for (const std::string& title : changed.unserved) {
    text += ReadableText(UnservedSentence(title)) + "\n";
  }
  return text + "\n";
}

}  // namespace

Result<int> ReportWhatIf(const MeasureLine& line) {
  if (line.dropped_indexes.empty() && line.projections.empty() && line.billings.empty()) {
    return ValidationError(kNoChange);
  }
  HR_ASSIGN(const AssessmentOptions options, LoadAssessmentOptions(line.options));
  HR_ASSIGN(Measurement measurement, LoadMeasurement(line.measurements.front(), line.server));
  Assessment as_is = Assess(std::move(measurement), options);
  HR_ASSIGN(WhatIf changed, ApplyChanges(as_is.measurement, line));
  const std::string introduction = IntroductionOf(changed);
  Assessment what_if = Assess(std::move(changed.measurement), options);
  LeaveOutLostPartitions(as_is, what_if);
  std::vector<ReportInput> inputs;
  inputs.push_back(MakeReportInput(as_is));
  inputs.push_back(MakeReportInput(what_if));
  inputs[0].title = "as it is";
  inputs[1].title = "what if (modelled)";
  for (const std::string& title : changed.unserved) {
    inputs[1].assumptions.push_back({UnservedSentence(title), "modelled"});
  }
  HR_RETURN_IF_ERROR(WriteReports(inputs, line, introduction));
  return 0;
}

}  // namespace hashrange
