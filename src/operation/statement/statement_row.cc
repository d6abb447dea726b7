#include "operation/statement/statement_row.h"

#include <string>
#include <vector>

#include "wire/attribute_json.h"

namespace hashrange {
namespace {

using partiql::BoundStatement;

// Calls `write(name, value)` for each attribute of the row.
template <typename Write>
void ForEachColumn(ItemView item, const BoundStatement& bound, Write write) {
  const std::vector<std::string>& names = bound.statement->column_names;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) continue;
    if (const auto value = Resolve(bound.columns[i], item)) write(names[i], *value);
  }
}

}  // namespace

void WriteRow(ItemView item, const partiql::BoundStatement& bound, JsonWriter& writer) {
  if (bound.columns.empty()) {
    WriteItem(item, writer);
    return;
  }
  writer.BeginObject();
  ForEachColumn(item, bound, [&](const std::string& name, const ValueView& value) {
    writer.Name(name);
    WriteAttributeValue(value, writer);
  });
  writer.EndObject();
}

std::size_t RowSizeBytes(ItemView item, const partiql::BoundStatement& bound) {
  if (bound.columns.empty()) return VisibleSizeBytes(item);
  std::size_t size = 0;
  ForEachColumn(item, bound, [&](const std::string& name, const ValueView& value) {
    size += name.size() + SizeBytes(value);
  });
  return size;
}

Projection ColumnsOf(const partiql::BoundStatement& bound) {
  return Projection(nullptr, bound.columns);
}

}  // namespace hashrange
