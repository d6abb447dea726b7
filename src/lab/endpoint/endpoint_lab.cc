#include "lab/endpoint/endpoint_lab.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/clock.h"
#include "lab/endpoint/endpoint_fill.h"
#include "lab/endpoint/endpoint_loop.h"
#include "lab/endpoint/endpoint_twin.h"
#include "lab/endpoint/prefixed_tables.h"
#include "lab/language/data/population.h"
#include "lab/run/layout_database.h"
#include "lab/run/layout_run.h"
#include "lab/run/table_fill.h"
#include "lab/run/traffic_arrivals.h"
#include "measure/cost/price_list.h"
#include "measure/number_text.h"

namespace hashrange {
namespace {

constexpr double kFilled = 0.3;  // how the progress of a run is divided
// A BatchGetItem returns 16 MB of items, whose JSON is longer.
constexpr std::size_t kMostAnswerBytes = 32 << 20;
constexpr std::size_t kTablesConnections = 2;
constexpr const char* kInterruptedText = "The run was interrupted";

double SecondsSince(const Stopwatch& watch) {
  return std::chrono::duration<double>(watch.elapsed()).count();
}

const LabLayout& LayoutAt(const LabFile& file, int layout) {
  return file.layouts[static_cast<std::size_t>(layout)];
}

// The run of one layout at an endpoint.
class EndpointLayout {
 public:
  // `file`, with prefixed names, `modelled`, the modelled run of the layout, and `options` outlive
  // the object.
  EndpointLayout(const LabFile& file, int layout, const LayoutRun& modelled,
                 const EndpointRunOptions& options)
      : file_(file),
        number_(layout),
        modelled_(modelled),
        options_(options),
        database_(file, LayoutAt(file, layout), nullptr),
        population_(file, modelled.scale) {
    run_.layout = LayoutAt(file, layout).name;
    for (PatternRun& pattern : FreshPatternRuns(file, 1)) {
      run_.patterns.push_back({.run = std::move(pattern)});
    }
  }

  // Makes and fills the twin. Returns false when the options' `stop` has become true.
  // Errors: as TableFill::Run and PlanLayout
  Result<bool> PrepareTwin() {
    HR_RETURN_IF_ERROR(population_.Check());
    HR_ASSIGN(plan_, PlanLayout(file_, number_));
    HR_RETURN_IF_ERROR(database_.MakeTables(plan_, 1));
    if (options_.is_charged) database_.StartMeasurement();
    TableFill fill(database_, plan_, population_);
    HR_ASSIGN(const bool is_filled, fill.Run(options_.stop, [](double) {}));
    items_ = fill.items();
    if (!options_.is_charged) return is_filled;
    HR_ASSIGN(const Measurement measurement, database_.StopMeasurement());
    for (const ResourceMeasure& resource : measurement.resources) {
      fill_write_units_ += resource.write_units;
    }
    return is_filled;
  }

  // Returns the write units that the fill of the twin took; 0 where calls cost nothing.
  double fill_write_units() const { return fill_write_units_; }

  // Makes the tables at the endpoint, fills them, makes the traffic and removes the tables.
  // Precondition: PrepareTwin has returned true.
  EndpointLayoutRun Run(ServiceClient& tables_client, SpendCount& spend,
                        const std::function<void(double)>& progress) {
    PrefixedTables tables({.client = tables_client,
                           .limits = options_.limits,
                           .owns_prefix = options_.prefix.empty(),
                           .stop = options_.stop});
    const double spent_before_usd = spend.usd();
    const Status status = RunTables(tables, spend, progress);
    if (!status.ok()) run_.ended_early_because = status.error().message;
    const bool is_interrupted = options_.stop != nullptr && *options_.stop;
    if (is_interrupted && options_.note) {
      options_.note("interrupted: the tables that this run made at " + options_.url.Text() +
                    " are being removed; another Ctrl-C leaves them there");
    }
    run_.left_behind = tables.Remove();
    spend.EndLayout(std::chrono::steady_clock::now());
    run_.spent_usd = spend.usd() - spent_before_usd;
    return std::move(run_);
  }

 private:
  const LabLayout& layout() const { return database_.layout(); }

  std::vector<std::string> TableNames() const {
    std::vector<std::string> names;
    for (const LabTable& table : layout().tables) names.push_back(table.name);
    return names;
  }

