#include "operation/parameter/return_values.h"

#include <algorithm>
#include <memory>

#include "wire/attribute_json.h"
#include "wire/error_body.h"

namespace hashrange {

ReturnValues ReadReturnValues(const RequestObject& request) {
  const auto text = request.String("ReturnValues");
  if (text == "ALL_OLD") return ReturnValues::kAllOld;
  if (text == "UPDATED_OLD") return ReturnValues::kUpdatedOld;
  if (text == "ALL_NEW") return ReturnValues::kAllNew;
  if (text == "UPDATED_NEW") return ReturnValues::kUpdatedNew;
  return ReturnValues::kNone;
}

void WriteAttributesMember(ItemView item, JsonWriter& writer) {
  if (!item.exists()) return;
  writer.Name("Attributes");
  WriteItem(item, writer);
}

bool ReadOldOnConditionCheckFailure(const RequestObject& request) {
  return request.String("ReturnValuesOnConditionCheckFailure") == "ALL_OLD";
}

std::string ItemJson(ItemView item) {
  OutputBuffer json;
  if (item.exists()) {
    JsonWriter writer(json);
    WriteItem(item, writer);
  }
  return std::string(json.view());
}

Error ConditionalCheckFailed(ItemView stored, bool with_item) {
  Error error{ErrorCode::kConditionalCheckFailedException, std::string(kConditionFailed), nullptr};
  if (with_item && stored.exists()) {
    error.details = std::make_shared<ItemDetails>(ItemJson(stored));
  }
  return error;
}

Error DuplicateItem() {
  return Error{ErrorCode::kDuplicateItemException, "Duplicate primary key exists in table",
               nullptr};
}

bool ReadReturnItemCollectionMetrics(const RequestObject& request) {
  return request.String("ReturnItemCollectionMetrics") == "SIZE";
}

bool HasLocalIndex(const TableVersion& table) {
  return std::ranges::any_of(table.indexes,
                             [](const IndexVersion& index) { return index.schema.is_local; });
}

void WriteItemCollectionMetrics(std::string_view hash_name, const ValueView& hash,
                                JsonWriter& writer) {
  writer.BeginObject();
  writer.BeginObject("ItemCollectionKey");
  writer.Name(hash_name);
  WriteAttributeValue(hash, writer);
  writer.EndObject();
  writer.BeginArray("SizeEstimateRangeGB");
  writer.Double(0);
  writer.Double(1);
  writer.EndArray();
  writer.EndObject();
}

}  // namespace hashrange
