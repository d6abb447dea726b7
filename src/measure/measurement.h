// Measurement: what one or several tables did under one traffic. The meter makes it (meter/), and
// so may any other source of traffic; cost, findings, first limits, budgets, comparisons and
// reports are pure functions of it. It is stored as JSON (measurement_json.h), whose members have
// the names of the members here; docs/measurement.schema.json is its schema. Plain data.
//
//   Measurement ─┬─ tables ── indexes            what was declared, and what is stored
//                ├─ resources                    a table or an index: units, keys, heat
//                ├─ partitions                   how the model cut a table or an index
//                ├─ patterns ── members          the calls, by what they ask for
//                ├─ entities                     the items, by the templates of their keys
//                ├─ sequences                    what one caller did one after another
//                └─ time                         all of it, in buckets of the server's clock
//
// Units are capacity units (docs/service/08-capacity.md), sizes are DynamoDB sizes in bytes, times
// are milliseconds since 1970 on the server's clock. An index that is empty text stands for the
// table itself. Each figure is a row of measurement.def, which says what it is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "measure/distribution.h"
#include "simulation/partitions/partition_map.h"
#include "simulation/partitions/partition_parameters.h"

namespace hashrange {

// How many ranges of key hashes there are.
inline constexpr std::uint32_t kHashRanges = 4096;

// The units of one range of key hashes. JSON has the HeatRuns of a list of them.
struct HeatRange {
  std::uint32_t range = 0;
  double read_units = 0;
  double write_units = 0;
};

#define HR_PART(part, what) struct part {
#define HR_FIGURE(type, name, what) type name = {};
#define HR_FIGURE_FROM(type, name, value, what) type name = value;
// clang-format off
#define HR_PART_END(part) };
// clang-format on
#include "measure/measurement.def"

}  // namespace hashrange
