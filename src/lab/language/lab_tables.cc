#include "lab/language/lab_tables.h"

#include <algorithm>
#include <utility>

#include "lab/language/lab_names.h"
#include "lab/language/lab_scalars.h"
#include "lab/language/service_names.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostKeyParts = 4;  // of an index: hash attributes, and range attributes
constexpr std::int64_t kGreatestUnits = 1'000'000;

std::vector<std::string> ReadKeyNames(const LabNode& node, const char* what, LabReading& reading) {
  std::vector<std::string> names;
  for (const LabName name : ReadNames(node, what, reading)) {
    CheckKeyAttributeName(name, reading);
    names.emplace_back(name.text);
  }
  return names;
}

// Reads `[PK, SK]`, or `{hash: [a], range: [b, c]}`.
void ReadKey(const LabNode& node, std::size_t most_parts, std::vector<std::string>& hash,
             std::vector<std::string>& range, LabReading& reading) {
  if (node.kind == LabNode::Kind::kMap) {
    NodeReader map(node, "`key`", reading);
    if (const LabNode* const first = map.Require("hash")) {
      hash = ReadKeyNames(*first, "`hash`", reading);
    }
    if (const LabNode* const second = map.Member("range")) {
      range = ReadKeyNames(*second, "`range`", reading);
    }
    map.Finish();
  } else {
    std::vector<std::string> names = ReadKeyNames(node, "`key`", reading);
    if (names.empty() || names.size() > 2) {
      return reading.Fail(node.place,
                          "`key` has to be a list of one or two attributes, such as [PK, SK]"
                          ", or {hash: [a], range: [b, c]}");
    }
    hash = {names.front()};
    if (names.size() == 2) range = {names.back()};
  }
  if (!reading.ok()) return;
  if (hash.empty() || hash.size() > most_parts || range.size() > most_parts) {
    return reading.Fail(node.place, most_parts == 1
                                        ? "the key of a table, or of a local index, has one hash "
                                          "attribute and at most one range attribute"
                                        : "the key of an index has 1 to 4 hash attributes, and at "
                                          "most 4 range attributes");
  }
  std::vector<std::string> names = hash;
  names.insert(names.end(), range.begin(), range.end());
  std::ranges::sort(names);
  if (std::ranges::adjacent_find(names) == names.end()) return;
  reading.Fail(node.place, "`key` has an attribute twice");
}

LabThroughput ReadBilling(const LabNode& node, LabReading& reading) {
  LabThroughput throughput;
  if (node.kind == LabNode::Kind::kScalar) {
    if (node.text != "on_demand") {
      reading.Fail(node.place,
                   "`billing` has to be on_demand or {read: 100, write: 50}, and this is \"" +
                       node.text + "\"");
    }
    return throughput;
  }
  throughput.on_demand = false;
  NodeReader map(node, "`billing`", reading);
  if (const LabNode* const read = map.Require("read")) {
    throughput.read_units = ReadLabWhole(*read, "`read`", 1, kGreatestUnits, reading);
  }
  if (const LabNode* const write = map.Require("write")) {
    throughput.write_units = ReadLabWhole(*write, "`write`", 1, kGreatestUnits, reading);
  }
  map.Finish();
  return throughput;
}

void ReadProjection(const LabNode& node, LabIndex& index, LabReading& reading) {
  using Projection = LabIndex::Projection;
  if (node.kind == LabNode::Kind::kList) {
    index.projection = Projection::kInclude;
    index.included = ReadKeyNames(node, "`projection`", reading);
    return;
  }
  if (node.kind == LabNode::Kind::kScalar && node.text == "all") return;
  index.projection = Projection::kKeysOnly;
  if (node.kind == LabNode::Kind::kScalar && node.text == "keys_only") return;
  reading.Fail(node.place, "`projection` has to be all, keys_only or a list of attributes");
}

