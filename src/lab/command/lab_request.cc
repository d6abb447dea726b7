#include "lab/command/lab_request.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "base/memory/output_buffer.h"
#include "base/text/nearest_name.h"
#include "lab/command/lab_command.h"
#include "lab/language/lab_texts.h"
#include "lab/report/lab_report.h"
#include "measure/report/readable_text.h"
#include "wire/json_writer.h"
#include "wire/object_reader.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

constexpr std::string_view kOutcomeDone = "done";
constexpr std::string_view kOutcomeExceeded = "exceeded";
constexpr std::string_view kOutcomeInterrupted = "interrupted";
constexpr std::string_view kOutcomeWrong = "wrong";
constexpr std::string_view kOutcomeFailed = "failed";
constexpr std::uint64_t kMostColumns = 1000;

// What is answered.
struct RequestAnswer {
  std::string_view outcome = kOutcomeDone;
  std::string text = {};
  std::vector<std::string> messages = {};
  std::optional<std::string> json = {};
  std::optional<std::string> html = {};
};

// A request, whose members have been read.
struct LabRequest {
  std::string name;
  LabOrder order;
  TextReportForm form;
  bool has_json = false;
  bool has_html = false;
};

// Reads one request.
class RequestReader {
 public:
  explicit RequestReader(const JsonValue& json) : fields_(json, "") {}

  std::string Command() { return fields_.Text("command"); }

  // Errors: as ObjectReader::Finish
  Result<LabRequest> Read(LabOrder::Command command, std::int64_t most_memory_bytes) {
    LabRequest request;
    request.name = fields_.Text("name", "lab.yaml");
    request.order.command = command;
    request.form.columns = static_cast<std::size_t>(Whole("columns", kMostColumns).value_or(100));
    request.has_json = fields_.Flag("json");
    LabRunOptions& options = request.order.options;
    options.only_layouts = fields_.Texts("layout");
    options.max_memory_bytes = static_cast<std::int64_t>(
        fields_.Number("max_memory_bytes", static_cast<double>(most_memory_bytes)));
    if (command != LabOrder::Command::kCheck) request.order.varied = fields_.Texts("vary");
    if (command == LabOrder::Command::kRun) {
      options.confirms_first_limit = !fields_.Flag("no_confirm");
    }
    if (command != LabOrder::Command::kExplain) {
      request.has_html = fields_.Flag("html");
      options.thin = Whole("thin", kGreatestThin).value_or(1);
      options.scales = ScalesOf();
    }
    HR_RETURN_IF_ERROR(fields_.Finish());
    return request;
  }

  // Reads a request that has nothing but its command. Errors: as ObjectReader::Finish
  Status ReadNothing() { return fields_.Finish(); }

 private:
  static std::string RuleOf(std::uint64_t greatest) {
    return "is not a whole number from 1 to " + std::to_string(greatest) + ".";
  }

  std::optional<std::uint64_t> Whole(std::string_view name, std::uint64_t greatest) {
    const JsonValue* const member = fields_.Member(name);
    if (member == nullptr) return std::nullopt;
    const auto number = WholeNumberOf(*member, greatest);
    if (!number) fields_.Fail(name, RuleOf(greatest));
    return number;
  }

  std::vector<std::uint64_t> ScalesOf() {
    std::vector<std::uint64_t> scales;
    for (const JsonValue& element : fields_.List("scale")) {
      if (const auto scale = WholeNumberOf(element, kGreatestScale)) {
        scales.push_back(*scale);
      } else {
        fields_.Fail("scale", "has an element that " + RuleOf(kGreatestScale));
      }
    }
    return scales.empty() ? std::vector<std::uint64_t>{1} : scales;
  }

  static std::optional<std::uint64_t> WholeNumberOf(const JsonValue& json, std::uint64_t greatest) {
    const auto number = JsonNumber(json);
    if (!number || !(*number >= 1 && *number <= static_cast<double>(greatest))) return std::nullopt;
    if (*number != std::floor(*number)) return std::nullopt;
    return static_cast<std::uint64_t>(*number);
  }

  ObjectReader fields_;
};

// The files of `--json` end with a line end.
std::string JsonFile(const std::function<void(JsonWriter&)>& write) {
  OutputBuffer json;
  JsonWriter writer(json);
  write(writer);
  json.Append('\n');
  return std::string(json.view());
}

