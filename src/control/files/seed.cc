#include "control/files/seed.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/memory/arena.h"
#include "base/result.h"
#include "base/stable_sort.h"
#include "base/workers.h"
#include "control/files/byte_source.h"
#include "control/files/folder.h"
#include "control/files/item_load.h"
#include "control/files/seed_plan.h"
#include "control/files/table_json.h"
#include "control/files/transfer_parts.h"
#include "engine/catalog.h"
#include "engine/ttl/expiry_set.h"
#include "engine/ttl/time_to_live.h"
#include "operation/call/caller.h"
#include "operation/call/context.h"
#include "operation/table/create_table.h"
#include "operation/table/table_transitions.h"
#include "wire/json.h"
#include "wire/shape.h"

namespace hashrange {
namespace {

// Holds the tables of a seed. Items are loaded into a new table while no request can find
// it. Publish makes all new tables visible, at one instant and complete. One thread at a time,
// unless a function says otherwise.
//
//   new        items go into a hidden table with the definition's keys and indexes ──▶ Publish pins
//              the hidden table, and publishes a table with the whole definition and the content of
//              the pin. So no stream records the loaded items, and no item expires before it is
//              visible.
//   existing   items go into the version that is published at that time
class TableSet {
 public:
  // The tables belong to `caller`. `parts` and the caller's texts outlive the set.
  TableSet(const TransferParts& parts, const Caller& caller);

  // Adds a table by its definition. If a table of the defined name exists, that table is used,
  // provided that it has the key and the indexes of the definition.
  // Errors: ValidationException     the definition is wrong, or the set has the table already
  //         ResourceInUseException  the existing table differs, or is being created or deleted
  Status Define(const JsonValue& definition, const TableNames& names);
  // Adds an existing table.
  // Errors: ResourceNotFoundException  there is no such table
  //         ResourceInUseException     the table is being created or deleted
  //         ValidationException        the set has the table already
  Status UseExisting(const std::string& name);

  std::size_t size() const { return tables_.size(); }
  const std::string& name(std::size_t i) const { return tables_[i].target->name; }
  bool is_new(std::size_t i) const { return tables_[i].definition.has_value(); }
  // The version that the items of table `i` are checked against: for a new table the hidden one.
  const TableVersion& version(std::size_t i) const { return *tables_[i].target; }

  // Returns the version to commit items to now. Any thread.
  // Errors: ResourceNotFoundException  an existing table was deleted, or replaced by another
  Result<TableRef> Find(std::size_t i) const;

  // Publishes the new tables, and begins the seeds of existing tables.
  // Errors: ResourceInUseException  a name was taken meanwhile; nothing is done then
  Status Publish(std::span<const PendingSeed> seeds);

 private:
  struct Table {
    TableRef target;                          // the existing table, or the hidden new one
    std::optional<NewTable> definition = {};  // nullopt: the table exists
    std::optional<std::string> ttl_attribute = {};
  };

  Status Add(Table table);
  Result<TableRef> FindUsable(const std::string& name) const;
  std::unique_ptr<TableVersion> MakeFinalVersion(const Table& table) const;

