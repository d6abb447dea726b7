// The commands of the lab without their surfaces: what `hashrange lab run`, `check` and `explain`
// do between a lab file and their results. The command line (cli/lab_commands.cc) adds files,
// endpoints and a terminal; a request (lab_request.h) has texts in their place.
//
//   ReadLabText → PrepareLab ─┬─ RunLayouts ──── LabTextReport, CheckText, …
//                             └─ ExplainLayouts ─ ExplanationText
//
// A command is stopped by `LabOrder::options.stop`. Any thread; a command is used by one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/forecast/forecast_curve.h"
#include "lab/language/lab_reader.h"
#include "lab/run/explanation.h"
#include "lab/run/lab_run.h"

namespace hashrange {

struct LabOrder {
  enum class Command : std::uint8_t { kRun, kCheck, kExplain };
  Command command = Command::kRun;
  // Of kExplain, only `only_layouts`, `max_memory_bytes` and `stop` count.
  LabRunOptions options = {};
  // The numbers that vary: "rates.submit=0.1/s..100/s".
  std::vector<std::string> varied = {};
};

// Does what LoadLab does. `messages` gets the warnings of a file that is right, and of an error
// with several sentences, one for each open question, all but the last.
Result<LoadedLab> ReadLabText(std::string_view text, std::string_view name,
                              std::vector<std::string>& messages);

// Returns the curves that the order asks for, after what makes the order impossible.
// Errors: ValidationException  the file has not the layouts of the order, or has no limits to
//         check; as DrawForecastCurves
Result<std::vector<ForecastCurve>> PrepareLab(const LoadedLab& lab, const LabOrder& order);

// Runs the layouts, and returns what they did with the curves that PrepareLab returned. A check
// confirms the first limit only where the file's limits ask for it. Errors: as RunLab
Result<LabResult> RunLayouts(const LoadedLab& lab, const LabOrder& order,
                             std::vector<ForecastCurve> curves);

// Returns what ExplainLab does for the layouts of the order.
Result<std::vector<ExplainedLayout>> ExplainLayouts(const LoadedLab& lab, const LabOrder& order);

// What a check says: "within limits", or the limits that do not hold, a line each.
struct LabCheckText {
  bool holds = true;
  std::string text = {};
  std::vector<std::string> notes = {};  // what makes the verdict rough
};
LabCheckText CheckText(const LabFile& file, const LabResult& result);

// Returns the sentence about a command that `stop` has ended. `has_runs`: it has a report.
std::string InterruptionSentence(bool has_runs);

}  // namespace hashrange
