#include "control/files/table_set.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "engine/prepared_tables.h"
#include "engine/ttl/expiry_set.h"
#include "engine/ttl/time_to_live.h"
#include "operation/table/table_transitions.h"
#include "wire/shape.h"

namespace hashrange {
namespace {

bool SameParts(const std::vector<KeyPart>& a, const std::vector<KeyPart>& b) {
  return std::ranges::equal(a, b, [](const KeyPart& one, const KeyPart& other) {
    return one.name == other.name && one.type == other.type;
  });
}

bool SameKey(const KeySchema& a, const KeySchema& b) {
  return SameParts(a.hash, b.hash) && SameParts(a.range, b.range);
}

bool SameIndex(const IndexSchema& a, const IndexSchema& b) {
  return a.name == b.name && a.is_local == b.is_local && SameKey(a.key, b.key) &&
         a.projection == b.projection && a.non_key_attributes == b.non_key_attributes;
}

bool SameKeysAndIndexes(const TableVersion& a, const TableVersion& b) {
  return SameKey(a.key, b.key) && a.indexes.size() == b.indexes.size() &&
         std::ranges::all_of(a.indexes, [&](const IndexVersion& index) {
           const IndexVersion* const other = b.FindIndex(index.schema.name);
           return other && SameIndex(index.schema, other->schema);
         });
}

Error InUseError(std::string sentence) {
  return Error{ErrorCode::kResourceInUseException, std::move(sentence), nullptr};
}

}  // namespace

TableSet::TableSet(const TransferParts& parts, const Caller& caller)
    : parts_(parts), context_(MakeContext(parts, caller, arena_)) {}

Status TableSet::Define(const JsonValue& definition, const TableNames& names) {
  HR_ASSIGN(const TableJson json, ReadTableJson(definition, names, arena_));
  HR_RETURN_IF_ERROR(BindRequest(*FindOperationShape("CreateTable"), json.create_table));
  Table table;
  HR_ASSIGN(table.definition, ReadNewTable(context_, RequestObject(json.create_table)));
  auto version = MakeTableVersion(context_, *table.definition);
  if (const TableRef there = FindSettled(context_, version->name)) {
    HR_ASSIGN(table.target, FindUsable(version->name));
    table.definition.reset();
    if (!SameKeysAndIndexes(*version, *table.target)) {
      return InUseError("the table " + version->name +
                        " is there, with another key or other indexes");
    }
    return Add(std::move(table));
  }
  if (json.ttl_attribute) table.ttl_attribute = *json.ttl_attribute;
  version->settings.stream.reset();
  table.target = parts_.engine.catalog().PreparePrivate(std::move(version));
  return Add(std::move(table));
}

Status TableSet::UseExisting(const std::string& name) {
  Table table;
  HR_ASSIGN(table.target, FindUsable(name));
  return Add(std::move(table));
}

Status TableSet::Add(Table table) {
  const std::string& name = table.target->name;
  if (std::ranges::any_of(tables_,
                          [&](const Table& other) { return other.target->name == name; })) {
    return ValidationError("the table " + name + " is in the seed already");
  }
  tables_.push_back(std::move(table));
  return {};
}

Result<TableRef> TableSet::FindUsable(const std::string& name) const {
  const TableRef table = FindSettled(context_, name);
  if (!table) {
    return Error{ErrorCode::kResourceNotFoundException,
                 "there is no table " + name + ", and nothing defines it", nullptr};
  }
  if (table->status() == ResourceStatus::kCreating ||
      table->status() == ResourceStatus::kDeleting) {
    return InUseError("the table " + name + " is being created or deleted");
  }
  return table;
}

Result<TableRef> TableSet::Find(std::size_t i) const {
  const Table& table = tables_[i];
  if (table.definition) return table.target;
  TableRef now = parts_.engine.catalog().Find(context_.account, table.target->name);
  if (now && now->table_id == table.target->table_id) return now;
  return Error{ErrorCode::kResourceNotFoundException,
               "the table " + table.target->name + " was deleted meanwhile", nullptr};
}

// Returns the table with its whole definition, without content.
std::unique_ptr<TableVersion> TableSet::MakeFinalVersion(const Table& table) const {
  auto version = MakeTableVersion(context_, *table.definition);
  if (table.ttl_attribute) {
    version->settings.ttl_attribute = table.ttl_attribute;
    version->settings.expiries = std::make_shared<ExpirySet>(*table.ttl_attribute);
  }
  return version;
}

Status TableSet::Publish(std::span<const PendingSeed> seeds) {
  Catalog& catalog = parts_.engine.catalog();
  std::deque<StreamOpening> streams;
  PreparedTables prepared(catalog);
  for (const Table& table : tables_) {
    if (!table.definition) continue;
    auto version = MakeFinalVersion(table);
    streams.emplace_back(context_).OpenFor(version.get());
    const TablePin content = catalog.Pin(table.target);
    prepared.Add(std::move(version), &content);
  }
  if (!catalog.Exchange({}, prepared.all(), nullptr, Keeping::kAsBefore, seeds)) {
    return InUseError("a table of the seed was created by somebody else meanwhile");
  }
  for (StreamOpening& stream : streams) stream.Keep();
  for (const TableRef& table : prepared.Keep()) {
    if (table->settings.expiries) parts_.time_to_live.Watch(*table);
  }
  return {};
}

}  // namespace hashrange
