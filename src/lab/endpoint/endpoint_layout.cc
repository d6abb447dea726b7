#include "lab/endpoint/endpoint_layout.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/stopwatch.h"
#include "lab/endpoint/endpoint_fill.h"
#include "lab/endpoint/endpoint_loop.h"
#include "lab/endpoint/endpoint_twin.h"
#include "lab/run/layout_run.h"
#include "lab/run/table_fill.h"

namespace hashrange {
namespace {

constexpr double kFilled = 0.3;  // how the progress of a run is divided
constexpr double kUsPerSecond = 1e6;
// A BatchGetItem returns 16 MB of items, whose JSON is longer.
constexpr std::size_t kMostAnswerBytes = 32 << 20;
constexpr const char* kInterruptedText = "The run was interrupted";

double SecondsSince(const Stopwatch& watch) {
  return std::chrono::duration<double>(watch.elapsed()).count();
}

const LabLayout& LayoutAt(const LabFile& file, int layout) {
  return file.layouts[static_cast<std::size_t>(layout)];
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

EndpointLayout::EndpointLayout(const LabFile& file, int layout, const LayoutRun& modelled,
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

std::vector<std::string> EndpointLayout::TableNames() const {
  std::vector<std::string> names;
  for (const LabTable& table : layout().tables) names.push_back(table.name);
  return names;
}

Result<bool> EndpointLayout::PrepareTwin() {
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

EndpointLayoutRun EndpointLayout::Run(ServiceClient& tables_client, SpendCount& spend,
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

Status EndpointLayout::RunTables(PrefixedTables& tables, SpendCount& spend,
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

void EndpointLayout::RunTraffic(ServiceClient& client, SpendCount& spend,
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

}  // namespace hashrange
