// LayoutForecast: what a month of a layout is expected to cost and how far its first limit is
// expected to be, from the declarations of the file alone: no item is made and no call is run. The
// units are those that the plans of the layout expect, the prices and limits are those by which a
// run is assessed. Pure functions; any thread.
//
//   one key       US$ 98.10 a month    50 ×: scores, key PK=BOARD, writes
//   ten shards    US$ 104.55 a month   413 ×: scores, key PK=BOARD#{shard(player_id, 10)}, writes
#pragma once

#include <atomic>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/language/lab_file.h"
#include "lab/plan/cost/file_model.h"
#include "lab/plan/cost/layout_model.h"
#include "lab/plan/request/layout_keys.h"
#include "lab/plan/request/pattern_plan.h"
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
  // How many times the declared rates the keys carry. Quotas and declared capacity, which can be
  // raised, do not count.
  double key_headroom = std::numeric_limits<double>::infinity();
  // Patterns with a rate that neither figure has: those that the layout cannot serve, and those
  // whose requests it writes itself (`serve:`), of which nothing is expected.
  std::vector<std::string> impossible = {};
  std::vector<std::string> unknown = {};

  bool HasAllPatterns() const { return impossible.empty() && unknown.empty(); }
};

// What the declared rates ask of the hottest key that one template makes, a second.
struct TemplateLoad {
  LabKey key = {};  // a table's also for its local indexes, which are in its partitions
  bool is_write = false;
  std::string text = {};
  double units = 0;
  double strong_units = 0;  // of reads
};

// Returns whether two templates may make one key: they begin alike, as far as that is known.
bool MayBeOneKey(std::string_view one, std::string_view other);

// Adds a load. Units of one template are added up.
void AddLoad(const TemplateLoad& more, std::vector<TemplateLoad>& loads);
// Adds the loads of a pattern that was planned with the model of a moment.
void AddLoadsOf(const LabFile& file, const LabLayout& layout, const PatternPlan& plan,
                std::vector<TemplateLoad>& loads);
// Returns how many times the declared rates the keys with these loads carry; infinity where there
// is no load.
double HeadroomOfLoads(const PartitionLimits& limits, const std::vector<TemplateLoad>& loads);

// Returns the bytes that the tables and indexes of the layout store when the traffic ends, vector
// indexes aside.
double StoredBytesAtEnd(const LayoutModel& model);

// Forecasts layouts of one file, also such that do not stand in it. Immutable; any thread.
class LayoutForecaster {
 public:
  // The file outlives the object. Months are those of data of this age; headroom is that of now.
  explicit LayoutForecaster(const LabFile& file, FileAge age = {});

  // Errors: as PlanLayout. Cost: two plans of the layout.
  Result<LayoutForecast> Forecast(const LabLayout& layout) const;

  // The model of the whole traffic, by which months are computed.
  const FileModel& model() const { return model_; }
  // The model of one minute of traffic, by which loads of keys are computed.
  const FileModel& moment() const { return moment_; }

 private:
  LabFile moment_file_;
  FileModel model_;
  FileModel moment_;
};

// Returns the forecast of each layout of the file, or of the named ones, in the file's order. When
// `stop` becomes true, no layout follows.
// Errors: as PlanLayout
// Cost: two plans for each layout.
Result<std::vector<LayoutForecast>> ForecastLayouts(
    const LabFile& file, const std::vector<std::string>& only_layouts = {},
    const std::atomic<bool>* stop = nullptr);

}  // namespace hashrange
