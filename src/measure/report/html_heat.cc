#include <algorithm>
#include <string>
#include <vector>

#include "measure/number_text.h"
#include "measure/report/html_figure.h"
#include "measure/report/html_sections.h"
#include "measure/report/report_time.h"
#include "measure/report/svg_plot.h"
#include "measure/report/time_columns.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostColumns = 96;
constexpr std::size_t kRangesAColumn = 16;
// A page with a map of each of hundreds of tables would be read by nobody.
constexpr std::size_t kMostResources = 8;
// A place that took at least twice the even share is worth a look.
constexpr double kManyTimesEven = 2;

const std::vector<double>& UnitsOf(const HeatSlice& slice, bool is_write) {
  return is_write ? slice.write_units : slice.read_units;
}

// The number of rows that the slices of a resource have.
std::size_t RowsOf(const ResourceMeasure& resource) {
  std::size_t rows = 0;
  for (const HeatSlice& slice : resource.heat_over_time) {
    rows = std::max({rows, slice.read_units.size(), slice.write_units.size()});
  }
  return rows;
}

struct HeatGrid {
  TimeColumns columns = {};
  std::size_t rows = 0;
  std::vector<double> units_a_second = {};  // row by row
  double total = 0;
};

HeatGrid GridOf(const ResourceMeasure& resource, const TimeMeasure& time, bool is_write) {
  HeatGrid grid{.columns = TimeColumnsOf(time, kMostColumns), .rows = RowsOf(resource)};
  grid.units_a_second.assign(grid.rows * grid.columns.count, 0);
  if (grid.units_a_second.empty()) return grid;
  const double seconds = static_cast<double>(grid.columns.column_ms) / 1000;
  for (const HeatSlice& slice : resource.heat_over_time) {
    const std::size_t column = grid.columns.ColumnOf(slice.begin_epoch_ms);
    const std::vector<double>& units = UnitsOf(slice, is_write);
    for (std::size_t row = 0; row < units.size(); ++row) {
      grid.units_a_second[row * grid.columns.count + column] += units[row] / seconds;
      grid.total += units[row];
    }
  }
  return grid;
}

// The ranges, with the share of each and its busiest time.
FigureTable GridTable(const HeatGrid& grid, const std::string& caption) {
  FigureTable table{.caption = caption};
  table.columns = {{"Range of key hashes", ColumnKind::kText},
                   {"Share of units", ColumnKind::kNumber},
                   {"Most units a second", ColumnKind::kNumber},
                   {"at, UTC", ColumnKind::kText}};
  const double seconds = static_cast<double>(grid.columns.column_ms) / 1000;
  for (std::size_t row = 0; row < grid.rows; ++row) {
    const double* const begin = grid.units_a_second.data() + row * grid.columns.count;
    const double* const end = begin + grid.columns.count;
    double units = 0;
    for (const double* at = begin; at < end; ++at) units += *at * seconds;
    const double* const most = std::max_element(begin, end);
    const std::int64_t when = grid.columns.begin_epoch_ms + grid.columns.column_ms * (most - begin);
    table.rows.push_back({std::to_string(row + 1) + " of " + std::to_string(grid.rows),
                          ShareText(grid.total > 0 ? units / grid.total : 0), NumberText(*most),
                          *most > 0 ? UtcText(when) : "never"});
  }
  return table;
}

void WriteHeatMap(const ResourceFigures& resource, const HeatGrid& grid, bool is_write,
                  const std::string& caption, HtmlWriter& html) {
  HeatPlot plot{
      .text = {caption, "A heat map: time runs to the right, each row is one of " +
                            std::to_string(grid.rows) + " ranges of the hashes of partition keys."},
      .columns = grid.columns.count,
      .rows = grid.rows,
      .values = grid.units_a_second,
      .column_ticks = grid.columns.Ticks(),
      .unit = is_write ? "write units a second" : "read units a second",
      .is_write = is_write};
  plot.row_ticks = {{0.5 / static_cast<double>(grid.rows), "1"},
                    {1 - 0.5 / static_cast<double>(grid.rows), std::to_string(grid.rows)}};
  OpenFigure(
      {.caption = caption,
       .note = "Up and down: ranges of key hashes of " + resource.label +
               ". A row that stands out all along is a hot key; a slope is a scan, or a load "
               "in the order of keys; an even tone is what one wants."},
      html);
  WriteHeatPlot(plot, html);
  WriteDetails(GridTable(grid, caption), html);
  CloseFigure(html);
}

