// What happened over time: the units of each second, throttles, and where in the space of key
// hashes the load was.

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/stable_sort.h"
#include "measure/number_text.h"
#include "measure/report/measure_sections.h"
#include "measure/report/report_time.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostPlotColumns = 96;
constexpr std::size_t kMostTableRows = 24;

double SecondsOf(const TimeColumns& columns) {
  return static_cast<double>(columns.column_ms) / 1000;
}

std::string BeginText(const TimeColumns& columns, std::size_t at) {
  return UtcText(columns.begin_epoch_ms + columns.column_ms * static_cast<std::int64_t>(at));
}

// --- Units and throttles ---

// What one column of time adds up.
struct TrafficColumn {
  double read_units = 0;
  double write_units = 0;
  double peak_read = 0;
  double peak_write = 0;
  std::uint64_t calls = 0;
  std::uint64_t errors = 0;
};

std::vector<TrafficColumn> TrafficOf(const TimeMeasure& time, const TimeColumns& columns) {
  std::vector<TrafficColumn> traffic(columns.count);
  for (const TimeBucket& bucket : time.buckets) {
    TrafficColumn& column = traffic[columns.ColumnOf(bucket.begin_epoch_ms)];
    column.read_units += bucket.read_units;
    column.write_units += bucket.write_units;
    column.peak_read = std::max(column.peak_read, bucket.peak_second_read_units);
    column.peak_write = std::max(column.peak_write, bucket.peak_second_write_units);
    column.calls += bucket.calls;
    column.errors += bucket.errors;
  }
  return traffic;
}

ReportTable TrafficTable(const TimeMeasure& time) {
  const TimeColumns columns = TimeColumnsOf(time, kMostTableRows);
  ReportTable table{.columns = {{"From, UTC", ColumnKind::kText},
                                {"Calls"},
                                {"Errors"},
                                {"Read units a second"},
                                {"in the busiest second"},
                                {"Write units a second"},
                                {"in the busiest second"}}};
  const std::vector<TrafficColumn> traffic = TrafficOf(time, columns);
  const double seconds = SecondsOf(columns);
  for (std::size_t at = 0; at < traffic.size(); ++at) {
    const TrafficColumn& column = traffic[at];
    table.rows.push_back({BeginText(columns, at), CountText(column.calls), CountText(column.errors),
                          NumberText(column.read_units / seconds), NumberText(column.peak_read),
                          NumberText(column.write_units / seconds), NumberText(column.peak_write)});
  }
  return table;
}

void AddTraffic(const ReportView& view, ReportParts& parts) {
  const TimeMeasure& time = view.measurement().time;
  const TimeColumns columns = TimeColumnsOf(time, kMostPlotColumns);
  if (columns.count == 0) return;
  LinePlot plot{.series = {"read units a second", "write units a second"},
                .lines = {{}, {}},
                .ticks = columns.Ticks()};
  for (const TrafficColumn& column : TrafficOf(time, columns)) {
    plot.lines[0].push_back(column.read_units / SecondsOf(columns));
    plot.lines[1].push_back(column.write_units / SecondsOf(columns));
  }
  parts.push_back(ReportFigure{
      .caption = view.Caption("Units a second over time"),
      .note = "Each point is the average of " + LengthOfTimeText(columns.column_ms) +
              ". The table has the busiest seconds, too.",
      .title = "Units a second over time",
      .description = "Lines of the read units and the write units of each second, on average.",
      .plot = std::move(plot),
      .details = TrafficTable(time)});
}

// The reasons of all throttles, the most frequent first.
std::vector<std::string> ReasonsOf(const TimeMeasure& time) {
  std::vector<NamedCount> totals;
  for (const TimeBucket& bucket : time.buckets) AddToCounts(bucket.throttles, totals);
  StableSort(totals, std::greater<>{}, &NamedCount::count);
  std::vector<std::string> names;
  for (const NamedCount& total : totals) names.push_back(total.name);
  if (names.size() > kSeriesColours) {
    names.resize(kSeriesColours - 1);
    names.emplace_back("others");
  }
  return names;
}

std::vector<std::vector<double>> ThrottleColumns(const TimeMeasure& time,
                                                 const std::vector<std::string>& reasons,
                                                 const TimeColumns& columns) {
  std::vector<std::vector<double>> counts(columns.count, std::vector<double>(reasons.size(), 0));
  for (const TimeBucket& bucket : time.buckets) {
    std::vector<double>& column = counts[columns.ColumnOf(bucket.begin_epoch_ms)];
    for (const NamedCount& throttle : bucket.throttles) {
      const auto at = std::ranges::find(reasons, throttle.name);
      const std::size_t series =
          at == reasons.end() ? reasons.size() - 1 : static_cast<std::size_t>(at - reasons.begin());
      column[series] += static_cast<double>(throttle.count);
    }
  }
  return counts;
}

