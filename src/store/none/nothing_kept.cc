// A build without a store: every directory is refused.
#include "base/error.h"
#include "store/kept/kept_tables.h"

namespace hashrange {

Result<std::unique_ptr<KeptTables>> OpenKeptTables(const KeptTablesPlace&) {
  return ValidationError("this build keeps no data on disk");
}

}  // namespace hashrange
