// Warm-up: where the declared rates are more than the partitions of a new table serve, so that the
// service has to cut partitions first, and how long that takes by the partition model. By the
// expected units; a pure function, any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/report/lab_growth.h"

namespace hashrange {

inline constexpr std::string_view kWarmUpHeading = "How long new tables take to serve the rates";

// Returns a sentence for each table and global index whose hottest key range needs a cut to serve
// the declared rates, its reads and writes apart. Nothing: new tables serve them.
std::vector<std::string> WarmUpSentences(const GrownLayout& layout);

// Returns a sentence for each of them, with the name of its layout.
ReportParts WarmUpParts(const std::vector<GrownLayout>& layouts);

}  // namespace hashrange
