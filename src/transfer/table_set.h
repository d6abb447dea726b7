// TableSet: the tables of a seed. A new one takes its items while nobody finds it; Publish lets all
// of them be found, at one instant and complete. One thread, but where it says otherwise.
//
//   new        a table of the definition's keys and indexes that is never found ──▶ Publish
//              pins it and starts the table of the whole definition from it: so no stream
//              records what was loaded, and no item expires before it was there
//   existing   items go into it, whichever version is the published one then
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "operation/caller.h"
#include "operation/context.h"
#include "operation/table/new_table.h"
#include "transfer/table_json.h"
#include "transfer/transfer_parts.h"
#include "wire/json.h"

namespace hashrange {

class TableSet {
 public:
  // The tables of a caller; `parts` outlives the set, the caller's texts too.
  TableSet(const TransferParts& parts, const Caller& caller);

  // A table by its definition. One of its name that is there already is used if its key and its
  // indexes are those of the definition. Errors: ValidationException     the definition is not one
  //         ResourceInUseException  the table that is there is another; or is coming or going
  // The set has each table once: ValidationException otherwise, here and in Use.
  Status Define(const JsonValue& definition, const TableNames& names);
  // A table that is there.
  // Errors: ResourceNotFoundException, ResourceInUseException
  Status UseExisting(const std::string& name);

  std::size_t size() const { return tables_.size(); }
  const std::string& name(std::size_t i) const { return tables_[i].target->name; }
  bool is_new(std::size_t i) const { return tables_[i].definition.has_value(); }
  // The version that items are checked against.
  const TableVersion& version(std::size_t i) const { return *tables_[i].target; }

  // The version to commit items to now. Any thread.
  // Errors: ResourceNotFoundException  a table that was there is gone, or is another one now
  Result<TableRef> Find(std::size_t i) const;

  // Errors: ResourceInUseException  a name was taken meanwhile; no table is published then
  Status Publish();

 private:
  struct Table {
    TableRef target;  // what items are committed to, of a new one
    std::optional<NewTable> definition = {};
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
