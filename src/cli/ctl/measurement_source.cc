#include "cli/ctl/measurement_source.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "base/file_text.h"
#include "base/text/text_encodings.h"
#include "cli/ctl/server_call.h"
#include "measure/measurement_json.h"
#include "wire/json.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

// Returns what `read` makes of the JSON in a file; the sentence of an error begins with its name.
template <typename Read>
auto ReadFileWith(const std::string& file, Read read)
    -> decltype(read(std::declval<const JsonValue&>())) {
  HR_ASSIGN(std::string text, ReadFileText(file));
  const auto json = OwnedJson::Parse(std::move(text), JsonDialect::kStrict);
  if (!json.ok()) return ValidationError(file + ": " + json.error().message);
  auto result = read(json->value());
  if (!result.ok()) return ValidationError(file + ": " + result.error().message);
  return result;
}

Result<std::string> AskForMeasurement(const std::string& name, HttpCall call) {
  call.method = "GET";
  HR_ASSIGN(call.target, MeasurementTarget(name));
  HR_ASSIGN(HttpReply reply, SendCtlCall(call));
  return std::move(reply.body);
}

}  // namespace

bool IsStoredMeasurement(const std::string& argument) {
  if (argument.ends_with(".json")) return true;
  std::error_code unknown;
  const auto status = std::filesystem::status(argument, unknown);
  return std::filesystem::exists(status) && !std::filesystem::is_directory(status);
}

Result<std::string> MeasurementTarget(const std::string& name) {
  if (name.empty()) return ValidationError("the name of a measurement is not empty");
  return "/_hashrange/measurements/" + PercentEncoded(name);
}

Result<std::string> LoadMeasurementJson(const std::string& argument, const HttpCall& server) {
  if (!IsStoredMeasurement(argument)) return AskForMeasurement(argument, server);
  HR_ASSIGN(const std::string text, ReadFileText(argument));
  const Result<Measurement> measurement = ReadMeasurementText(text);
  if (!measurement.ok()) return ValidationError(argument + ": " + measurement.error().message);
  HR_ASSIGN(const OwnedJson json, OwnedJson::Parse(text, JsonDialect::kDocument));
  return JsonText(json.value());
}

Result<Measurement> LoadMeasurement(const std::string& argument, const HttpCall& server) {
  if (IsStoredMeasurement(argument)) return LoadStoredMeasurement(argument);
  HR_ASSIGN(std::string text, AskForMeasurement(argument, server));
  Result<Measurement> measurement = ReadMeasurementText(std::move(text));
  if (measurement.ok()) return measurement;
  return InternalError("the server's answer is no measurement: " + measurement.error().message);
}

Result<Measurement> LoadStoredMeasurement(const std::string& file) {
  return ReadFileWith(file, ReadMeasurement);
}

Result<AssessmentOptions> LoadAssessmentOptions(const std::string& file) {
  if (file.empty()) return AssessmentOptions();
  return ReadFileWith(file, [](const JsonValue& json) { return ReadAssessmentOptions(json, ""); });
}

Result<Budgets> LoadBudgets(const std::string& file) { return ReadFileWith(file, ReadBudgets); }

Result<PriceList> LoadPriceList(const std::string& file) {
  return ReadFileWith(file, ReadPriceList);
}

}  // namespace hashrange
