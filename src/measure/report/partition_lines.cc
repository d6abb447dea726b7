#include "measure/report/partition_lines.h"

#include <algorithm>
#include <cstddef>

#include "measure/number_text.h"
#include "measure/report/partition_figures.h"
#include "measure/report/report_time.h"
#include "measure/rules/partition_text.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostMaps = 3;
constexpr std::size_t kMostPartitions = 8;
constexpr std::size_t kMostSplits = 6;
constexpr std::size_t kMostUncut = 4;
constexpr std::size_t kMostReasons = 4;

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

TextTable TableOf(const PartitionMap& map, const std::vector<PartitionFigure>& shown) {
  TextTable table{.columns = {{"partition: its hashes", false},
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

void AddSplits(const PartitionFigures& figures, std::vector<std::string>* lines) {
  for (std::size_t at = 0; at < std::min(figures.splits.size(), kMostSplits); ++at) {
    lines->push_back(SplitLine(figures.splits[at]));
  }
  if (figures.splits.size() > kMostSplits) {
    lines->push_back(AndMore(figures.splits.size() - kMostSplits, "split"));
  }
}

void AddUncut(const std::vector<PartitionFigure>& shown, std::vector<std::string>* lines) {
  std::size_t uncut = 0;
  for (const PartitionFigure& each : shown) {
    if (each.partition->uncut.empty() || ++uncut > kMostUncut) continue;
    lines->push_back(std::to_string(each.partition->number) +
                     " was not cut: " + UncutText(*each.partition));
  }
}

PartitionLines LinesOf(const PartitionFigures& figures) {
  PartitionLines lines{.summary = SummaryOf(figures)};
  const std::vector<PartitionFigure> shown = HottestOf(figures.partitions, kMostPartitions);
  lines.table = TableOf(*figures.map, shown);
  const std::size_t left_out = figures.partitions.size() - shown.size();
  if (left_out > 0) lines.lines.push_back(AndMore(left_out, "partition"));
  AddSplits(figures, &lines.lines);
  AddUncut(shown, &lines.lines);
  return lines;
}

}  // namespace

std::vector<PartitionLines> PartitionLinesOf(const Measurement& measurement) {
  const std::vector<PartitionFigures> maps = PartitionFiguresOf(measurement);
  std::vector<PartitionLines> lines;
  for (std::size_t at = 0; at < std::min(maps.size(), kMostMaps); ++at) {
    lines.push_back(LinesOf(maps[at]));
  }
  if (maps.size() > kMostMaps) {
    lines.back().lines.push_back("and " + CountedText(static_cast<double>(maps.size() - kMostMaps),
                                                      "more table or index",
                                                      "more tables and indexes"));
  }
  return lines;
}

}  // namespace hashrange
