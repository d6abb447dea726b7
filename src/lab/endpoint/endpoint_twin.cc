#include "lab/endpoint/endpoint_twin.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/memory/arena.h"
#include "base/memory/output_buffer.h"
#include "lab/run/answer/answer_reader.h"
#include "lab/run/requests_file.h"
#include "measure/number_text.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

constexpr double kLeastDifference = 1e-6;  // of units, which are multiples of 0.5
constexpr std::size_t kMostShown = 200;    // bytes of a request

// Returns whether the answer is a part of a Scan. Each server has its own order of the items, so
// pages of two servers have other items.
bool IsPartOfScan(const AnsweredRequest& request) {
  return request.operation == "Scan" &&
         (!request.answer.answer().last_evaluated_key.empty() ||
          request.body.find(R"("ExclusiveStartKey":)") != request.body.npos);
}

std::string ShownRequest(const AnsweredRequest& request) {
  std::string text(request.operation);
  text.append(" ").append(request.body, 0, kMostShown);
  return request.body.size() > kMostShown ? text + "…" : text;
}

}  // namespace

double EndpointTwin::Take(const AnsweredRequest& request, UnitComparison& counts) {
  const LabAnswer& answer = request.answer.answer();
  const bool reads = IsReadOperation(request.operation);
  const bool is_part = !answer.unprocessed.empty() || IsPartOfScan(request);
  if (is_part) ++counts.not_comparable;
  if (is_part && reads && request.answer.has_units()) return answer.units;
  std::string processed;
  if (!answer.unprocessed.empty() && !reads) {
    processed = ProcessedPart(request.body, answer.unprocessed, database_.layout());
    if (processed.empty()) return answer.units;
  }
  const int status = database_.database().Call(
      request.operation, processed.empty() ? request.body : processed, answer_);
  const double twin_units = ReadLabAnswer(status, answer_).units;
  if (status != kOkStatus) {
    ++counts.twin_refused;
    return answer.units;
  }
  if (!request.answer.has_units()) {
    ++counts.unreported;
    return twin_units;
  }
  if (!is_part) Compare(request, twin_units, counts);
  return answer.units;
}

void EndpointTwin::Compare(const AnsweredRequest& request, double twin_units,
                           UnitComparison& counts) {
  const double reported = request.answer.answer().units;
  ++counts.compared;
  counts.reported_units += reported;
  counts.twin_units += twin_units;
  if (std::abs(reported - twin_units) < kLeastDifference) return;
  const bool is_first_certain = !request.met_write && counts.different == counts.uncertain;
  ++counts.different;
  if (request.met_write) ++counts.uncertain;
  if (!is_first_certain && !counts.first_difference.empty()) return;
  counts.first_difference = ShownRequest(request) + ": the endpoint reported " +
                            NumberText(reported) + ", the twin took " + NumberText(twin_units);
}

namespace {

using Type = JsonValue::Type;

// Returns the JSON of the primary key in the item.
std::string KeyOf(const JsonValue& item, const LabTable& table) {
  OutputBuffer out;
  JsonWriter writer(out);
  writer.BeginObject();
  for (const auto* names : {&table.hash, &table.range}) {
    for (const std::string& name : *names) {
      const JsonValue* const value = item.Find(name);
      if (value == nullptr) continue;
      writer.Name(name);
      WriteJson(*value, writer);
    }
  }
  writer.EndObject();
  return std::string(out.view());
}

// Returns the members that were processed.
std::vector<const JsonValue*> ProcessedMembers(const JsonMember& requests, const LabLayout& layout,
                                               const UnprocessedItems& left) {
  std::vector<const JsonValue*> processed;
  const auto table = std::ranges::find(layout.tables, requests.name, &LabTable::name);
  if (table == layout.tables.end() || requests.value.type != Type::kArray) return processed;
  for (const JsonValue& member : requests.value.elements()) {
    const JsonValue* const item = AttributesOfMember(member);
    if (item == nullptr || left.Contain(table->name, KeyOf(*item, *table))) continue;
    processed.push_back(&member);
  }
  return processed;
}

}  // namespace

std::string ProcessedPart(std::string_view request, std::string_view unprocessed,
                          const LabLayout& layout) {
  Arena arena;
  std::string text(request);
  const auto json = ParseJsonData(text, JsonDialect::kDocument, arena);
  if (!json.ok()) return {};
  const JsonValue* const tables = (*json)->Find("RequestItems");
  if (tables == nullptr || tables->type != Type::kObject) return {};
  const UnprocessedItems left(unprocessed);
  OutputBuffer out;
  JsonWriter writer(out);
  bool has_any = false;
  writer.BeginObject();
  writer.BeginObject("RequestItems");
  for (const JsonMember& requests : tables->members()) {
    const auto processed = ProcessedMembers(requests, layout, left);
    if (processed.empty()) continue;
    has_any = true;
    writer.BeginArray(requests.name);
    for (const JsonValue* const member : processed) WriteJson(*member, writer);
    writer.EndArray();
  }
  writer.EndObject();
  writer.StringMember("ReturnConsumedCapacity", "TOTAL");
  writer.EndObject();
  return has_any ? std::string(out.view()) : std::string();
}

}  // namespace hashrange
