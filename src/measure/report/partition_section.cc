#include "measure/report/partition_section.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "base/stable_sort.h"
#include "measure/number_text.h"
#include "measure/report/readable_text.h"
#include "measure/rules/partition_text.h"

namespace hashrange {
namespace {

// --- Figures ---

constexpr std::size_t kMostColumns = 96;
constexpr double kMillisecondsPerSecond = 1000;

using Partitions = std::vector<const PartitionMeasure*>;
using PartsOf = std::map<std::int64_t, Partitions>;  // by the number of the parent

// Returns the parts of each partition, in the order of keys, and under 0 those without a parent.
// Where a collection is cut, both parts begin with one hash; the part that begins where the parent
// does is the first. A parent that ended before the map was made is not in it.
PartsOf FindParts(const PartitionMap& map) {
  PartsOf parts;
  std::map<std::int64_t, const PartitionMeasure*> by_number;
  for (const PartitionMeasure& partition : map.partitions) {
    by_number.emplace(partition.number, &partition);
    const bool has_parent = by_number.contains(partition.parent);
    parts[has_parent ? partition.parent : 0].push_back(&partition);
  }
  for (auto& [number, list] : parts) {
    const auto parent = by_number.find(number);
    const std::string first_key = parent == by_number.end() ? "" : parent->second->first_key;
    StableSort(list, [&](const PartitionMeasure* a, const PartitionMeasure* b) {
      const auto place = [&](const PartitionMeasure* part) {
        return std::tuple<const std::string&, bool, const std::string&>(
            part->first_hash, part->first_key != first_key, part->first_key);
      };
      return place(a) < place(b);
    });
  }
  return parts;
}

// Returns all partitions in the order of keys. A partition stands behind the first of its parts.
// The stack is a list, as the partitions of a file may be parts of one another without end.
Partitions InOrderOfKeys(const PartsOf& parts) {
  struct Place {
    const PartitionMeasure* partition;
    bool is_ready;  // what comes before it stands already
  };
  std::vector<Place> open;
  const auto push = [&](Partitions::const_iterator begin, Partitions::const_iterator end) {
    while (end != begin) open.push_back({*--end, false});
  };
  const auto of_nobody = parts.find(0);
  if (of_nobody != parts.end()) push(of_nobody->second.begin(), of_nobody->second.end());
  Partitions ordered;
  while (!open.empty()) {
    const Place place = open.back();
    open.pop_back();
    const auto own = parts.find(place.partition->number);
    if (place.is_ready || own == parts.end()) {
      ordered.push_back(place.partition);
      continue;
    }
    push(own->second.begin() + 1, own->second.end());
    open.push_back({place.partition, true});
    open.push_back({own->second.front(), false});
  }
  return ordered;
}

std::vector<PartitionSplit> SplitsOf(const PartitionMap& map, const PartsOf& parts) {
  std::vector<PartitionSplit> splits;
  for (const PartitionMeasure& partition : map.partitions) {
    const auto own = parts.find(partition.number);
    if (own != parts.end()) splits.push_back({&partition, own->second});
  }
  StableSort(splits, {},
             [](const PartitionSplit& split) { return split.parts.front()->began_epoch_ms; });
  return splits;
}

// Returns columns for all slices and splits.
TimeColumns ColumnsOf(const PartitionMap& map, const std::vector<PartitionSplit>& splits) {
  if (map.slices.empty() || map.slice_ms <= 0) return {};
  std::int64_t begin = map.slices.front().begin_epoch_ms;
  std::int64_t end = map.slices.back().begin_epoch_ms + map.slice_ms;
  for (const PartitionSplit& split : splits) {
    begin = std::min(begin, split.parts.front()->began_epoch_ms);
    end = std::max(end, split.parts.front()->began_epoch_ms);
  }
  TimeColumns columns{.begin_epoch_ms = begin};
  const std::int64_t slices = (end - begin + map.slice_ms - 1) / map.slice_ms;
  const auto most = static_cast<std::int64_t>(kMostColumns);
  const std::int64_t a_column = (slices + most - 1) / most;
  columns.column_ms = a_column * map.slice_ms;
  columns.count = static_cast<std::size_t>((slices + a_column - 1) / a_column);
  return columns;
}

std::map<std::int64_t, double> PeakHeats(const PartitionMap& map) {
  std::map<std::int64_t, double> peaks;
  for (const PartitionSlice& slice : map.slices) {
    for (const PartitionHeat& heat : slice.partitions) {
      double& peak = peaks[heat.number];
      peak = std::max(peak, HeatInSlice(map, heat));
    }
  }
  return peaks;
}

PartitionFigures FiguresOf(const PartitionMap& map) {
  PartitionFigures figures{.map = &map, .label = ResourceLabel(map.table, map.index)};
  const PartsOf parts = FindParts(map);
  const auto peaks = PeakHeats(map);
  for (const PartitionMeasure* const partition : InOrderOfKeys(parts)) {
    const auto peak = peaks.find(partition->number);
    figures.partitions.push_back({partition, peak == peaks.end() ? 0 : peak->second});
    if (partition->ended_epoch_ms == 0) ++figures.present;
    figures.throttled += ThrottledBy(*partition);
  }
  figures.splits = SplitsOf(map, parts);
  figures.columns = ColumnsOf(map, figures.splits);
  return figures;
}

// --- The page ---

double PlaceOf(const TimeColumns& columns, std::int64_t epoch_ms) {
  const double span = static_cast<double>(columns.column_ms) * static_cast<double>(columns.count);
  return std::clamp(static_cast<double>(epoch_ms - columns.begin_epoch_ms) / span, 0.0, 1.0);
}

// How hot a partition is, as a share of what it serves, by the strength of the colour.
std::vector<HeatLevel> PartitionLevels() {
  return {{0.1, "≤ 10 % of what it serves"},
          {0.25, "≤ 25 %"},
          {0.5, "≤ 50 %"},
          {0.7, "≤ 70 %"},
          {0.8, "≤ 80 %"},
          {0.9, "≤ 90 %"},
          {1, "≤ 100 %"},
          {std::numeric_limits<double>::infinity(), "above"}};
}

using RowsByNumber = std::map<std::int64_t, std::size_t>;

HeatRow RowOf(const TimeColumns& columns, const PartitionMeasure& partition,
              const RowsByNumber& rows) {
  constexpr std::size_t kMostNumberCharacters = 6;
  HeatRow row{.label = ClippedText(std::to_string(partition.number), kMostNumberCharacters)};
  row.begin = PlaceOf(columns, partition.began_epoch_ms);
  if (partition.ended_epoch_ms > 0) {
    row.end = std::max(row.begin, PlaceOf(columns, partition.ended_epoch_ms));
  }
  row.values.assign(columns.count, 0);
  row.marked.assign(columns.count, false);
  const auto parent = rows.find(partition.parent);
  if (parent != rows.end()) row.parent = parent->second;
  return row;
}

// A column shows its hottest slice; a mark, that accesses were throttled in it.
HeatPlot PlotOf(const PartitionFigures& figures, const std::vector<PartitionFigure>& shown) {
  HeatPlot plot{.columns = figures.columns.count,
                .ticks = figures.columns.Ticks(),
                .levels = PartitionLevels(),
                .is_write = true,
                .has_bars = true,
                .mark_text = ThrottledWord(*figures.map)};
  RowsByNumber rows;
  for (const PartitionFigure& each : shown) rows.emplace(each.partition->number, rows.size());
  for (const PartitionFigure& each : shown) {
    plot.rows.push_back(RowOf(figures.columns, *each.partition, rows));
  }
  for (const PartitionSlice& slice : figures.map->slices) {
    const std::size_t column = figures.columns.ColumnOf(slice.begin_epoch_ms);
    for (const PartitionHeat& heat : slice.partitions) {
      const auto found = rows.find(heat.number);
      if (found == rows.end()) continue;
      HeatRow& row = plot.rows[found->second];
      row.values[column] = std::max(row.values[column], HeatInSlice(*figures.map, heat));
      if (heat.throttled_reads + heat.throttled_writes > 0) row.marked[column] = true;
    }
  }
  return plot;
}

// Returns the word for a sentence that says what happened to accesses.
std::string WereThrottled(const PartitionMap& map) {
  return (map.mode == "watch" ? "" : "were ") + ThrottledWord(map);
}

ReportTable PartitionsTable(const PartitionFigures& figures,
                            const std::vector<PartitionFigure>& shown, const std::string& caption) {
  std::string throttled = ThrottledWord(*figures.map);
  throttled[0] = throttled[0] == 't' ? 'T' : 'W';
  ReportTable table{.caption = caption,
                    .columns = {{"Number", ColumnKind::kText},
                                {"Range of key hashes", ColumnKind::kCode},
                                {"Made for", ColumnKind::kText},
                                {"Until, UTC", ColumnKind::kText},
                                {"Read units"},
                                {"Write units"},
                                {throttled},
                                {"Hottest " + LengthOfTimeText(figures.map->slice_ms)},
                                {"At the end"},
                                {"Why it was not cut", ColumnKind::kText}}};
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

ReportTable ReasonsTable(const PartitionMap& map, const std::string& caption) {
  constexpr std::size_t kMostReasons = 16;
  ReportTable table{.caption = caption + ": why accesses " + WereThrottled(map),
                    .columns = {{"Reason", ColumnKind::kCode}, {"Accesses"}}};
  for (std::size_t at = 0; at < std::min(map.throttles.size(), kMostReasons); ++at) {
    table.rows.push_back(
        {map.throttles[at].reason, CountText(static_cast<std::uint64_t>(map.throttles[at].count))});
  }
  return table;
}

std::string NoteOf(const PartitionFigures& figures, std::size_t shown) {
  const PartitionMap& map = *figures.map;
  std::string note =
      CountedText(static_cast<double>(figures.present), "partition is", "partitions are") +
      " there at the end; " +
      CountedText(static_cast<double>(figures.splits.size()), "split was seen",
                  "splits were seen") +
      ". All together serve " + NumberText(map.read_limit) + " read and " +
      NumberText(map.write_limit) + " write units a second, each partition " +
      NumberText(map.partition_read_units) + " and " + NumberText(map.partition_write_units) +
      ". Up and down: partitions in the order of keys; where one was cut, lines lead from the end "
      "of its row to its parts. The colour is the demand, refused accesses included, as a share of "
      "what a partition serves, of reads or of writes, whichever is more; a bar below the colour: "
      "accesses " +
      WereThrottled(map) +
      ". In the table, the hottest slice and the moving average at the end are such shares.";
  const std::size_t left_out = figures.partitions.size() - shown;
  if (left_out == 0) return note;
  return note + " The hottest are shown; " +
         CountedText(static_cast<double>(left_out), "other is", "others are") + " left out.";
}

ReportFigure MapFigure(const PartitionFigures& figures, const std::string& caption) {
  const std::vector<PartitionFigure> shown = HottestOf(figures.partitions, kMostPartitionRows);
  ReportFigure figure{.caption = caption,
                      .method = "modelled",
                      .note = NoteOf(figures, shown.size()),
                      .description = "Time runs to the right; each row is a partition.",
                      .tables = {PartitionsTable(figures, shown, caption)}};
  if (!shown.empty() && figures.columns.count > 0) figure.plot = PlotOf(figures, shown);
  if (!figures.map->throttles.empty()) {
    figure.tables.push_back(ReasonsTable(*figures.map, caption));
  }
  return figure;
}

// --- The terminal ---

std::string AndMore(std::size_t count, std::string_view noun) {
  return "and " + CountedText(static_cast<double>(count), "more " + std::string(noun));
}

// Units and counts above 1,000 million are cut short, so that a line fits a terminal.
std::string ShortText(double value) {
  constexpr double kMostInFull = 1e9;
  return value < kMostInFull ? NumberText(value) : TickText(value);
}

std::string HeatText(double heat) {
  constexpr double kMost = 10;
  return heat > kMost ? "> 1,000 %" : ShareText(heat);
}

std::string SummaryOf(const PartitionFigures& figures) {
  constexpr std::size_t kMostReasons = 4;
  const std::vector<ThrottleCount>& throttles = figures.map->throttles;
  std::string text = figures.label + ": " +
                     CountedText(static_cast<double>(figures.present), "partition") + ", " +
                     CountedText(static_cast<double>(figures.splits.size()), "split");
  const std::string unusual = UnusualUnitsText(*figures.map);
  if (!unusual.empty()) text += "; " + unusual;
  if (throttles.empty()) return text;
  text += "; " + ThrottledWord(*figures.map) + ": ";
  for (std::size_t at = 0; at < std::min(throttles.size(), kMostReasons); ++at) {
    text += (at == 0 ? "" : ", ") + throttles[at].reason + " " +
            CountText(static_cast<std::uint64_t>(throttles[at].count));
  }
  if (throttles.size() > kMostReasons) {
    text += ", " + AndMore(throttles.size() - kMostReasons, "reason");
  }
  return text;
}

ReportTable ShortTable(const PartitionMap& map, const std::vector<PartitionFigure>& shown) {
  ReportTable table{.columns = {{"partition: its hashes", ColumnKind::kText},
                                {"read units"},
                                {"write units"},
                                {map.mode == "watch" ? "would throttle" : "throttled"},
                                {"hottest (" + LengthOfTimeText(map.slice_ms) + ")"},
                                {"now"}},
                    .most_lines = 2};
  for (const PartitionFigure& each : shown) {
    const PartitionMeasure& partition = *each.partition;
    table.rows.push_back({std::to_string(partition.number) + ": " + PartitionRangeText(partition),
                          ShortText(partition.read_units), ShortText(partition.write_units),
                          ShortText(ThrottledBy(partition)), HeatText(each.peak_heat),
                          partition.ended_epoch_ms > 0 ? "cut" : HeatText(PresentHeat(partition))});
  }
  return table;
}

// "2025-11-21 08:10:00: 1 was cut into 5 and 6 for heat, at 12.5 %"
std::string SplitLine(const PartitionSplit& split) {
  const PartitionMeasure& last = *split.parts.back();
  std::string text =
      UtcText(last.began_epoch_ms) + ": " + std::to_string(split.parent->number) + " was cut into ";
  constexpr std::size_t kMostParts = 4;
  const std::size_t parts = split.parts.size();
  if (parts > kMostParts) {
    text += CountText(parts) + " parts";
  } else {
    for (std::size_t at = 0; at < parts; ++at) {
      if (at > 0) text += at + 1 == parts ? " and " : ", ";
      text += std::to_string(split.parts[at]->number);
    }
  }
  return text + " for " + last.cause + ", at " + PartitionBeginText(last);
}

void AddMap(const PartitionFigures& figures, ReportParts& parts) {
  constexpr std::size_t kMostPartitions = 8;
  constexpr std::size_t kMostSplits = 6;
  constexpr std::size_t kMostUncut = 4;
  const std::vector<PartitionFigure> shown = HottestOf(figures.partitions, kMostPartitions);
  parts.push_back(ReportParagraph{SummaryOf(figures)});
  parts.push_back(ShortTable(*figures.map, shown));
  const std::size_t left_out = figures.partitions.size() - shown.size();
  if (left_out > 0) parts.push_back(ReportParagraph{AndMore(left_out, "partition")});
  for (std::size_t at = 0; at < std::min(figures.splits.size(), kMostSplits); ++at) {
    parts.push_back(ReportParagraph{SplitLine(figures.splits[at])});
  }
  if (figures.splits.size() > kMostSplits) {
    parts.push_back(ReportParagraph{AndMore(figures.splits.size() - kMostSplits, "split")});
  }
  std::size_t uncut = 0;
  for (const PartitionFigure& each : shown) {
    if (each.partition->uncut.empty() || ++uncut > kMostUncut) continue;
    parts.push_back(ReportParagraph{std::to_string(each.partition->number) +
                                    " was not cut: " + UncutText(*each.partition)});
  }
}

}  // namespace

std::vector<PartitionFigures> PartitionFiguresOf(const Measurement& measurement) {
  std::vector<PartitionFigures> figures;
  for (const PartitionMap& map : measurement.partitions) figures.push_back(FiguresOf(map));
  return figures;
}

std::vector<PartitionFigure> HottestOf(const std::vector<PartitionFigure>& partitions,
                                       std::size_t most) {
  if (partitions.size() <= most) return partitions;
  std::vector<std::size_t> order(partitions.size());
  for (std::size_t at = 0; at < order.size(); ++at) order[at] = at;
  const auto heat = [&](std::size_t at) { return partitions[at].peak_heat; };
  StableSort(order, std::ranges::greater(), heat);
  order.resize(most);
  StableSort(order);
  std::vector<PartitionFigure> hottest;
  for (const std::size_t at : order) hottest.push_back(partitions[at]);
  return hottest;
}

double HeatInSlice(const PartitionMap& map, const PartitionHeat& heat) {
  const double seconds = static_cast<double>(map.slice_ms) / kMillisecondsPerSecond;
  const auto share = [&](double demand, double served) {
    return served > 0 && seconds > 0 ? demand / (served * seconds) : 0;
  };
  return std::max(share(heat.read_demand, map.partition_read_units),
                  share(heat.write_demand, map.partition_write_units));
}

double PresentHeat(const PartitionMeasure& partition) {
  return std::max(partition.read_heat, partition.write_heat);
}

double ThrottledBy(const PartitionMeasure& partition) {
  return static_cast<double>(partition.throttled_reads) +
         static_cast<double>(partition.throttled_writes);
}

std::string ThrottledWord(const PartitionMap& map) {
  return map.mode == "watch" ? "would have been throttled" : "throttled";
}

std::string CauseText(const PartitionMeasure& partition) {
  if (partition.parent == 0) return partition.cause;
  return partition.cause + ", from " + std::to_string(partition.parent);
}

bool HasPartitions(std::span<const ReportView> views) {
  return std::ranges::any_of(
      views, [](const ReportView& view) { return !view.measurement().partitions.empty(); });
}

ReportParts PartitionParts(std::span<const ReportView> views) {
  // A page with a plot of each of hundreds of indexes would be read by nobody.
  constexpr std::size_t kMostMaps = 8;
  ReportParts parts;
  for (const ReportView& view : views) {
    const std::vector<PartitionFigures> maps = PartitionFiguresOf(view.measurement());
    for (std::size_t at = 0; at < std::min(maps.size(), kMostMaps); ++at) {
      parts.push_back(MapFigure(maps[at], view.Caption(maps[at].label + ": partitions over time")));
    }
    if (maps.size() <= kMostMaps) continue;
    parts.push_back(ReportParagraph{CountText(maps.size() - kMostMaps) +
                                    " further tables and indexes are left out here."});
  }
  return parts;
}

ReportParts TerminalPartitions(const Measurement& measurement) {
  constexpr std::size_t kMostMaps = 3;
  const std::vector<PartitionFigures> maps = PartitionFiguresOf(measurement);
  ReportParts parts;
  for (std::size_t at = 0; at < std::min(maps.size(), kMostMaps); ++at) AddMap(maps[at], parts);
  if (maps.size() > kMostMaps) {
    parts.push_back(
        ReportParagraph{"and " + CountedText(static_cast<double>(maps.size() - kMostMaps),
                                             "more table or index", "more tables and indexes")});
  }
  return parts;
}

}  // namespace hashrange