  // What happens between the making and the removing of the tables; an error or `run_` says why it
  // ended early.
  Status RunTables(PrefixedTables& tables, SpendCount& spend,
                   const std::function<void(double)>& progress) {
    const LayoutPrices prices = PricesOf(layout());
    if (spend.IsExceeded(prices.capacity_hour_usd)) {
      return ValidationError(spend.ExceededText(prices.capacity_hour_usd));
    }
    spend.BeginLayout(prices, std::chrono::steady_clock::now());
    HR_ASSIGN(const bool is_made, tables.Make(plan_.create_tables, TableNames()));
    run_.ended_early_because = is_made ? "" : kInterruptedText;
    if (!is_made) return {};
    HR_ASSIGN(const auto client, OpenEndpointClient(options_, options_.limits.connections));
    const Stopwatch watch;
    EndpointFill fill({*client, database_, spend, options_.limits, options_.stop});
    const auto is_filled = fill.Run([&](std::uint64_t items) {
      progress(kFilled * static_cast<double>(items) /
               static_cast<double>(std::max<std::uint64_t>(1, items_)));
    });
    run_.items_filled = fill.items();
    run_.fill_s = SecondsSince(watch);
    if (!is_filled.ok()) return is_filled.error();
    run_.ended_early_because = *is_filled ? "" : kInterruptedText;
    if (*is_filled) RunTraffic(*client, spend, progress);
    return {};
  }

  void RunTraffic(ServiceClient& client, SpendCount& spend,
                  const std::function<void(double)>& progress) {
    EndpointTwin twin(database_);
    EndpointLoop loop(
        {.client = client,
         .twin = twin,
         .file = file_,
         .plan = plan_,
         .population = population_,
         .modelled = modelled_,
         .spend = spend,
         .limits = options_.limits,
         .run = run_,
         .stop = options_.stop},
        {.phases = file_.traffic,
         .multiple = options_.traffic.rate,
         .end_us = static_cast<std::int64_t>(options_.traffic.Seconds(file_) * kUsPerSecond)});
    loop.Run([&](double done) { progress(kFilled + (1 - kFilled) * done); });
  }

