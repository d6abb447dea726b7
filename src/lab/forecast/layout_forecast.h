// LayoutForecast: what a month of a layout is expected to cost and how far its first limit is
// expected to be, from the declarations of the file alone: no item is made and no call is run. The
// units are those that the plans of the layout expect, the prices and limits are those by which a
// run is assessed. Pure functions; any thread.
//
//   one key       US$ 98.10 a month    50 ×: scores, key PK=BOARD, writes
//   ten shards    US$ 104.55 a month   413 ×: scores, key PK=BOARD#{shard(player_id, 10)}, writes
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/language/lab_file.h"
#include "measure/cost/first_limit.h"

namespace hashrange {

struct LayoutForecast {
  std::string layout = {};
  // US$, as the tables declare to be billed, storage and free tier included; nothing where no
  // pattern with a rate is served by expected requests.
  std::optional<double> month_usd = {};
  // The limit that is met at the smallest multiple of the declared rates,
  // `multiple_of_declared`, once the tables are warm. Of a key it is a lower bound: the hottest
  // values of templates that begin alike count as one key, and what the traffic makes `hot` counts
  // as if it were so all the time. The figures of a measured mix are 0.
  std::optional<LimitRow> first_limit = {};
  // Patterns with a rate that neither figure has: those that the layout cannot serve, and those
  // whose requests it writes itself (`serve:`), of which nothing is expected.
  std::vector<std::string> impossible = {};
  std::vector<std::string> unknown = {};

  bool HasAllPatterns() const { return impossible.empty() && unknown.empty(); }
};

// Returns the forecast of each layout of the file, or of the named ones, in the file's order. When
// `stop` becomes true, no layout follows.
// Errors: as PlanLayout
// Cost: two plans for each layout.
Result<std::vector<LayoutForecast>> ForecastLayouts(
    const LabFile& file, const std::vector<std::string>& only_layouts = {},
    const std::atomic<bool>* stop = nullptr);

}  // namespace hashrange
