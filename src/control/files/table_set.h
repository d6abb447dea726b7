// TableSet holds the tables of a seed. Items are loaded into a new table while no request can find
// it. Publish makes all new tables visible, at one instant and complete. One thread at a time,
// unless a function says otherwise.
//
//   new        items go into a hidden table with the definition's keys and indexes ──▶ Publish pins
//              the hidden table, and publishes a table with the whole definition and the content of
//              the pin. So no stream records the loaded items, and no item expires before it is
//              visible.
//   existing   items go into the version that is published at that time
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "control/files/table_json.h"
#include "control/files/transfer_parts.h"
#include "operation/call/caller.h"
#include "operation/call/context.h"
#include "operation/table/create_table.h"
#include "wire/json.h"

namespace hashrange {

class TableSet {
 public:
  // The tables belong to `caller`. `parts` and the caller's texts outlive the set.
  TableSet(const TransferParts& parts, const Caller& caller);

  // Adds a table by its definition. If a table of the defined name exists, that table is used,
  // provided that its key and indexes are those of the definition.
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

}  // namespace hashrange
