#include "lab/import/table_data.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <tuple>
#include <utility>

#include "base/library_gaps.h"
#include "base/memory/live_memory.h"
#include "lab/import/import_steps.h"
#include "lab/yaml/yaml_text.h"
#include "measure/measurement_json.h"
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
  std::string json = "{\"path\":" + JsonText(path);
  if (!definition.empty()) json += ",\"definition\":" + std::string(definition);
  return LoadBy(json + "}");
}

Status TableData::MakeTable(std::string_view definition) {
  return LoadBy("{\"data\":\"\\n\",\"definition\":" + std::string(definition) + "}");
}

Result<std::string> TableData::Call(std::string_view operation, std::string_view json,
                                    std::string_view pattern) {
  std::string body;
  if (database_.Call(operation, json, body, {}, pattern) == kOkStatus) return body;
  return ValidationError(SentenceIn(body));
}

void TableData::Begin() { database_.Control("POST", "measurements", R"({"name":"import"})"); }

Result<Measurement> TableData::End() {
  Answer answer = database_.Control("DELETE", "measurements/import");
  if (!answer.ok()) return ValidationError(SentenceIn(answer.body));
  return ReadMeasurementText(std::move(answer.body));
}

namespace {

constexpr std::uint64_t kMostItemsRead = 10'000;
// The JSON of all items that are compared with each other.
constexpr std::size_t kMostComparedBytes = 64 << 20;
constexpr std::size_t kMostTextsOfChoice = 12;
constexpr std::size_t kMostChoiceBytes = 40;
constexpr std::uint64_t kLeastItems = 10;
constexpr std::uint64_t kLeastItemsOfChoice = 3;  // on average
constexpr int kMostDecimals = 10;

// The values of one attribute in the items of one type.
struct SeenValues {
  std::uint64_t count = 0;
  std::map<std::string, std::uint64_t, std::less<>> texts = {};  // up to one more than a choice has
  std::uint64_t numbers = 0;
  double least = 0;
  double greatest = 0;
  int decimals = 0;
  std::uint64_t flags = 0;
  std::uint64_t trues = 0;
};
// By the table, the value of its type attribute, and the attribute.
using ItemValues = std::map<std::tuple<std::string, std::string, std::string>, SeenValues>;

const JsonValue* FirstMember(const JsonValue& json, std::string_view& name) {
  if (json.type != JsonValue::Type::kObject || json.size != 1) return nullptr;
  name = json.members().front().name;
  return &json.members().front().value;
}

void AddValue(const JsonValue& value, SeenValues& seen) {
  ++seen.count;
  std::string_view tag;
  const JsonValue* const content = FirstMember(value, tag);
  if (content == nullptr) return;
  if (tag == "BOOL") {
    ++seen.flags;
    seen.trues += content->type == JsonValue::Type::kTrue ? 1 : 0;
  }
  if (content->type != JsonValue::Type::kString) return;
  const std::string_view text = content->string();
  if (tag == "S") {
    const bool is_kept = seen.texts.size() <= kMostTextsOfChoice || seen.texts.contains(text);
    if (is_kept) ++seen.texts[std::string(text.substr(0, kMostChoiceBytes + 1))];
  }
  if (tag != "N") return;
  double number = 0;
  const auto parsed = FromChars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc()) return;
  seen.least = seen.numbers == 0 ? number : std::min(seen.least, number);
  seen.greatest = seen.numbers == 0 ? number : std::max(seen.greatest, number);
  ++seen.numbers;
  const std::size_t point = text.find('.');
  if (point != text.npos) {
    seen.decimals = std::max(seen.decimals, static_cast<int>(text.size() - point - 1));
  }
}

void AddItem(const ImportedTable& table, const JsonValue& item, ItemValues& values) {
  std::string type;
  std::string_view tag;
  if (const JsonValue* const value = item.Find(table.type_attribute)) {
    const JsonValue* const text = FirstMember(*value, tag);
    if (text != nullptr && tag == "S") type = text->string();
  }
  for (const JsonMember& attribute : item.members()) {
    AddValue(attribute.value, values[{table.name, type, PlainName(attribute.name)}]);
  }
}

// Calls `read_page` with each page of the first items of the table and how many bytes its JSON has,
// until it returns false.
template <typename ReadPage>
Status ReadItemPages(std::string_view table, TableData& data, ReadPage read_page) {
  const std::string scan = "{\"TableName\":" + JsonText(table);
  std::string start;
  for (std::uint64_t read = 0; read < kMostItemsRead;) {
    HR_ASSIGN(std::string body, data.Call("Scan", scan + start + "}"));
    const std::size_t bytes = body.size();
    HR_ASSIGN(OwnedJson page, OwnedJson::Parse(std::move(body), JsonDialect::kRequest));
    read += ListMember(page.value(), "Items").size();
    const JsonValue* const last = page.value().Find("LastEvaluatedKey");
    const bool is_last = last == nullptr;
    if (!is_last) start = ",\"ExclusiveStartKey\":" + JsonText(*last);
    if (!read_page(std::move(page), bytes) || is_last) return {};
  }
  return {};
}

Status ReadItems(const ImportedTable& table, TableData& data, ItemValues& values) {
  return ReadItemPages(table.name, data, [&](const OwnedJson& page, std::size_t) {
    for (const JsonValue& item : ListMember(page.value(), "Items")) AddItem(table, item, values);
    return true;
  });
}

