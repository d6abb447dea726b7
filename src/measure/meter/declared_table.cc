#include "measure/meter/declared_table.h"

namespace hashrange {
namespace {

std::vector<std::string> NamesOf(const std::vector<KeyPart>& parts) {
  std::vector<std::string> names;
  for (const KeyPart& part : parts) names.push_back(part.name);
  return names;
}

std::string_view ProjectionName(ProjectionType projection) {
  if (projection == ProjectionType::kAll) return "ALL";
  return projection == ProjectionType::kKeysOnly ? "KEYS_ONLY" : "INCLUDE";
}

IndexMeasure DescribeIndex(const IndexVersion& index) {
  IndexMeasure measure;
  measure.name = index.schema.name;
  measure.is_local = index.schema.is_local;
  measure.hash = NamesOf(index.schema.key.hash);
  measure.range = NamesOf(index.schema.key.range);
  measure.projection = ProjectionName(index.schema.projection);
  measure.non_key_attributes = index.schema.non_key_attributes;
  measure.provisioned_read_units = index.throughput.read_units;
  measure.provisioned_write_units = index.throughput.write_units;
  return measure;
}

}  // namespace

TableMeasure DescribeTable(const TableVersion& table) {
  TableMeasure measure;
  measure.account = table.account_id;
  measure.region = table.region;
  measure.name = table.name;
  measure.hash = NamesOf(table.key.hash);
  measure.range = NamesOf(table.key.range);
  measure.on_demand = table.settings.on_demand;
  measure.table_class = table.settings.table_class.value_or("STANDARD");
  measure.provisioned_read_units = table.settings.throughput.read_units;
  measure.provisioned_write_units = table.settings.throughput.write_units;
  measure.has_stream = table.settings.stream && table.settings.stream->enabled;
  for (const IndexVersion& index : table.indexes) {
    measure.indexes.push_back(DescribeIndex(index));
  }
  return measure;
}

}  // namespace hashrange
