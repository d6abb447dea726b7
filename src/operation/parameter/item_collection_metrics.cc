#include "operation/parameter/item_collection_metrics.h"

#include <algorithm>

#include "wire/attribute_json.h"

namespace hashrange {

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
  writer.Name("ItemCollectionKey");
  writer.BeginObject();
  writer.Name(hash_name);
  WriteAttributeValue(hash, writer);
  writer.EndObject();
  writer.Name("SizeEstimateRangeGB");
  writer.BeginArray();
  writer.Double(0);
  writer.Double(1);
  writer.EndArray();
  writer.EndObject();
}

}  // namespace hashrange