std::string GeneratorFor(const ImportedAttribute& attribute, const SeenValues& seen) {
  if (seen.count < kLeastItems) return "";
  if (attribute.type == ImportedType::kFlag && seen.flags == seen.count) {
    const double share = static_cast<double>(seen.trues) / static_cast<double>(seen.count);
    return "{flag: " + YamlNumber(share) + "}";
  }
  if (attribute.type == ImportedType::kNumber && seen.numbers == seen.count) {
    constexpr double kExact = 1e12;  // greater numbers would lose digits
    if (std::max(-seen.least, seen.greatest) > kExact || seen.decimals > kMostDecimals) return "";
    const auto text = [&](double number) {
      char digits[64];
      std::snprintf(digits, sizeof(digits), "%.*f", seen.decimals, number);
      return std::string(digits);
    };
    return "{number: [" + text(seen.least) + ", " + text(seen.greatest) + "]" +
           (seen.decimals > 0 ? ", decimals: " + std::to_string(seen.decimals) : "") + "}";
  }
  const bool has_few = !seen.texts.empty() && seen.texts.size() <= kMostTextsOfChoice &&
                       seen.texts.size() * kLeastItemsOfChoice <= seen.count;
  if (attribute.type != ImportedType::kText || !has_few) return "";
  std::string yaml;
  for (const auto& [value, count] : seen.texts) {
    if (value.empty() || value.size() > kMostChoiceBytes) return "";
    yaml += (yaml.empty() ? "{choice: {" : ", ") + YamlPlain(value) + ": " + std::to_string(count);
  }
  return yaml + "}}";
}

}  // namespace

Status DescribeByItems(TableData& data, ImportedModel& model) {
  ItemValues values;
  for (const ImportedTable& table : model.tables) {
    HR_RETURN_IF_ERROR(ReadItems(table, data, values));
  }
  for (ImportedEntity& entity : model.entities) {
    for (ImportedAttribute& attribute : entity.attributes) {
      const auto found = values.find({entity.table, entity.type, attribute.name});
      const bool is_open =
          attribute.generator.empty() && attribute.time_form.empty() && attribute.id_form.empty();
      if (found == values.end() || !is_open) continue;
      attribute.generator = GeneratorFor(attribute, found->second);
    }
  }
  return {};
}

namespace {

// Returns the item with a text for each map and list, whose elements are often plain JSON in
// models, and without attributes that are empty objects.
std::string TextOfSimpleItem(const JsonValue& item) {
  if (item.type != JsonValue::Type::kObject) return JsonText(item);
  std::string text;
  for (const JsonMember& attribute : item.members()) {
    std::string_view tag;
    const JsonValue* const content = FirstMember(attribute.value, tag);
    if (content == nullptr) continue;
    const bool is_simple = tag != "M" && tag != "L";
    text +=
        (text.empty() ? "" : ",") + JsonText(attribute.name) + ":" +
        (is_simple ? JsonText(attribute.value) : "{\"S\":" + JsonText(JsonText(*content)) + "}");
  }
  return "{" + text + "}";
}

}  // namespace

void PutSampleItem(std::string_view table, const JsonValue& item, const std::string& place,
                   TableData& data, std::vector<std::string>& remarks) {
  const std::string begin = "{\"TableName\":" + JsonText(table) + ",\"Item\":";
  const auto put = data.Call("PutItem", begin + JsonText(item) + "}");
  if (put.ok()) return;
  if (data.Call("PutItem", begin + TextOfSimpleItem(item) + "}").ok()) {
    remarks.push_back(place + ": a text stands for each map and list, and what is empty was left " +
                      "out: " + put.error().message);
  } else {
    remarks.push_back(place + ": an item was left out: " + put.error().message);
  }
}

Result<MeasuredSamples> MeasureSamples(TableData& data) {
  data.Begin();
  MeasuredSamples samples;
  HR_ASSIGN(samples.measurement, data.End());
  SampleItems items;
  std::size_t compared_bytes = 0;
  bool has_all = true;
  for (const TableMeasure& table : samples.measurement.tables) {
    std::vector<const JsonValue*>& of_table = items.by_table[table.name];
    HR_RETURN_IF_ERROR(ReadItemPages(table.name, data, [&](OwnedJson page, std::size_t bytes) {
      for (const JsonValue& item : ListMember(page.value(), "Items")) of_table.push_back(&item);
      has_all = page.value().Find("LastEvaluatedKey") == nullptr;
      items.pages.push_back(std::move(page));
      compared_bytes += bytes;
      return compared_bytes < kMostComparedBytes;
    }));
    if (has_all) continue;
    samples.remarks.push_back("with the table " + table.name +
                              ", there are too many items to compare them one by one: the "
                              "templates of all keys are those of a measurement");
    return samples;
  }
  samples.entities = GroupSamples(items, samples.measurement, samples.remarks);
  return samples;
}

Result<ImportedModel> ModelOfSamples(const MeasuredSamples& samples, Measurement called) {
  called.tables = samples.measurement.tables;
  called.resources = samples.measurement.resources;
  called.entities = samples.measurement.entities;
  called.key_templates = samples.measurement.key_templates;
  HR_ASSIGN(ImportedModel model, samples.entities.empty()
                                     ? ReadMeasuredModel(called)
                                     : ReadSampledModel(called, samples.entities));
  model.remarks.insert(model.remarks.end(), samples.remarks.begin(), samples.remarks.end());
  return model;
}

void TakeAwayCounts(ImportedModel& model) {
  model.has_counts = false;
  for (ImportedEntity& entity : model.entities) {
    const bool is_single = std::ranges::all_of(
        entity.keys, [](const ImportedKey& key) { return AttributesIn(key.text).empty(); });
    if (!is_single) entity.items = 0;
    entity.most_children = 0;
  }
  for (ImportedPattern& pattern : model.patterns) {
    pattern.calls_per_second = 0;
    pattern.picks_by_zipf = false;
  }
}

}  // namespace hashrange