FigureTable ProfileTable(const std::vector<double>& profile, const std::string& caption) {
  double sum = 0;
  for (const double value : profile) sum += value;
  std::vector<std::size_t> order(profile.size());
  for (std::size_t at = 0; at < order.size(); ++at) order[at] = at;
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return profile[a] > profile[b]; });
  constexpr std::size_t kMostRows = 20;
  order.resize(std::min(order.size(), kMostRows));
  FigureTable table{.caption = caption + ", the hottest places"};
  table.columns = {{"Hash ranges", ColumnKind::kText},
                   {"Units", ColumnKind::kNumber},
                   {"Share", ColumnKind::kNumber},
                   {"Times the even share", ColumnKind::kNumber}};
  for (const std::size_t at : order) {
    if (profile[at] <= 0) break;
    table.rows.push_back(
        {CountText(at * kRangesAColumn) + " to " + CountText((at + 1) * kRangesAColumn - 1),
         NumberText(profile[at]), ShareText(profile[at] / sum),
         NumberText(profile[at] / sum * static_cast<double>(profile.size()))});
  }
  return table;
}

// Whether most of the units are those of single keys. The units of a scan are spread evenly, and
// say nothing about the keys.
bool IsOfKeys(const ResourceMeasure& resource, bool is_write) {
  return is_write || resource.read_keys.total_units >= resource.read_units / 2;
}

void WriteProfile(const ResourceMeasure& resource, bool is_write, const std::string& caption,
                  HtmlWriter& html) {
  std::vector<double> profile(kHashRanges / kRangesAColumn, 0);
  double sum = 0;
  for (const HeatRange& heat : resource.heat) {
    if (heat.range >= kHashRanges) continue;
    const double units = is_write ? heat.write_units : heat.read_units;
    profile[heat.range / kRangesAColumn] += units;
    sum += units;
  }
  if (sum <= 0) return;
  const double most = *std::ranges::max_element(profile);
  const double times = most / sum * static_cast<double>(profile.size());
  ProfilePlot plot{.text = {caption, "Units by the hash of the partition key, in 256 places."},
                   .values = profile,
                   .is_write = is_write};
  for (const std::size_t range : {0, 1024, 2048, 3072, 4096}) {
    plot.ticks.push_back({static_cast<double>(range) / static_cast<double>(kHashRanges),
                          range == 0 ? "range 0" : CountText(range)});
  }
  OpenFigure({.caption = caption,
              .note = "The hottest place took " + ShareText(most / sum) + " of the units, " +
                      NumberText(times) + " times the even share" +
                      (times < kManyTimesEven && IsOfKeys(resource, is_write)
                           ? ": the keys spread the load well."
                           : ".")},
             html);
  WriteProfilePlot(plot, html);
  WriteDetails(ProfileTable(profile, caption), html);
  CloseFigure(html);
}

void WriteResourceHeat(std::span<const ReportView> views, const ReportView& view,
                       const ResourceFigures& resource, HtmlWriter& html) {
  for (const bool is_write : {true, false}) {
    const std::string what = resource.label + (is_write ? ", writes" : ", reads");
    const HeatGrid grid = GridOf(*resource.measure, view.measurement().time, is_write);
    if (grid.total > 0) {
      WriteHeatMap(resource, grid, is_write, CaptionOf(views, view, what + " over time"), html);
    }
    WriteProfile(*resource.measure, is_write,
                 CaptionOf(views, view, what + " over all 4,096 hash ranges"), html);
  }
}

}  // namespace

void WriteHeat(std::span<const ReportView> views, HtmlWriter& html) {
  for (const ReportView& view : views) {
    std::vector<const ResourceFigures*> used;
    for (const ResourceFigures& resource : view.resources) {
      if (resource.measure != nullptr) used.push_back(&resource);
    }
    std::ranges::stable_sort(used, [](const ResourceFigures* a, const ResourceFigures* b) {
      return a->read_units + a->write_units > b->read_units + b->write_units;
    });
    for (std::size_t at = 0; at < std::min(used.size(), kMostResources); ++at) {
      WriteResourceHeat(views, view, *used[at], html);
    }
    if (used.size() > kMostResources) {
      html.Element("p", CountText(used.size() - kMostResources) +
                            " tables and indexes with fewer units are left out here.");
    }
  }
}

}  // namespace hashrange