  const LabFile& file_;
  const int number_;
  const LayoutRun& modelled_;
  const EndpointRunOptions& options_;
  LayoutDatabase database_;  // of the twin
  Population population_;
  LayoutPlan plan_ = {};
  double fill_write_units_ = 0;
  std::uint64_t items_ = 0;
  EndpointLayoutRun run_ = {};
};

bool IsChosen(const EndpointRunOptions& options, const std::string& layout) {
  const std::vector<std::string>& only = options.only_layouts;
  return only.empty() || std::ranges::find(only, layout) != only.end();
}

Status CheckLength(const LabFile& file, const EndpointTraffic& traffic) {
  const double whole_s = TrafficFactor(file.traffic).length_s();
  if (static_cast<double>(traffic.length_ms) <= whole_s * kMsPerSecond) return {};
  return ValidationError("--duration is longer than the traffic of the file, which is " +
                         NumberText(whole_s) + " s long");
}

// AWS answers searches at another host than all other calls, and what they cost is not counted
// here.
Status CheckVectors(const LabLayout& layout, const EndpointRunOptions& options) {
  const bool has_vectors = std::ranges::any_of(
      layout.tables, [](const LabTable& table) { return !table.vector_indexes.empty(); });
  if (!has_vectors || !options.is_charged) return {};
  return ValidationError("\"" + layout.name +
                         "\" has vector indexes, and no traffic is sent to those of AWS: take "
                         "other layouts with --layout");
}

// A layout that is to be run.
struct ChosenLayout {
  int number = 0;
  const LayoutRun* modelled = nullptr;
  double fill_write_units = 0;  // where calls cost money
};

std::vector<ChosenLayout> ChosenLayouts(const LabFile& file, const LabResult& modelled) {
  std::vector<ChosenLayout> chosen;
  for (const LayoutRun& run : modelled.runs) {
    const auto found = std::ranges::find(file.layouts, run.layout, &LabLayout::name);
    chosen.push_back({.number = static_cast<int>(found - file.layouts.begin()), .modelled = &run});
  }
  return chosen;
}

// Says what the run will cost, and returns an error where that is not known, or more than may be
// spent.
Status CheckCost(const LabFile& file, const EndpointRunOptions& options,
                 const std::vector<ChosenLayout>& layouts) {
  double usd = 0;
  std::string unknown;
  for (const ChosenLayout& each : layouts) {
    const RunCost cost = EstimateRun(file, *each.modelled, each.fill_write_units, options.traffic);
    usd += cost.usd;
    if (unknown.empty() && !cost.unknown.empty()) {
      unknown = "what \"" + cost.unknown.front() + "\" costs in \"" + each.modelled->layout +
                "\" is not known, since none of its calls succeeded in the modelled run: change "
                "the pattern, or take other layouts with --layout";
    }
    options.note(RunCostText(each.modelled->layout, cost));
  }
  const PriceList& prices = BuiltInPrices();
  options.note(
      "In all, the run costs about " + UsdText(usd) + " at the prices of " + prices.region +
      " of " + prices.published +
      ", without retries; other Regions have other prices, and storage for so short a time "
      "is negligible");
  if (!options.spend_usd) {
    return ValidationError("calls of AWS cost money: --spend USD says how much the run may cost");
  }
  if (!unknown.empty()) return ValidationError(unknown);
  if (usd <= *options.spend_usd) return {};
  return ValidationError("the run would cost about " + UsdText(usd) + ", and --spend allows " +
                         UsdText(*options.spend_usd) +
                         ": allow more, or take a smaller --rate or --duration");
}

}  // namespace

Result<std::unique_ptr<ServiceClient>> OpenEndpointClient(const EndpointRunOptions& options,
                                                          std::size_t connections) {
  ServiceClient::Options client;
  client.endpoint = options.url;
  client.region = options.region;
  client.credentials = options.credentials;
  client.max_connections = connections;
  client.max_attempts = 1;
  client.answer_timeout = options.limits.answer;
  client.max_answer_bytes = kMostAnswerBytes;
  client.ca_file = options.ca_file;
  return ServiceClient::Open(client);
}

EndpointLab::EndpointLab(LabFile prefixed, std::string prefix, const EndpointRunOptions& options,
                         std::unique_ptr<ServiceClient> tables_client)
    : file_(std::move(prefixed)),
      prefix_(std::move(prefix)),
      options_(options),
      tables_client_(std::move(tables_client)) {}

Result<std::unique_ptr<EndpointLab>> EndpointLab::Open(const LabFile& file,
                                                       const EndpointRunOptions& options) {
  HR_RETURN_IF_ERROR(CheckLength(file, options.traffic));
  const std::string prefix = options.prefix.empty() ? UniquePrefix() : options.prefix;
  HR_ASSIGN(LabFile prefixed, PrefixedLab(file, prefix));
  HR_ASSIGN(auto client, OpenEndpointClient(options, kTablesConnections));
  std::unique_ptr<EndpointLab> lab(
      new EndpointLab(std::move(prefixed), prefix, options, std::move(client)));
  PrefixedTables tables(
      {.client = *lab->tables_client_, .limits = lab->options_.limits, .stop = options.stop});
  for (const LabLayout& layout : lab->file_.layouts) {
    if (!IsChosen(options, layout.name)) continue;
    HR_RETURN_IF_ERROR(CheckVectors(layout, options));
    for (const LabTable& table : layout.tables) {
      HR_RETURN_IF_ERROR(tables.CheckMissing(table.name));
    }
  }
  options.note("The tables at " + options.url.Text() + " are named " + prefix +
               "… and are removed at the end");
  return lab;
}

Result<EndpointResult> EndpointLab::Run(const LabResult& modelled) {
  EndpointResult result = {.url = options_.url.Text(),
                           .prefix = prefix_,
                           .rate = options_.traffic.rate,
                           .is_charged = options_.is_charged};
  std::vector<ChosenLayout> layouts = ChosenLayouts(file_, modelled);
  // A twin has all data of its layout, so there is only one at a time.
  if (options_.is_charged) {
    for (ChosenLayout& each : layouts) {
      EndpointLayout layout(file_, each.number, *each.modelled, options_);
      HR_ASSIGN(const bool is_ready, layout.PrepareTwin());
      if (!is_ready) return result;
      each.fill_write_units = layout.fill_write_units();
    }
    HR_RETURN_IF_ERROR(CheckCost(file_, options_, layouts));
  }
  SpendCount spend(options_.spend_usd);
  const auto count = static_cast<double>(layouts.size());
  for (std::size_t at = 0; at < layouts.size(); ++at) {
    if (options_.stop != nullptr && *options_.stop) break;
    EndpointLayout layout(file_, layouts[at].number, *layouts[at].modelled, options_);
    const auto is_ready = layout.PrepareTwin();
    if (!is_ready.ok()) {
      result.runs.push_back({.layout = layouts[at].modelled->layout,
                             .ended_early_because = is_ready.error().message});
      continue;
    }
    if (!*is_ready) break;
    result.runs.push_back(layout.Run(*tables_client_, spend, [&](double done) {
      if (options_.progress) options_.progress((static_cast<double>(at) + done) / count);
    }));
  }
  return result;
}

bool HasTrouble(const EndpointResult& result) {
  return std::ranges::any_of(result.runs, [](const EndpointLayoutRun& run) {
    return !run.ended_early_because.empty() || !run.left_behind.empty();
  });
}

}  // namespace hashrange
