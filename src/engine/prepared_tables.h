// PreparedTables: new tables that are going to be published together. Its destructor abandons them,
// so that a server that keeps its data forgets what it has stored for them, unless Keep was called.
// One thread at a time.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/catalog.h"

namespace hashrange {

class PreparedTables {
 public:
  // The catalog outlives the object.
  explicit PreparedTables(Catalog& catalog) : catalog_(catalog) {}
  ~PreparedTables() { catalog_.Abandon(tables_); }
  PreparedTables(const PreparedTables&) = delete;
  PreparedTables& operator=(const PreparedTables&) = delete;

  // Adds a table that Catalog::Prepare makes.
  void Add(std::unique_ptr<TableVersion> version, const TablePin* from,
           Keeping keeping = Keeping::kAsBefore) {
    // Room is made first: a prepared table must not be lost.
    if (tables_.size() == tables_.capacity()) tables_.reserve(2 * tables_.size() + 1);
    tables_.push_back(catalog_.Prepare(std::move(version), from, keeping));
  }
  std::span<const TableRef> all() const { return tables_; }

  // Is to be called when the tables are published. Returns them.
  std::vector<TableRef> Keep() { return std::exchange(tables_, {}); }

 private:
  Catalog& catalog_;
  std::vector<TableRef> tables_;
};

}  // namespace hashrange
