#include "lab/endpoint/endpoint_lab.h"

#include <algorithm>
#include <utility>

#include "lab/endpoint/endpoint_layout.h"
#include "lab/endpoint/prefixed_lab.h"
#include "lab/endpoint/prefixed_tables.h"
#include "lab/run/traffic_factor.h"
#include "measure/cost/price_list.h"
#include "measure/number_text.h"

namespace hashrange {
namespace {

constexpr std::size_t kTablesConnections = 2;
constexpr double kMsPerSecond = 1000;

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
