#include <algorithm>
#include <functional>
#include <string>
#include <utility>
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
constexpr std::size_t kMostTableRows = 24;

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

std::string ColumnBegin(const TimeColumns& columns, std::size_t at) {
  return UtcText(columns.begin_epoch_ms + columns.column_ms * static_cast<std::int64_t>(at));
}

FigureTable TrafficTable(const TimeMeasure& time, const std::string& caption) {
  const TimeColumns columns = TimeColumnsOf(time, kMostTableRows);
  FigureTable table{.caption = caption};
  table.columns = {{"From, UTC", ColumnKind::kText},
                   {"Calls", ColumnKind::kNumber},
                   {"Errors", ColumnKind::kNumber},
                   {"Read units a second", ColumnKind::kNumber},
                   {"in the busiest second", ColumnKind::kNumber},
                   {"Write units a second", ColumnKind::kNumber},
                   {"in the busiest second", ColumnKind::kNumber}};
  const std::vector<TrafficColumn> traffic = TrafficOf(time, columns);
  const double seconds = static_cast<double>(columns.column_ms) / 1000;
  for (std::size_t at = 0; at < traffic.size(); ++at) {
    const TrafficColumn& column = traffic[at];
    table.rows.push_back({ColumnBegin(columns, at), CountText(column.calls),
                          CountText(column.errors), NumberText(column.read_units / seconds),
                          NumberText(column.peak_read), NumberText(column.write_units / seconds),
                          NumberText(column.peak_write)});
  }
  return table;
}

void WriteTrafficFigure(std::span<const ReportView> views, const ReportView& view,
                        HtmlWriter& html) {
  const TimeMeasure& time = view.measurement().time;
  const TimeColumns columns = TimeColumnsOf(time, kMostColumns);
  if (columns.count == 0) return;
  LinePlot plot{.text = {"Units a second over time",
                         "Lines of the read units and the write units of each second, on average."},
                .series = {"read units a second", "write units a second"},
                .lines = {{}, {}},
                .ticks = columns.Ticks()};
  const double seconds = static_cast<double>(columns.column_ms) / 1000;
  for (const TrafficColumn& column : TrafficOf(time, columns)) {
    plot.lines[0].push_back(column.read_units / seconds);
    plot.lines[1].push_back(column.write_units / seconds);
  }
  const std::string caption = CaptionOf(views, view, "Units a second over time");
  OpenFigure({.caption = caption,
              .note = "Each point is the average of " + LengthOfTimeText(columns.column_ms) +
                      ". The table has the busiest seconds, too."},
             html);
  WriteLinePlot(plot, html);
  WriteDetails(TrafficTable(time, caption), html);
  CloseFigure(html);
}

// The reasons of all throttles, the most frequent first.
std::vector<std::string> ReasonsOf(const TimeMeasure& time) {
  std::vector<NamedCount> totals;
  for (const TimeBucket& bucket : time.buckets) {
    for (const NamedCount& throttle : bucket.throttles) {
      const auto at = std::ranges::find(totals, throttle.name, &NamedCount::name);
      if (at == totals.end()) {
        totals.push_back(throttle);
      } else {
        at->count += throttle.count;
      }
    }
  }
  std::ranges::stable_sort(totals, std::greater<>{}, &NamedCount::count);
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

FigureTable ThrottleTable(const TimeMeasure& time, const std::vector<std::string>& reasons,
                          const std::string& caption) {
  const TimeColumns columns = TimeColumnsOf(time, kMostTableRows);
  FigureTable table{.caption = caption};
  table.columns.push_back({"From, UTC", ColumnKind::kText});
  for (const std::string& reason : reasons) table.columns.push_back({reason, ColumnKind::kNumber});
  const auto counts = ThrottleColumns(time, reasons, columns);
  for (std::size_t at = 0; at < counts.size(); ++at) {
    std::vector<std::string> row = {ColumnBegin(columns, at)};
    for (const double count : counts[at]) row.push_back(NumberText(count));
    table.rows.push_back(std::move(row));
  }
  return table;
}

void WriteThrottles(std::span<const ReportView> views, const ReportView& view, HtmlWriter& html) {
  const TimeMeasure& time = view.measurement().time;
  const std::vector<std::string> reasons = ReasonsOf(time);
  const std::string caption = CaptionOf(views, view, "Throttled accesses by reason");
  if (reasons.empty()) {
    html.Element("p", CaptionOf(views, view, "No access was throttled."));
    return;
  }
  const TimeColumns columns = TimeColumnsOf(time, kMostColumns);
  const ColumnPlot plot{.text = {caption, "Stacked columns over time, one series for each reason."},
                        .series = reasons,
                        .columns = ThrottleColumns(time, reasons, columns),
                        .ticks = columns.Ticks()};
  OpenFigure({.caption = caption,
              .note = "Each column is " + LengthOfTimeText(columns.column_ms) +
                      (reasons.size() == 1 ? "; the only reason is " + reasons[0] + "." : ".")},
             html);
  WriteColumnPlot(plot, html);
  WriteDetails(ThrottleTable(time, reasons, caption), html);
  CloseFigure(html);
}

void WriteCallers(std::span<const ReportView> views, const ReportView& view, HtmlWriter& html) {
  const std::vector<NamedCount> callers = CallersOf(view.measurement());
  if (callers.empty()) return;
  FigureTable table{.caption = CaptionOf(views, view, "Callers, by the app id of their SDK")};
  table.columns = {{"Caller", ColumnKind::kText}, {"Requests", ColumnKind::kNumber}};
  for (const NamedCount& caller : callers) {
    table.rows.push_back({caller.name, CountText(caller.count)});
  }
  WriteTable(table, html);
}

}  // namespace

void WriteTraffic(std::span<const ReportView> views, HtmlWriter& html) {
  for (const ReportView& view : views) {
    WriteTrafficFigure(views, view, html);
    WriteThrottles(views, view, html);
    WriteCallers(views, view, html);
  }
}

}  // namespace hashrange
