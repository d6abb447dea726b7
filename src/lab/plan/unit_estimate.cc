#include "lab/plan/unit_estimate.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "lab/plan/item_images.h"
#include "lab/plan/rendered_item.h"
#include "wire/json.h"

namespace hashrange {
namespace {

constexpr double kTransactionFactor = 2;

double UnitsOf(std::size_t bytes, std::size_t unit_bytes) {
  return static_cast<double>(std::max<std::size_t>(1, (bytes + unit_bytes - 1) / unit_bytes));
}
double ReadUnits(std::size_t bytes) { return UnitsOf(bytes, 4096); }
double WriteUnits(std::size_t bytes) { return UnitsOf(bytes, 1024); }

std::vector<std::string> KeysOfIndex(const LabTable& table, const LabIndex& index) {
  std::vector<std::string> names = index.hash;
  for (const auto* const more : {&index.range, &table.hash, &table.range}) {
    for (const std::string& name : *more) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

// One entry of an index, or none.
struct IndexEntry {
  bool exists = false;
  std::size_t bytes = 0;
};

// Returns the units that a write takes of one index.
double IndexUnits(const LabTable& table, const LabIndex& index, const ItemImage& image) {
  const std::vector<std::string> keys = KeysOfIndex(table, index);
  const bool has_all = index.projection == LabIndex::Projection::kAll;
  std::vector<std::string> projected = keys;
  if (index.projection == LabIndex::Projection::kInclude) {
    for (const std::string& name : index.included) {
      if (std::find(keys.begin(), keys.end(), name) == keys.end()) projected.push_back(name);
    }
  }
  const auto entry_of = [&](const RenderedItem& item) -> IndexEntry {
    if (!item.exists() || !item.HasAll(keys)) return {};
    return {true, has_all ? item.SizeBytes() : item.SizeBytesOf(projected)};
  };
  const IndexEntry before = entry_of(image.before);
  const IndexEntry after = entry_of(image.after);
  const double old_units = before.exists ? WriteUnits(before.bytes) : 0;
  const double new_units = after.exists ? WriteUnits(after.bytes) : 0;
  if (!before.exists || !after.exists || !image.before.HasSame(image.after, keys)) {
    return old_units + new_units;
  }
  const bool is_same =
      has_all ? image.before.HasSame(image.after) : image.before.HasSame(image.after, projected);
  return is_same ? 0 : std::max(old_units, new_units);
}

// Returns the units of a write that is done.
double CommittedUnits(const LabTable& table, const ItemImage& image, double factor) {
  double units = factor * WriteUnits(std::max(image.before.SizeBytes(), image.after.SizeBytes()));
  for (const LabIndex& index : table.indexes) units += IndexUnits(table, index, image);
  return units;
}

// Adds up the requests of one call.
class CallEstimate {
 public:
  CallEstimate(const PlannerInput& input, const LayoutPlan& layout, int pattern,
               const Population& population, const LabCall& call)
      : images_(input, layout, pattern, population, call) {
    const auto& writes = input.file.patterns[static_cast<std::size_t>(pattern)].writes;
    const CallShape& shape = layout.shapes[static_cast<std::size_t>(pattern)];
    for (std::size_t i = 0; i < writes.size(); ++i) {
      for (const InstanceId id : call.roles[static_cast<std::size_t>(shape.writes[i].role)]) {
        if (writes[i].kind == LabWrite::Kind::kCreate) continue;
        is_refused_ |= !population.Matches(id, writes[i].conditions);
      }
    }
  }

  // Returns whether the units of the request are known.
  bool Add(const std::string& operation, std::string text) {
    const JsonValue* const json = images_.Parse(std::move(text));
    if (json == nullptr) return false;
    if (operation == "GetItem") return AddGet(*json, IsConsistent(*json) ? 1 : 0.5);
    if (operation == "BatchGetItem") return AddBatchGet(*json);
    if (operation == "TransactGetItems") return AddTransaction(*json);
    if (operation == "BatchWriteItem") return AddBatchWrite(*json);
    if (operation == "TransactWriteItems") return AddTransaction(*json);
    if (operation == "PutItem" || operation == "UpdateItem" || operation == "DeleteItem") {
      return AddWrite(*json, operation == "PutItem", 1);
    }
    return false;
  }

  // Whether a condition of the call does not hold.
  bool is_refused() const { return is_refused_; }
  const CallUnits& units() const { return units_; }

 private:
  static bool IsConsistent(const JsonValue& json) {
    const JsonValue* const consistent = json.Find("ConsistentRead");
    return consistent != nullptr && consistent->type == JsonValue::Type::kTrue;
  }

  const ItemImage* ImageOf(const LabTable* table, const JsonValue* key) const {
    return table == nullptr || key == nullptr ? nullptr : images_.Find(*table, RenderedItem(*key));
  }
  const LabTable* TableOf(const JsonValue& json) const {
    const JsonValue* const name = json.Find("TableName");
    return name == nullptr ? nullptr : images_.TableNamed(name->string());
  }

  bool AddRead(const ItemImage* image, double factor) {
    if (image == nullptr) return false;
    units_.read_units += factor * ReadUnits(image->before.SizeBytes());
    return true;
  }
  bool AddGet(const JsonValue& json, double factor) {
    return AddRead(ImageOf(TableOf(json), json.Find("Key")), factor);
  }

  bool AddBatchGet(const JsonValue& json) {
    const JsonValue* const tables = json.Find("RequestItems");
    if (tables == nullptr) return false;
    for (const JsonMember& member : tables->members()) {
      const LabTable* const table = images_.TableNamed(member.name);
      const JsonValue* const keys = member.value.Find("Keys");
      if (keys == nullptr) return false;
      for (const JsonValue& key : keys->elements()) {
        if (!AddRead(ImageOf(table, &key), IsConsistent(member.value) ? 1 : 0.5)) return false;
      }
    }
    return true;
  }

  // A write, or a check, of an item with a key; or, `is_put`, of a whole item.
  bool AddWrite(const JsonValue& json, bool is_put, double factor) {
    return AddImage(TableOf(json), json.Find(is_put ? "Item" : "Key"), factor, !is_refused_);
  }
  bool AddImage(const LabTable* table, const JsonValue* key, double factor, bool is_done) {
    const ItemImage* const image = ImageOf(table, key);
    if (image == nullptr) return false;
    units_.write_units += is_done ? CommittedUnits(*table, *image, factor)
                                  : factor * WriteUnits(image->before.SizeBytes());
    return true;
  }

  bool AddBatchWrite(const JsonValue& json) {
    const JsonValue* const tables = json.Find("RequestItems");
    if (tables == nullptr) return false;
    for (const JsonMember& member : tables->members()) {
      const LabTable* const table = images_.TableNamed(member.name);
      for (const JsonValue& request : member.value.elements()) {
        const JsonValue* const put = request.Find("PutRequest");
        const JsonValue* const deleted = request.Find("DeleteRequest");
        const JsonValue* const key = put != nullptr ? put->Find("Item") : deleted->Find("Key");
        if (!AddImage(table, key, 1, true)) return false;
      }
    }
    return true;
  }

  bool AddTransaction(const JsonValue& json) {
    const JsonValue* const items = json.Find("TransactItems");
    if (items == nullptr) return false;
    for (const JsonValue& item : items->elements()) {
      const JsonMember& action = item.members().front();
      if (action.name == "Get") {
        if (!AddGet(action.value, kTransactionFactor)) return false;
      } else if (action.name == "ConditionCheck") {
        const ItemImage* const image = ImageOf(TableOf(action.value), action.value.Find("Key"));
        if (image == nullptr) return false;
        units_.write_units += kTransactionFactor * WriteUnits(image->before.SizeBytes());
      } else if (!AddWrite(action.value, action.name == "Put", kTransactionFactor)) {
        return false;
      }
    }
    return true;
  }

  ItemImages images_;
  bool is_refused_ = false;
  CallUnits units_ = {};
};

}  // namespace

std::optional<CallUnits> UnitsOfCall(const PlannerInput& input, const LayoutPlan& layout,
                                     const PatternPlan& plan, const Population& population,
                                     const LabCall& call) {
  CallEstimate estimate(input, layout, plan.pattern, population, call);
  // Of several writes, what comes after the refused one is never sent.
  const auto writes = std::count_if(plan.steps.begin(), plan.steps.end(),
                                    [](const PlanStep& step) { return !step.is_lookup; });
  if (estimate.is_refused() && writes > 1) return std::nullopt;
  LabCall selected = call;
  for (const PlanStep& step : plan.steps) {
    if (step.kind == PlanStep::Kind::kFetch) return std::nullopt;
    const std::size_t requests = CountRequests(step, call);
    for (std::size_t i = 0; i < requests; ++i) {
      SelectRequest(step, i, selected);
      std::string text;
      RenderRequest(step.request, population, selected, text);
      if (!text.empty() && !estimate.Add(step.request.operation, std::move(text))) {
        return std::nullopt;
      }
    }
  }
  return estimate.units();
}

}  // namespace hashrange
