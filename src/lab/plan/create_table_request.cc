// The requests that make the tables of a layout, as JSON.
#include <algorithm>
#include <vector>

#include "base/memory/output_buffer.h"
#include "lab/language/lab_facts.h"
#include "lab/plan/planner.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

using Projection = LabIndex::Projection;

void WriteKeySchema(const std::vector<std::string>& hash, const std::vector<std::string>& range,
                    JsonWriter& writer) {
  writer.BeginArray("KeySchema");
  for (const auto* attributes : {&hash, &range}) {
    for (const std::string& attribute : *attributes) {
      writer.BeginObject();
      writer.StringMember("AttributeName", attribute);
      writer.StringMember("KeyType", attributes == &hash ? "HASH" : "RANGE");
      writer.EndObject();
    }
  }
  writer.EndArray();
}

void WriteAttributeDefinitions(const LabTable& table, JsonWriter& writer) {
  writer.BeginArray("AttributeDefinitions");
  for (const std::string& name : AllKeysOf(table)) {
    const auto type = table.key_types.find(name);
    const bool is_number = type != table.key_types.end() && type->second == LabType::kNumber;
    writer.BeginObject();
    writer.StringMember("AttributeName", name);
    writer.StringMember("AttributeType", is_number ? "N" : "S");
    writer.EndObject();
  }
  writer.EndArray();
}

void WriteThroughput(const LabThroughput& throughput, JsonWriter& writer) {
  writer.BeginObject("ProvisionedThroughput");
  writer.IntegerMember("ReadCapacityUnits", throughput.read_units);
  writer.IntegerMember("WriteCapacityUnits", throughput.write_units);
  writer.EndObject();
}

// `Index` is LabIndex or LabVectorIndex.
template <typename Index>
void WriteProjection(const Index& index, JsonWriter& writer) {
  writer.BeginObject("Projection");
  const bool is_all = index.projection == Projection::kAll;
  const bool is_list = index.projection == Projection::kInclude;
  writer.StringMember("ProjectionType", is_all ? "ALL" : is_list ? "INCLUDE" : "KEYS_ONLY");
  if (is_list) {
    writer.BeginArray("NonKeyAttributes");
    for (const std::string& name : index.included) writer.String(name);
    writer.EndArray();
  }
  writer.EndObject();
}

void WriteIndex(const LabTable& table, const LabIndex& index, JsonWriter& writer) {
  writer.BeginObject();
  writer.StringMember("IndexName", index.name);
  WriteKeySchema(index.hash, index.range, writer);
  WriteProjection(index, writer);
  // An index that says nothing of its own has what its table has.
  if (!index.is_local && !table.throughput.on_demand) {
    WriteThroughput(index.throughput.on_demand ? table.throughput : index.throughput, writer);
  }
  writer.EndObject();
}

void WriteIndexes(const LabTable& table, bool are_local, JsonWriter& writer) {
  const auto is_such = [&](const LabIndex& index) { return index.is_local == are_local; };
  if (std::ranges::none_of(table.indexes, is_such)) return;
  writer.BeginArray(are_local ? "LocalSecondaryIndexes" : "GlobalSecondaryIndexes");
  for (const LabIndex& index : table.indexes) {
    if (is_such(index)) WriteIndex(table, index, writer);
  }
  writer.EndArray();
}

const char* DistanceFunctionName(LabVectorIndex::Distance distance) {
  switch (distance) {
    case LabVectorIndex::Distance::kCosine:
      return "COSINE";
    case LabVectorIndex::Distance::kEuclidean:
      return "EUCLIDEAN";
    case LabVectorIndex::Distance::kDotProduct:
      return "DOT_PRODUCT";
  }
  return "COSINE";
}

void WriteVectorIndex(const LabVectorIndex& index, JsonWriter& writer) {
  writer.BeginObject();
  writer.StringMember("IndexName", index.name);
  writer.BeginObject("VectorAttribute");
  writer.StringMember("AttributeName", index.attribute);
  writer.EndObject();
  writer.IntegerMember("Dimensions", index.dimensions);
  writer.StringMember("DistanceFunction", DistanceFunctionName(index.distance));
  const std::vector<std::string> elements = SearchSchemaOf(index);
  if (!elements.empty()) writer.BeginArray("SearchSchema");
  for (const std::string& name : elements) {
    writer.BeginObject();
    writer.StringMember("AttributeName", name);
    writer.StringMember("SearchSchemaElementType", name == index.hash ? "HASH" : "INLINE_FILTER");
    writer.EndObject();
  }
  if (!elements.empty()) writer.EndArray();
  WriteProjection(index, writer);
  writer.EndObject();
}

}  // namespace

std::string CreateTableRequest(const LabTable& table) {
  OutputBuffer json;
  JsonWriter writer(json);
  writer.BeginObject();
  writer.StringMember("TableName", table.name);
  WriteAttributeDefinitions(table, writer);
  WriteKeySchema(table.hash, table.range, writer);
  writer.StringMember("BillingMode",
                      table.throughput.on_demand ? "PAY_PER_REQUEST" : "PROVISIONED");
  if (!table.throughput.on_demand) WriteThroughput(table.throughput, writer);
  if (table.is_infrequent_access) writer.StringMember("TableClass", "STANDARD_INFREQUENT_ACCESS");
  WriteIndexes(table, false, writer);
  WriteIndexes(table, true, writer);
  if (!table.vector_indexes.empty()) {
    writer.BeginArray("VectorIndexes");
    for (const LabVectorIndex& index : table.vector_indexes) WriteVectorIndex(index, writer);
    writer.EndArray();
  }
  if (table.has_stream) {
    writer.BeginObject("StreamSpecification");
    writer.BoolMember("StreamEnabled", true);
    writer.StringMember("StreamViewType", "NEW_AND_OLD_IMAGES");
    writer.EndObject();
  }
  writer.EndObject();
  return std::string(json.view());
}

std::string UpdateTimeToLiveRequest(const LabTable& table) {
  OutputBuffer json;
  JsonWriter writer(json);
  writer.BeginObject();
  writer.StringMember("TableName", table.name);
  writer.BeginObject("TimeToLiveSpecification");
  writer.BoolMember("Enabled", true);
  writer.StringMember("AttributeName", table.ttl_attribute);
  writer.EndObject();
  writer.EndObject();
  return std::string(json.view());
}

}  // namespace hashrange
