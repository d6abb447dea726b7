// The definition of a table as a measurement lists it. Pure; any thread.
#pragma once

#include "engine/table_version.h"
#include "measure/measurement.h"

namespace hashrange {

// Returns the definition, without what is stored.
TableMeasure DescribeTable(const TableVersion& table);

}  // namespace hashrange
