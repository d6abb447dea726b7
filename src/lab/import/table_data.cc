#include "lab/import/table_data.h"

#include <span>
#include <utility>

#include "base/arena.h"
#include "base/output_buffer.h"
#include "measure/measurement_json.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

// Enough for a sample that shows templates and sizes.
constexpr std::int64_t kMostMemoryBytes = 2LL << 30;
constexpr int kOkStatus = 200;

Database::Options DataOptions() {
  Database::Options options;
  options.ttl_interval_ms = 0;  // items of a dump may have expired, and count nevertheless
  options.max_memory_bytes = kMostMemoryBytes;
  return options;
}

// Returns the text of the first member of these names, or the whole body.
std::string SentenceIn(std::string body) {
  body.push_back('\0');
  Arena arena;
  const std::string whole = body.substr(0, 300);
  const auto json =
      ParseJsonData(std::span<char>(body.data(), body.size() - 1), JsonDialect::kRequest, arena);
  if (!json.ok()) return whole;
  for (const std::string_view name : {"error", "message", "Message"}) {
    const JsonValue* const member = (*json)->Find(name);
    if (member != nullptr && member->type == JsonValue::Type::kString) {
      return std::string(member->string());
    }
  }
  return whole;
}

}  // namespace

TableData::TableData() : database_(DataOptions()) {}

Status TableData::LoadBy(const std::string& json) {
  Answer answer = database_.Control("POST", "seed", json);
  if (answer.ok()) return {};
  return ValidationError(SentenceIn(std::move(answer.body)));
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
  if (!answer.ok()) return ValidationError(SentenceIn(std::move(answer.body)));
  answer.body.push_back('\0');
  return ReadMeasurementText(std::span<char>(answer.body.data(), answer.body.size() - 1));
}

}  // namespace hashrange
