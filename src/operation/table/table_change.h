// TableChange: an UpdateTable as two versions of the table, how it is described meanwhile
// and what it becomes (docs/service/03-tables-and-indexes.md, sections 4 and 7;
// 13-update-table-and-gsi-lifecycle.md, section 3).
#pragma once

#include <memory>

#include "engine/table_version.h"

namespace hashrange {

struct TableChange {
  std::unique_ptr<TableVersion> during;
  std::unique_ptr<TableVersion> after;
  bool passes = false;  // whether getting from one to the other takes time
};

}  // namespace hashrange
