#include "store/kept/kept_tables.h"

namespace hashrange {

KeptTables::~KeptTables() = default;

}  // namespace hashrange