LabIndex ReadIndex(const LabNode::Member& member, const LabTable& table, LabReading& reading) {
  LabIndex index;
  index.name = member.name;
  index.place = member.place;
  CheckServiceName({member.name, member.place}, "an index", reading);
  index.throughput = table.throughput;
  NodeReader map(member.value, "the index " + member.name, reading);
  if (const LabNode* const local = map.Member("local")) {
    index.is_local = ReadLabFlag(*local, "`local`", reading);
  }
  if (const LabNode* const key = map.Require("key")) {
    ReadKey(*key, index.is_local ? 1 : kMostKeyParts, index.hash, index.range, reading);
    if (index.is_local && reading.ok() && (index.hash != table.hash || index.range.empty())) {
      reading.Fail(key->place, "a local index has the hash attribute of its table, " +
                                   table.hash.front() + ", and a range attribute of its own");
    }
  }
  if (const LabNode* const projection = map.Member("projection")) {
    ReadProjection(*projection, index, reading);
  }
  if (!index.is_local) {
    if (const LabNode* const billing = map.Member("billing")) {
      index.throughput = ReadBilling(*billing, reading);
      if (index.throughput.on_demand != table.throughput.on_demand) {
        reading.Fail(billing->place,
                     "an index is billed as its table is, on demand or by provisioned "
                     "units");
      }
    }
  }
  map.Finish();
  return index;
}

void ReadSettings(NodeReader& map, LabTable& table) {
  LabReading& reading = map.reading();
  if (const LabNode* const table_class = map.Member("class")) {
    table.is_infrequent_access = table_class->text == "infrequent_access";
    if (!table.is_infrequent_access && table_class->text != "standard") {
      reading.Fail(table_class->place,
                   "`class` has to be standard or infrequent_access, and this is \"" +
                       table_class->text + "\"");
    }
  }
  table.type_attribute = "entityType";
  if (const LabNode* const type = map.Member("type_attribute")) {
    table.type_attribute = ReadLabText(*type, "`type_attribute`", reading);
    if (table.type_attribute.empty()) reading.Fail(type->place, "`type_attribute` is empty");
    if (table.type_attribute == "none" && !type->is_quoted) table.type_attribute.clear();
  }
  if (const LabNode* const ttl = map.Member("ttl")) {
    table.ttl_attribute = ReadLabText(*ttl, "`ttl`", reading);
    if (table.ttl_attribute.empty()) reading.Fail(ttl->place, "`ttl` is empty");
  }
  if (const LabNode* const stream = map.Member("stream")) {
    table.has_stream = ReadLabFlag(*stream, "`stream`", reading);
  }
}

void AppendNew(const std::vector<std::string>& names, std::vector<std::string>& all) {
  for (const std::string& name : names) {
    if (std::ranges::find(all, name) == all.end()) all.push_back(name);
  }
}

}  // namespace

void ReadTable(NodeReader& map, LabTable& table) {
  LabReading& reading = map.reading();
  if (const LabNode* const key = map.Require("key")) {
    ReadKey(*key, 1, table.hash, table.range, reading);
  }
  if (!reading.ok()) return;
  if (const LabNode* const billing = map.Member("billing")) {
    table.throughput = ReadBilling(*billing, reading);
  }
  ReadSettings(map, table);
  const LabNode* const indexes = map.Member("indexes");
  if (!indexes) return;
  if (indexes->kind != LabNode::Kind::kMap) {
    reading.Fail(indexes->place, "`indexes` has to be a map of indexes");
  }
  for (const LabNode::Member& member : indexes->members) {
    if (!member.value.IsNull()) table.indexes.push_back(ReadIndex(member, table, reading));
  }
}

std::vector<std::string> TableKeyOf(const LabTable& table) {
  std::vector<std::string> names = table.hash;
  AppendNew(table.range, names);
  return names;
}

std::vector<std::string> AllKeysOf(const LabTable& table) {
  std::vector<std::string> names = TableKeyOf(table);
  for (const LabIndex& index : table.indexes) {
    AppendNew(index.hash, names);
    AppendNew(index.range, names);
  }
  return names;
}

}  // namespace hashrange
