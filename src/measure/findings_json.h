// The JSON of findings. Pure function; any thread.
//
//   {"profile": "single-table",
//    "rules": [{"rule", "slug", "what", "state": "clean", "reason", "findings": 0}],
//    "findings": [{"rule", "slug", "severity", "table", "index", "pattern", "entity", "key",
//                  "evidence", "basis", "cost": {"usd", "per", "of", "basis"}, "advice"}]}
//
// A rule has a reason only if it was not assessed. A finding has only those parts of its place that
// say something, and a cost only if the rule has a price.
#pragma once

#include "measure/findings.h"
#include "wire/json_writer.h"

namespace hashrange {

void WriteDesignFindings(const DesignFindings& findings, JsonWriter& writer);

}  // namespace hashrange
