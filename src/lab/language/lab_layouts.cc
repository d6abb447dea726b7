#include "lab/language/lab_layouts.h"

#include <utility>

#include "lab/language/lab_items.h"
#include "lab/language/lab_key_types.h"
#include "lab/language/lab_like.h"
#include "lab/language/lab_serves.h"
#include "lab/language/lab_tables.h"
#include "lab/language/node_reader.h"
#include "lab/language/service_names.h"

namespace hashrange {
namespace {

void ReadTables(const LabNode& node, LabLayout& layout, LabReading& reading) {
  if (node.kind != LabNode::Kind::kMap || node.members.empty()) {
    return reading.Fail(node.place, "`tables` has to be a map of tables");
  }
  for (const LabNode::Member& member : node.members) {
    if (member.value.IsNull()) continue;
    LabTable table;
    table.name = member.name;
    table.place = member.place;
    CheckServiceName({member.name, member.place}, "a table", reading);
    NodeReader map(member.value, "the table " + member.name, reading);
    ReadTable(map, table);
    if (!reading.ok()) return;
    layout.tables.push_back(std::move(table));
    const int number = static_cast<int>(layout.tables.size()) - 1;
    if (const LabNode* const items = map.Require("items")) {
      ReadItems(*items, number, layout, reading);
    }
    map.Finish();
  }
}

LabLayout ReadLayout(const LabNode::Member& member, LabReading& reading) {
  LabLayout layout;
  layout.name = member.name;
  layout.place = member.place;
  NodeReader map(member.value, "the layout \"" + member.name + "\"", reading);
  if (const LabNode* const tables = map.Require("tables")) ReadTables(*tables, layout, reading);
  if (const LabNode* const serve = map.Member("serve")) layout.serves = ReadServes(*serve, reading);
  map.Finish();
  if (reading.ok()) SetKeyTypes(layout, reading);
  return layout;
}

}  // namespace

void ReadLayouts(const LabNode& node, LabReading& reading) {
  if (node.kind != LabNode::Kind::kMap || node.members.empty()) {
    return reading.Fail(node.place, "`layouts` has to be a map of layouts");
  }
  for (const LabNode::Member& layout : ResolveLikes(node, reading)) {
    if (!reading.ok()) return;
    reading.file.layouts.push_back(ReadLayout(layout, reading));
  }
}

}  // namespace hashrange
