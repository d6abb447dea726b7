#include "lab/import/table_data.h"

#include <span>
#include <utility>

#include "base/live_memory.h"
#include "base/output_buffer.h"
#include "measure/measurement_json.h"
#include "wire/json_writer.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

// Enough for a sample that shows templates and sizes.
constexpr std::int64_t kMostMemoryBytes = 2LL << 30;
constexpr int kOkStatus = 200;

Database::Options DataOptions() {
  Database::Options options;
  options.ttl_interval_ms = 0;  // items of a dump may have expired, and count nevertheless
  // The bound counts what all databases of the process hold.
  options.max_memory_bytes = ApproximateLiveBytes() + kMostMemoryBytes;
  return options;
}

// Returns the text of the first member of these names, or the whole body.
std::string SentenceIn(const std::string& body) {
  const auto json = OwnedJson::Parse(body, JsonDialect::kRequest);
  for (const std::string_view name : {"error", "message", "Message"}) {
    const std::string_view sentence = json.ok() ? TextMember(json->value(), name) : "";
    if (!sentence.empty()) return std::string(sentence);
  }
  return body.substr(0, 300);
}

}  // namespace

TableData::TableData() : database_(DataOptions()) {}

Status TableData::LoadBy(const std::string& json) {
  Answer answer = database_.Control("POST", "seed", json);
  if (answer.ok()) return {};
  return ValidationError(SentenceIn(answer.body));
}

Status TableData::Load(const std::string& path, std::string_view definition) {
  OutputBuffer body;
  JsonWriter writer(body);
  writer.BeginObject();
  writer.StringMember("path", path);
  std::string json(body.view());
  if (!definition.empty()) json += ",\"definition\":" + std::string(definition);
  return LoadBy(json + "}");
}

Status TableData::MakeTable(std::string_view definition) {
  return LoadBy("{\"data\":\"\\n\",\"definition\":" + std::string(definition) + "}");
}

Status TableData::Call(std::string_view operation, std::string_view json,
                       std::string_view pattern) {
  std::string body;
  if (database_.Call(operation, json, body, {}, pattern) == kOkStatus) return {};
  return ValidationError(SentenceIn(std::move(body)));
}

Result<std::string> TableData::Ask(std::string_view operation, std::string_view json) {
  std::string body;
  if (database_.Call(operation, json, body) == kOkStatus) return body;
  return ValidationError(SentenceIn(std::move(body)));
}

void TableData::Begin() { database_.Control("POST", "measurements", R"({"name":"import"})"); }

Result<Measurement> TableData::End() {
  Answer answer = database_.Control("DELETE", "measurements/import");
  if (!answer.ok()) return ValidationError(SentenceIn(answer.body));
  answer.body.push_back('\0');
  return ReadMeasurementText(std::span<char>(answer.body.data(), answer.body.size() - 1));
}

}  // namespace hashrange