  const TransferParts& parts_;
  mutable Arena arena_;
  mutable Context context_;
  std::vector<Table> tables_;
};

bool SameParts(const std::vector<KeyPart>& a, const std::vector<KeyPart>& b) {
  return std::ranges::equal(a, b, [](const KeyPart& one, const KeyPart& other) {
    return one.name == other.name && one.type == other.type;
  });
}

bool SameKey(const KeySchema& a, const KeySchema& b) {
  return SameParts(a.hash, b.hash) && SameParts(a.range, b.range);
}

bool SameVector(const std::optional<VectorSchema>& a, const std::optional<VectorSchema>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->attribute == b->attribute && a->dimensions == b->dimensions &&
         a->function == b->function && SameParts(a->filters, b->filters);
}

bool SameIndex(const IndexSchema& a, const IndexSchema& b) {
  return a.name == b.name && a.is_local == b.is_local && SameKey(a.key, b.key) &&
         SameVector(a.vector, b.vector) && a.projection == b.projection &&
         a.non_key_attributes == b.non_key_attributes;
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

constexpr std::size_t kMaxDefinitionBytes = 16 << 20;

SeedPlan PlanForText(std::string text) {
  SeedTable table;
  table.items.push_back({{"data", {}, std::move(text)}, false});
  SeedPlan plan;
  plan.tables.push_back(std::move(table));
  return plan;
}

// Returns the plan for the path or the data of the request. If the path is a folder of tables, and
// the request names a table, the plan has only this table.
Result<SeedPlan> PlanRequest(const SeedRequest& request) {
  if (request.data) {
    if (!request.table && !request.definition) {
      return ValidationError("data needs a table or a definition");
    }
    return PlanForText(*request.data);
  }
  HR_ASSIGN(SeedPlan plan, PlanSeed(*request.path, request.bounds));
  if (plan.is_folder_of_tables && request.definition) {
    return ValidationError("a definition is for the items of one table: " + request.path->string() +
                           " is a folder of tables");
  }
  if (plan.is_folder_of_tables && request.table) {
    std::erase_if(plan.tables,
                  [&](const SeedTable& table) { return table.label != *request.table; });
    if (plan.tables.empty()) {
      return Error{ErrorCode::kResourceNotFoundException,
                   request.path->string() + ": there is no table " + *request.table, nullptr};
    }
  }
  return plan;
}

Status DefineFromFile(const SeedFile& file, const TableNames& names, TableSet* tables) {
  HR_ASSIGN(std::string text, ReadWholeFile(file.path, kMaxDefinitionBytes, file.bounds));
  Arena arena;
  const auto json = ParseJsonData({text.data(), text.size()}, JsonDialect::kRequest, arena);
  if (!json.ok()) return ValidationError("it is no JSON: " + json.error().message);
  return tables->Define(**json, names);
}

// Adds the table by the definition of the request, otherwise by the definition in a file. A table
// without a definition must exist.
Status AddTable(const SeedRequest& request, const SeedPlan& plan, const SeedTable& table,
                TableSet* tables) {
  std::optional<std::string_view> name;
  if (!plan.is_folder_of_tables && request.table) name = *request.table;
  const TableNames names{.replacement = name, .fallback = table.label};
  if (request.definition) {
    const Status defined = tables->Define(*request.definition, names);
    return defined.ok() ? Status() : Status(WithFileName("definition", defined.error()));
  }
  if (table.definition) {
    const Status defined = DefineFromFile(*table.definition, names, tables);
    return defined.ok() ? Status() : Status(WithFileName(table.definition->name, defined.error()));
  }
  const Status used = tables->UseExisting(name ? std::string(*name) : table.label);
  // An export without items has no data file.
  if (used.ok() || table.items.empty()) return used.ok() ? Status() : Status(used.error());
  return WithFileName(table.items.front().file.name, used.error());
}

// The seeds of existing tables, by the number of the table. They end with the object.
class KeptSeeds {
 public:
  KeptSeeds(Catalog& catalog, std::size_t tables) : catalog_(catalog), seeds_(tables) {}
  ~KeptSeeds() {
    for (const PendingSeed& seed : seeds_) catalog_.EndSeed(seed);
  }
  KeptSeeds(const KeptSeeds&) = delete;
  KeptSeeds& operator=(const KeptSeeds&) = delete;

  void Keep(const ItemLoad& load, std::size_t table) { seeds_[table] = load.Keep(catalog_, table); }
  std::span<const PendingSeed> all() const { return seeds_; }

 private:
  Catalog& catalog_;
  std::vector<PendingSeed> seeds_;
};

// New tables are published before anything is written to existing tables. On the disk,
// TableSet::Publish makes all of it one step.
Status CommitAll(const TransferParts& parts, ItemLoad& load, TableSet& tables,
                 bool* writes_to_old_tables) {
  KeptSeeds seeds(parts.engine.catalog(), tables.size());
  for (const bool to_new : {true, false}) {
    for (std::size_t i = 0; i < tables.size(); ++i) {
      if (tables.is_new(i) != to_new) continue;
      if (!to_new) *writes_to_old_tables = true;
      HR_RETURN_IF_ERROR(load.Commit({parts.engine, parts.durability, seeds.all()[i].id}, i,
                                     [&] { return tables.Find(i); }));
    }
    if (!to_new) break;
    for (std::size_t i = 0; i < tables.size(); ++i) {
      if (!tables.is_new(i)) seeds.Keep(load, i);
    }
    HR_RETURN_IF_ERROR(tables.Publish(seeds.all()));
  }
  return {};
}

std::vector<std::string> WarningsOf(const ItemLoad& load) {
  std::vector<std::string> warnings;
  for (const std::string& file : load.partial_files()) {
    warnings.push_back(file +
                       ": it is only a part of a table: by its LastEvaluatedKey or NextToken the "
                       "scan that it holds was to go on");
  }
  return warnings;
}

Result<LoadedSeed> LoadAll(const TransferParts& parts, const SeedRequest& request,
                           bool* writes_to_old_tables) {
  HR_ASSIGN(SeedPlan plan, PlanRequest(request));
  TableSet tables(parts, request.caller);
  std::vector<LoadFile> files;
  for (SeedTable& table : plan.tables) {
    HR_RETURN_IF_ERROR(AddTable(request, plan, table, &tables));
    const std::size_t number = tables.size() - 1;
    for (SeedItems& items : table.items) {
      files.push_back({std::move(items), number, &tables.version(number)});
    }
  }
  std::vector<const TableVersion*> versions;
  for (std::size_t i = 0; i < tables.size(); ++i) versions.push_back(&tables.version(i));
  const int cores = ThreadsOfMachine();
  ItemLoad load(versions, std::move(files),
                {.threads = request.threads > 0 ? std::min(request.threads, cores) : cores,
                 .memory = parts.memory,
                 .format = request.format,
                 .counters = request.counters});
  HR_RETURN_IF_ERROR(load.Read());
  HR_RETURN_IF_ERROR(load.Sort());
  LoadedSeed loaded{.tables = {}, .warnings = WarningsOf(load)};
  for (std::size_t i = 0; i < tables.size(); ++i) {
    loaded.tables.push_back({tables.name(i), load.count(i)});
  }
  StableSort(loaded.tables, {}, &TransferredTable::name);
  load.CheckMemoryForCommit();
  HR_RETURN_IF_ERROR(CommitAll(parts, load, tables, writes_to_old_tables));
  return loaded;
}

}  // namespace

Result<LoadedSeed> Seed(const TransferParts& parts, const SeedRequest& request) {
  bool writes_to_old_tables = false;
  try {
    return LoadAll(parts, request, &writes_to_old_tables);
  } catch (const std::bad_alloc&) {
    return InternalError(
        writes_to_old_tables
            ? "there is not enough memory: tables that were there may have some of the items"
            : "there is not enough memory for it: nothing was loaded");
  }
}

}  // namespace hashrange
