#include "lab/run/table_fill.h"

#include <algorithm>
#include <utility>

#include "lab/run/answer_reader.h"
#include "lab/run/refused_item.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostItemsOfBatch = 25;
constexpr std::string_view kBeforeItem = R"({"PutRequest":{"Item":)";
constexpr std::string_view kAfterItem = "}}";
constexpr std::uint64_t kInstancesBetweenReports = 4096;

std::string BatchRequest(std::string_view table, std::string_view items) {
  std::string json = R"({"RequestItems":{")";
  json.append(table).append("\":[").append(items).append("]}}");
  return json;
}

}  // namespace

TableFill::TableFill(LayoutDatabase& database, const LayoutPlan& plan, const Population& population)
    : database_(database), plan_(plan), population_(population) {}

Result<bool> TableFill::Run(const std::atomic<bool>* stop,
                            const std::function<void(double)>& progress) {
  // The instances may have been counted in part only.
  if (stop != nullptr && stop->load(std::memory_order_relaxed)) return false;
  std::uint64_t whole = 0;
  for (const StoredItem& stored : plan_.items) whole += population_.InitialCount(stored.entity);
  std::uint64_t done = 0;
  for (std::size_t stored = 0; stored < plan_.items.size(); ++stored) {
    const std::uint64_t count = population_.InitialCount(plan_.items[stored].entity);
    for (std::uint64_t number = 0; number < count; ++number) {
      HR_RETURN_IF_ERROR(AddItem(stored, number));
      if (++done % kInstancesBetweenReports != 0) continue;
      if (stop != nullptr && stop->load(std::memory_order_relaxed)) return false;
      progress(static_cast<double>(done) / static_cast<double>(whole));
    }
  }
  for (auto& [table, batch] : batches_) HR_RETURN_IF_ERROR(Send(table, batch));
  return true;
}

Status TableFill::AddItem(std::size_t place, std::uint64_t number) {
  const StoredItem& stored = plan_.items[place];
  const InstanceId id = {.entity = stored.entity, .number = number};
  call_.now_epoch_ms = population_.file().start_epoch_ms;
  call_.roles.resize(1 + stored.embedded.size());
  for (auto& role : call_.roles) role.clear();
  call_.roles[0].push_back(id);
  for (std::size_t i = 0; i < stored.embedded.size(); ++i) {
    population_.AppendChildren(id, stored.embedded[i], call_.roles[i + 1]);
  }
  item_.clear();
  RenderRequest(stored.item, population_, call_, item_);
  if (item_.empty()) return {};
  Batch& batch = batches_[stored.table];
  if (!batch.items.empty()) batch.json += ',';
  batch.json.append(kBeforeItem).append(item_).append(kAfterItem);
  batch.items.push_back(place);
  ++items_;
  return batch.items.size() == kMostItemsOfBatch ? Send(stored.table, batch) : Status();
}

Status TableFill::Send(std::string_view table, Batch& batch) {
  if (batch.items.empty()) return {};
  Status status = database_.CallForSetup("BatchWriteItem", BatchRequest(table, batch.json));
  HR_RETURN_IF_ERROR(database_.CheckMemory());
  // A batch must not have two items with one key; one by one, the later item replaces the other.
  if (!status.ok()) status = PutOneByOne(table, batch);
  batch.json.clear();
  batch.items.clear();
  return status;
}

Status TableFill::PutOneByOne(std::string_view table, const Batch& batch) {
  std::string text = "[" + batch.json + "]";
  Arena arena;
  HR_ASSIGN(const JsonValue* const list, ParseJsonData(text, JsonDialect::kDocument, arena));
  for (std::size_t i = 0; i < batch.items.size(); ++i) {
    const JsonValue& item = *list->elements()[i].Find("PutRequest")->Find("Item");
    OutputBuffer put;
    JsonWriter writer(put);
    writer.BeginObject();
    writer.StringMember("TableName", table);
    writer.Name("Item");
    WriteJson(item, writer);
    writer.EndObject();
    Status status = database_.CallForSetup("PutItem", put.view());
    if (status.ok()) continue;
    // The items of a plan are those of its layout, in their order.
    const LabLayout& layout = database_.layout();
    if (auto fault = KeyFault(population_.file(), layout, layout.items[batch.items[i]], item)) {
      return ValidationError(*std::move(fault));
    }
    return status;
  }
  return {};
}

}  // namespace hashrange