ReportTable ThrottleTable(const TimeMeasure& time, const std::vector<std::string>& reasons) {
  const TimeColumns columns = TimeColumnsOf(time, kMostTableRows);
  ReportTable table{.columns = {{"From, UTC", ColumnKind::kText}}};
  for (const std::string& reason : reasons) table.columns.push_back({reason});
  const auto counts = ThrottleColumns(time, reasons, columns);
  for (std::size_t at = 0; at < counts.size(); ++at) {
    std::vector<std::string> row = {BeginText(columns, at)};
    for (const double count : counts[at]) row.push_back(NumberText(count));
    table.rows.push_back(std::move(row));
  }
  return table;
}

ReportPart ThrottlePart(const ReportView& view) {
  const TimeMeasure& time = view.measurement().time;
  const std::vector<std::string> reasons = ReasonsOf(time);
  if (reasons.empty()) return ReportParagraph{view.Caption("No access was throttled.")};
  const TimeColumns columns = TimeColumnsOf(time, kMostPlotColumns);
  return ReportFigure{
      .caption = view.Caption("Throttled accesses by reason"),
      .note = "Each column is " + LengthOfTimeText(columns.column_ms) +
              (reasons.size() == 1 ? "; the only reason is " + reasons[0] + "." : "."),
      .description = "Stacked columns over time, one series for each reason.",
      .plot = ColumnPlot{.series = reasons,
                         .columns = ThrottleColumns(time, reasons, columns),
                         .ticks = columns.Ticks()},
      .details = ThrottleTable(time, reasons)};
}

void AddCallers(const ReportView& view, ReportParts& parts) {
  const std::vector<NamedCount> callers = CallersOf(view.measurement());
  if (callers.empty()) return;
  ReportTable table{.caption = view.Caption("Callers, by the app id of their SDK")};
  table.columns = {{"Caller", ColumnKind::kText}, {"Requests"}};
  for (const NamedCount& caller : callers) {
    table.rows.push_back({caller.name, CountText(caller.count)});
  }
  parts.push_back(std::move(table));
}

// --- Heat over keys ---

// A place that took at least twice the even share is worth a look.
constexpr double kManyTimesEven = 2;

struct HeatGrid {
  TimeColumns columns = {};
  std::vector<std::vector<double>> units_a_second = {};  // rows of columns
  double total = 0;
};

HeatGrid GridOf(const ResourceMeasure& resource, const TimeMeasure& time, bool is_write) {
  HeatGrid grid{.columns = TimeColumnsOf(time, kMostPlotColumns)};
  std::size_t rows = 0;
  for (const HeatSlice& slice : resource.heat_over_time) {
    rows = std::max({rows, slice.read_units.size(), slice.write_units.size()});
  }
  if (grid.columns.count == 0) return grid;
  grid.units_a_second.assign(rows, std::vector<double>(grid.columns.count, 0));
  for (const HeatSlice& slice : resource.heat_over_time) {
    const std::size_t column = grid.columns.ColumnOf(slice.begin_epoch_ms);
    const std::vector<double>& units = is_write ? slice.write_units : slice.read_units;
    for (std::size_t row = 0; row < units.size(); ++row) {
      grid.units_a_second[row][column] += units[row] / SecondsOf(grid.columns);
      grid.total += units[row];
    }
  }
  return grid;
}

// The ranges, with the share of each and its busiest time.
ReportTable GridTable(const HeatGrid& grid) {
  ReportTable table{.columns = {{"Range of key hashes", ColumnKind::kText},
                                {"Share of units"},
                                {"Most units a second"},
                                {"at, UTC", ColumnKind::kText}}};
  const std::string rows = std::to_string(grid.units_a_second.size());
  for (const std::vector<double>& row : grid.units_a_second) {
    double units = 0;
    for (const double each : row) units += each * SecondsOf(grid.columns);
    const auto most = std::ranges::max_element(row);
    table.rows.push_back(
        {std::to_string(table.rows.size() + 1) + " of " + rows,
         ShareText(grid.total > 0 ? units / grid.total : 0), NumberText(*most),
         *most > 0 ? BeginText(grid.columns, static_cast<std::size_t>(most - row.begin()))
                   : "never"});
  }
  return table;
}

ReportFigure HeatMap(const std::string& label, const HeatGrid& grid, bool is_write,
                     const std::string& caption) {
  const std::size_t rows = grid.units_a_second.size();
  HeatPlot plot{.columns = grid.columns.count,
                .ticks = grid.columns.Ticks(),
                .unit = is_write ? "write units a second" : "read units a second",
                .is_write = is_write};
  for (const std::vector<double>& row : grid.units_a_second) plot.rows.push_back({.values = row});
  plot.rows.front().label = "1";
  plot.rows.back().label = std::to_string(rows);
  return {.caption = caption,
          .note = "Up and down: ranges of key hashes of " + label +
                  ". A row that stands out all along is a hot key; a slope is a scan, or a load "
                  "in the order of keys; an even tone is what one wants.",
          .description = "A heat map: time runs to the right, each row is one of " +
                         std::to_string(rows) + " ranges of the hashes of partition keys.",
          .plot = std::move(plot),
          .details = GridTable(grid)};
}

constexpr std::size_t kRangesAPlace = 16;