Status AnswerRun(const LoadedLab& lab, const LabRequest& request, const std::atomic<bool>& stop,
                 RequestAnswer& answer) {
  const bool is_check = request.order.command == LabOrder::Command::kCheck;
  HR_ASSIGN(std::vector<ForecastCurve> curves, PrepareLab(lab, request.order));
  HR_ASSIGN(const LabResult result, RunLayouts(lab, request.order, std::move(curves)));
  if (stop) {
    answer.outcome = kOutcomeInterrupted;
    answer.messages.push_back(InterruptionSentence(!result.runs.empty()));
    // No verdict follows a check that did not see everything.
    if (is_check || result.runs.empty()) return {};
  }
  if (request.has_html) answer.html = LabHtmlReport(lab.file, result);
  if (request.has_json) {
    answer.json = JsonFile([&](JsonWriter& writer) { WriteLabJson(lab.file, result, writer); });
  }
  if (!is_check) {
    answer.text = LabTextReport(lab.file, result, request.form);
    return {};
  }
  LabCheckText check = CheckText(lab.file, result);
  answer.text = std::move(check.text);
  if (!check.holds) answer.outcome = kOutcomeExceeded;
  for (std::string& note : check.notes) answer.messages.push_back(std::move(note));
  return {};
}

Status AnswerExplanation(const LoadedLab& lab, const LabRequest& request, RequestAnswer& answer) {
  HR_ASSIGN(const std::vector<ForecastCurve> curves, PrepareLab(lab, request.order));
  HR_ASSIGN(const std::vector<ExplainedLayout> layouts, ExplainLayouts(lab, request.order));
  if (request.has_json) {
    answer.json = JsonFile(
        [&](JsonWriter& writer) { WriteExplanationJson(lab.file, layouts, writer, curves); });
  }
  answer.text = ExplanationText(lab.file, layouts, request.form, curves);
  return {};
}

struct CommandName {
  std::string_view name;
  LabOrder::Command command;
};
constexpr CommandName kCommands[] = {{"run", LabOrder::Command::kRun},
                                     {"check", LabOrder::Command::kCheck},
                                     {"explain", LabOrder::Command::kExplain}};
constexpr std::string_view kSchema = "schema";
constexpr std::string_view kInit = "init";
constexpr std::string_view kCommandNames[] = {"run", "check", "explain", kSchema, kInit};

Status Answer(std::string_view request_text, std::string_view text, const LabStopper& progress,
              std::int64_t most_memory_bytes, RequestAnswer& answer) {
  const Result<OwnedJson> json =
      OwnedJson::Parse(std::string(request_text), JsonDialect::kDocument);
  if (!json.ok() || !json->is_object()) return ValidationError("The request is no JSON object.");
  RequestReader reader(json->value());
  const std::string name = reader.Command();
  if (name == kSchema || name == kInit) {
    HR_RETURN_IF_ERROR(reader.ReadNothing());
    answer.text = name == kSchema ? LabSchemaText() : std::string(LabStarterText());
    return {};
  }
  const auto* const row = std::ranges::find(kCommands, name, &CommandName::name);
  if (row == std::end(kCommands)) {
    return ValidationError(UnknownNameSentence("command", name, kCommandNames));
  }
  HR_ASSIGN(LabRequest request, reader.Read(row->command, most_memory_bytes));
  std::atomic<bool> stop = false;
  request.order.options.stop = &stop;
  request.order.options.progress = [&](double done) {
    if (progress && progress(done)) stop = true;
  };
  HR_ASSIGN(const LoadedLab lab, ReadLabText(text, request.name, answer.messages));
  if (row->command == LabOrder::Command::kExplain) return AnswerExplanation(lab, request, answer);
  return AnswerRun(lab, request, stop, answer);
}

std::string Written(const RequestAnswer& answer) {
  return JsonObjectText([&](JsonWriter& writer) {
    writer.StringMember("outcome", answer.outcome);
    writer.StringMember("text", answer.text);
    writer.BeginArray("messages");
    for (const std::string& message : answer.messages) writer.String(ReadableText(message));
    writer.EndArray();
    if (answer.json) writer.StringMember("json", *answer.json);
    if (answer.html) writer.StringMember("html", *answer.html);
  });
}

}  // namespace

std::string AnswerLabRequest(std::string_view request, std::string_view text,
                             const LabStopper& progress, std::int64_t most_memory_bytes) {
  RequestAnswer answer;
  const Status done = Answer(request, text, progress, most_memory_bytes, answer);
  if (!done.ok()) {
    const Error& error = done.error();
    answer.outcome = error.code == ErrorCode::kValidationException ? kOutcomeWrong : kOutcomeFailed;
    answer.messages.push_back(error.message);
  }
  return Written(answer);
}

}  // namespace hashrange
