#include "simulation/request_line.h"

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <vector>

#include "wire/json.h"

namespace hashrange {
namespace {

constexpr double kMicrosecondsPerMs = 1000;

// The longest table name or ARN that a line shows.
constexpr std::size_t kMaxNameBytes = 1024;

std::string FormatNumber(const char* format, double value) {
  char text[40];
  const int size = std::snprintf(text, sizeof text, format, value);
  return {text, static_cast<std::size_t>(size)};
}

std::string WithIndex(std::string_view table, std::string_view index) {
  std::string name(table);
  if (!index.empty()) name.append("/").append(index);
  return name;
}

std::string_view StringMember(const JsonValue* request, std::string_view member) {
  if (!request || request->type != JsonValue::Type::kObject) return {};
  const JsonValue* const value = request->Find(member);
  if (!value || value->type != JsonValue::Type::kString) return {};
  return value->string().substr(0, kMaxNameBytes);
}

// Returns each table and index of the call once; empty when the call names no table.
std::vector<std::string> Places(const RequestRecord& record, const JsonValue* request) {
  std::vector<std::string> places;
  for (const RequestAccess& access : record.accesses) {
    std::string place = WithIndex(access.table, access.index);
    if (std::ranges::find(places, place) == places.end()) places.push_back(std::move(place));
  }
  const std::string_view table = StringMember(request, "TableName");
  if (places.empty() && !table.empty()) {
    places.push_back(WithIndex(table, StringMember(request, "IndexName")));
  }
  return places;
}

// " 0.5 units 0.041 ms"
std::string CostText(const RequestRecord& record) {
  double units = 0;
  for (const RequestAccess& access : record.accesses) units += access.units;
  const double ms = static_cast<double>(record.duration_us) / kMicrosecondsPerMs;
  return " " + FormatNumber("%g", units) + " units " + FormatNumber("%.3f", ms) + " ms";
}

}  // namespace

std::string RequestLine(const RequestRecord& record, const JsonValue* request) {
  std::string line = record.operation.empty() ? "(no operation)" : record.operation;
  const char* before = " ";
  for (const std::string& place : Places(record, request)) {
    line.append(before).append(place);
    before = ",";
  }
  if (!record.account_id.empty()) {
    line.append(" ").append(record.account_id).append("/").append(record.region);
  }
  line.append(" ").append(std::to_string(record.http_status));
  if (request) line.append(CostText(record));
  if (record.delay_ms > 0)
    line.append(", held back ").append(std::to_string(record.delay_ms) + " ms");
  if (record.dropped) line.append(", dropped");
  if (!record.error.empty()) line.append(" ").append(record.error);
  if (!record.message.empty()) line.append(": ").append(record.message);
  return line;
}

}  // namespace hashrange
