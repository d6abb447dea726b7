#include "lab/run/table_fill.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "lab/language/lab_facts.h"
#include "lab/language/lab_file.h"
#include "lab/run/answer/answer_reader.h"
#include "measure/number_text.h"
#include "wire/json.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

// What a key may be.
struct KeyRule {
  std::string_view kind;
  std::size_t longest;
};
constexpr KeyRule kHashRule = {"partition key", kMostHashKeyBytes};
constexpr KeyRule kRangeRule = {"sort key", kMostRangeKeyBytes};

// Returns what is wrong with the value of a key; empty: nothing.
std::string ValueFault(const JsonValue& json, const std::string& attribute, const KeyRule& rule) {
  const JsonValue* const value = json.Find(attribute);
  const JsonValue* const text = value == nullptr ? nullptr : value->Find("S");
  if (text == nullptr) return {};
  const std::size_t bytes = text->string().size();
  if (bytes == 0) return " is empty, and a " + std::string(rule.kind) + " must not be";
  if (bytes <= rule.longest) return {};
  return " has " + CountText(bytes) + " bytes, and a " + std::string(rule.kind) + " has " +
         CountText(rule.longest) + " at most";
}

// Returns what is wrong with one of the keys, by its attribute.
std::optional<std::string> FirstFault(const LabLayout& layout, const LabItem& stored,
                                      const JsonValue& json, const std::vector<std::string>& keys,
                                      const KeyRule& rule) {
  for (const std::string& attribute : keys) {
    const std::string fault = ValueFault(json, attribute, rule);
    if (fault.empty()) continue;
    std::string sentence = "Layout \"" + layout.name + "\": " + attribute;
    const auto key = std::ranges::find(stored.keys, attribute, &LabItemKey::attribute);
    if (key == stored.keys.end()) return sentence + fault;
    return sentence + ", by the template \"" + key->text.text + "\" in line " +
           std::to_string(key->text.place.line) + "," + fault;
  }
  return std::nullopt;
}

// Returns a sentence with the layout, the entity and the template of the key that is empty or
// longer than the service allows; nothing where the item has no such key, for which
// the engine would refuse it. `stored` is an item of
// the layout, and `json` its JSON for one instance.
std::optional<std::string> KeyFault(const LabFile& file, const LabLayout& layout,
                                    const LabItem& stored, const JsonValue& json) {
  const LabTable& table = layout.tables[static_cast<std::size_t>(stored.table)];
  std::vector<std::string> hash = table.hash;
  std::vector<std::string> range = table.range;
  for (const LabIndex& index : table.indexes) {
    hash.insert(hash.end(), index.hash.begin(), index.hash.end());
    range.insert(range.end(), index.range.begin(), index.range.end());
  }
  std::optional<std::string> fault = FirstFault(layout, stored, json, hash, kHashRule);
  if (!fault) fault = FirstFault(layout, stored, json, range, kRangeRule);
  if (!fault) return std::nullopt;
  const std::string& entity = file.entities[static_cast<std::size_t>(stored.entity)].name;
  return "An item of " + entity + " cannot be stored. " + *fault;
}

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
    const std::string put =
        R"({"TableName":")" + std::string(table) + R"(","Item":)" + JsonText(item) + "}";
    Status status = database_.CallForSetup("PutItem", put);
    if (status.ok()) continue;
    // A plan has the items of its layout, in their order.
    const LabLayout& layout = database_.layout();
    if (auto fault = KeyFault(population_.file(), layout, layout.items[batch.items[i]], item)) {
      return ValidationError(*std::move(fault));
    }
    return status;
  }
  return {};
}

}  // namespace hashrange
