#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "measure/number_text.h"
#include "measure/report/html_figure.h"
#include "measure/report/html_sections.h"
#include "measure/report/partition_figures.h"
#include "measure/report/readable_text.h"
#include "measure/report/report_time.h"
#include "measure/report/svg_plot.h"
#include "measure/rules/partition_text.h"

namespace hashrange {
namespace {

// A page with a plot of each of hundreds of indexes would be read by nobody.
constexpr std::size_t kMostMaps = 8;
constexpr std::size_t kMostReasons = 16;
constexpr std::size_t kMostLabelCharacters = 6;

double PlaceOf(const TimeColumns& columns, std::int64_t epoch_ms) {
  const double span = static_cast<double>(columns.column_ms) * static_cast<double>(columns.count);
  return std::clamp(static_cast<double>(epoch_ms - columns.begin_epoch_ms) / span, 0.0, 1.0);
}

using RowsByNumber = std::map<std::int64_t, std::size_t>;

PlotPartition RowOf(const PartitionFigures& figures, const PartitionMeasure& partition,
                    const RowsByNumber& rows) {
  const TimeColumns& columns = figures.columns;
  PlotPartition row{.label = ClippedText(std::to_string(partition.number), kMostLabelCharacters)};
  row.begin = PlaceOf(columns, partition.began_epoch_ms);
  if (partition.ended_epoch_ms > 0) {
    row.end = std::max(row.begin, PlaceOf(columns, partition.ended_epoch_ms));
  }
  row.heat.assign(columns.count, 0);
  row.throttled.assign(columns.count, false);
  const auto parent = rows.find(partition.parent);
  if (parent != rows.end()) row.parent = parent->second;
  return row;
}

// A column shows its hottest slice.
PartitionPlot PlotOf(const PartitionFigures& figures, const std::vector<PartitionFigure>& shown) {
  PartitionPlot plot{.columns = figures.columns.count, .ticks = figures.columns.Ticks()};
  plot.throttled_text = ThrottledWord(*figures.map);
  RowsByNumber rows;
  for (const PartitionFigure& each : shown) rows.emplace(each.partition->number, rows.size());
  for (const PartitionFigure& each : shown) {
    plot.partitions.push_back(RowOf(figures, *each.partition, rows));
  }
  for (const PartitionSlice& slice : figures.map->slices) {
    const std::size_t column = figures.columns.ColumnOf(slice.begin_epoch_ms);
    for (const PartitionHeat& heat : slice.partitions) {
      const auto row = rows.find(heat.number);
      if (row == rows.end()) continue;
      PlotPartition& partition = plot.partitions[row->second];
      double& hottest = partition.heat[column];
      hottest = std::max(hottest, HeatInSlice(*figures.map, heat));
      if (heat.throttled_reads + heat.throttled_writes > 0) partition.throttled[column] = true;
    }
  }
  return plot;
}

std::string CapitalizedThrottled(const PartitionMap& map) {
  std::string word = ThrottledWord(map);
  word[0] = word[0] == 't' ? 'T' : 'W';
  return word;
}

FigureTable PartitionsTable(const PartitionFigures& figures,
                            const std::vector<PartitionFigure>& shown, const std::string& caption) {
  FigureTable table{.caption = caption};
  table.columns = {{"Number", ColumnKind::kText},
                   {"Range of key hashes", ColumnKind::kCode},
                   {"Made for", ColumnKind::kText},
                   {"Until, UTC", ColumnKind::kText},
                   {"Read units", ColumnKind::kNumber},
                   {"Write units", ColumnKind::kNumber},
                   {CapitalizedThrottled(*figures.map), ColumnKind::kNumber},
                   {"Hottest " + LengthOfTimeText(figures.map->slice_ms), ColumnKind::kNumber},
                   {"At the end", ColumnKind::kNumber},
                   {"Why it was not cut", ColumnKind::kText}};
  for (const PartitionFigure& each : shown) {
    const PartitionMeasure& partition = *each.partition;
    const bool is_present = partition.ended_epoch_ms == 0;
    table.rows.push_back(
        {std::to_string(partition.number), PartitionRangeText(partition), CauseText(partition),
         is_present ? "there still" : UtcText(partition.ended_epoch_ms),
         NumberText(partition.read_units), NumberText(partition.write_units),
         NumberText(ThrottledBy(partition)), ShareText(each.peak_heat),
         is_present ? ShareText(PresentHeat(partition)) : "", UncutText(partition)});
  }
  return table;
}

void WriteReasons(const PartitionFigures& figures, const std::string& caption, HtmlWriter& html) {
  const std::vector<ThrottleCount>& throttles = figures.map->throttles;
  if (throttles.empty()) return;
  FigureTable table{.caption = caption + ": why accesses " +
                               (figures.map->mode == "watch" ? "" : "were ") +
                               ThrottledWord(*figures.map)};
  table.columns = {{"Reason", ColumnKind::kCode}, {"Accesses", ColumnKind::kNumber}};
  for (std::size_t at = 0; at < std::min(throttles.size(), kMostReasons); ++at) {
    table.rows.push_back(
        {throttles[at].reason, CountText(static_cast<std::uint64_t>(throttles[at].count))});
  }
  WriteTable(table, html);
}

std::string LimitsText(const PartitionMap& map) {
  return "All together serve " + NumberText(map.read_limit) + " read and " +
         NumberText(map.write_limit) + " write units a second, each partition " +
         NumberText(map.partition_read_units) + " and " + NumberText(map.partition_write_units) +
         ".";
}

std::string NoteOf(const PartitionFigures& figures, std::size_t shown) {
  std::string note =
      CountedText(static_cast<double>(figures.present), "partition is", "partitions are") +
      " there at the end; " +
      CountedText(static_cast<double>(figures.splits.size()), "split was seen",
                  "splits were seen") +
      ". " + LimitsText(*figures.map) +
      " Up and down: partitions in the order of keys; where one was cut, lines lead from the end "
      "of its row to its parts. The colour is the demand, refused accesses included, as a share of "
      "what a partition serves, of reads or of writes, whichever is more; a bar below the colour: "
      "accesses " +
      (figures.map->mode == "watch" ? "" : "were ") + ThrottledWord(*figures.map) +
      ". In the table, the hottest slice and the moving average at the end are such shares.";
  const std::size_t left_out = figures.partitions.size() - shown;
  if (left_out > 0) {
    note += " The hottest are shown; " +
            CountedText(static_cast<double>(left_out), "other is", "others are") + " left out.";
  }
  return note;
}

void WriteMap(const PartitionFigures& figures, const std::string& caption, HtmlWriter& html) {
  const std::vector<PartitionFigure> shown = HottestOf(figures.partitions, kMostPartitionRows);
  OpenFigure({.caption = caption, .method = "modelled", .note = NoteOf(figures, shown.size())},
             html);
  if (!shown.empty() && figures.columns.count > 0) {
    PartitionPlot plot = PlotOf(figures, shown);
    plot.text = {caption, "Time runs to the right; each row is a partition."};
    WritePartitionPlot(plot, html);
  }
  WriteTable(PartitionsTable(figures, shown, caption), html);
  WriteReasons(figures, caption, html);
  CloseFigure(html);
}

}  // namespace

bool HasPartitions(std::span<const ReportView> views) {
  return std::ranges::any_of(
      views, [](const ReportView& view) { return !view.measurement().partitions.empty(); });
}

void WritePartitions(std::span<const ReportView> views, HtmlWriter& html) {
  for (const ReportView& view : views) {
    const std::vector<PartitionFigures> maps = PartitionFiguresOf(view.measurement());
    for (std::size_t at = 0; at < std::min(maps.size(), kMostMaps); ++at) {
      WriteMap(maps[at], CaptionOf(views, view, maps[at].label + ": partitions over time"), html);
    }
    if (maps.size() > kMostMaps) {
      html.Element("p", CountText(maps.size() - kMostMaps) +
                            " further tables and indexes are left out here.");
    }
  }
}

}  // namespace hashrange
