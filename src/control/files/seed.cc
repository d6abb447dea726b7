#include "control/files/seed.h"

#include <algorithm>
#include <new>
#include <span>
#include <utility>

#include "base/workers.h"
#include "control/files/byte_source.h"
#include "control/files/folder.h"
#include "control/files/item_load.h"
#include "control/files/seed_plan.h"
#include "control/files/table_set.h"

namespace hashrange {
namespace {

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

// New tables are published before anything is written to existing tables. On the disk, all of it is
// one step, that of TableSet::Publish.
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
  std::ranges::sort(loaded.tables, {}, &TransferredTable::name);
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
    return Error{
        ErrorCode::kInternalServerError,
        writes_to_old_tables
            ? "there is not enough memory: tables that were there may have some of the items"
            : "there is not enough memory for it: nothing was loaded",
        nullptr};
  }
}

}  // namespace hashrange