ReportTable ProfileTable(const std::vector<double>& profile, double sum,
                         const std::string& caption) {
  constexpr std::size_t kMostRows = 20;
  std::vector<std::size_t> order(profile.size());
  for (std::size_t at = 0; at < order.size(); ++at) order[at] = at;
  StableSort(order, std::greater<>{}, [&](std::size_t at) { return profile[at]; });
  order.resize(std::min(order.size(), kMostRows));
  ReportTable table{
      .caption = caption + ", the hottest places",
      .columns = {
          {"Hash ranges", ColumnKind::kText}, {"Units"}, {"Share"}, {"Times the even share"}}};
  for (const std::size_t at : order) {
    if (profile[at] <= 0) break;
    table.rows.push_back(
        {CountText(at * kRangesAPlace) + " to " + CountText((at + 1) * kRangesAPlace - 1),
         NumberText(profile[at]), ShareText(profile[at] / sum),
         NumberText(profile[at] / sum * static_cast<double>(profile.size()))});
  }
  return table;
}

// Whether single keys took most of the units. The units of a scan are spread evenly, and say
// nothing about the keys.
bool IsOfKeys(const ResourceMeasure& resource, bool is_write) {
  return is_write || resource.read_keys.total_units >= resource.read_units / 2;
}

void AddProfile(const ResourceMeasure& resource, bool is_write, const std::string& caption,
                ReportParts& parts) {
  std::vector<double> profile(kHashRanges / kRangesAPlace, 0);
  double sum = 0;
  for (const HeatRange& heat : resource.heat) {
    if (heat.range >= kHashRanges) continue;
    const double units = is_write ? heat.write_units : heat.read_units;
    profile[heat.range / kRangesAPlace] += units;
    sum += units;
  }
  if (sum <= 0) return;
  const double most = *std::ranges::max_element(profile);
  const double times = most / sum * static_cast<double>(profile.size());
  const bool is_even = times < kManyTimesEven && IsOfKeys(resource, is_write);
  ProfilePlot plot{.values = profile, .is_write = is_write};
  for (const std::size_t range : {0, 1024, 2048, 3072, 4096}) {
    plot.ticks.push_back({static_cast<double>(range) / static_cast<double>(kHashRanges),
                          range == 0 ? "range 0" : CountText(range)});
  }
  parts.push_back(
      ReportFigure{.caption = caption,
                   .note = "The hottest place took " + ShareText(most / sum) + " of the units, " +
                           NumberText(times) + " times the even share" +
                           (is_even ? ": the keys spread the load well." : "."),
                   .description = "Units by the hash of the partition key, in 256 places.",
                   .plot = std::move(plot),
                   .details = ProfileTable(profile, sum, caption)});
}

void AddResourceHeat(const ReportView& view, const ResourceFigures& resource, ReportParts& parts) {
  for (const bool is_write : {true, false}) {
    const std::string what = resource.label + (is_write ? ", writes" : ", reads");
    const HeatGrid grid = GridOf(*resource.measure, view.measurement().time, is_write);
    if (grid.total > 0) {
      parts.push_back(HeatMap(resource.label, grid, is_write, view.Caption(what + " over time")));
    }
    AddProfile(*resource.measure, is_write, view.Caption(what + " over all 4,096 hash ranges"),
               parts);
  }
}

}  // namespace

ReportParts TrafficParts(ReportViews views) {
  ReportParts parts;
  for (const ReportView& view : views) {
    AddTraffic(view, parts);
    parts.push_back(ThrottlePart(view));
    AddCallers(view, parts);
  }
  return parts;
}

ReportParts TerminalCallers(const ReportView& view) {
  constexpr std::size_t kMostCallers = 5;
  const std::vector<NamedCount> callers = CallersOf(view.measurement());
  if (callers.empty()) return {};
  std::string text;
  for (std::size_t at = 0; at < std::min(callers.size(), kMostCallers); ++at) {
    text += (at == 0 ? "" : ", ") + callers[at].name + " " + CountText(callers[at].count);
  }
  if (callers.size() > kMostCallers) {
    text += " and " + CountText(callers.size() - kMostCallers) + " more";
  }
  return {ReportParagraph{text}};
}

ReportParts HeatParts(ReportViews views) {
  // A page with a map of each of hundreds of tables would be read by nobody.
  constexpr std::size_t kMostResources = 8;
  ReportParts parts;
  for (const ReportView& view : views) {
    std::vector<const ResourceFigures*> used;
    for (const ResourceFigures& resource : view.resources) {
      if (resource.measure != nullptr) used.push_back(&resource);
    }
    StableSort(used, std::greater<>{}, [](const ResourceFigures* resource) {
      return resource->read_units + resource->write_units;
    });
    for (std::size_t at = 0; at < std::min(used.size(), kMostResources); ++at) {
      AddResourceHeat(view, *used[at], parts);
    }
    if (used.size() <= kMostResources) continue;
    parts.push_back(ReportParagraph{CountText(used.size() - kMostResources) +
                                    " tables and indexes with fewer units are left out here."});
  }
  return parts;
}

}  // namespace hashrange
