// What the reports show of the modelled partitions of tables and indexes. PartitionFigures has what
// they show alike of a map of partitions: its partitions in the order of the keys, how hot they
// were, and its splits. Pure functions; any thread.
//
//   row   partition   |··········time··········>
//     0       5           ┌▅▅▄▄▄▄     the first part of 1
//     1       1       ▁▂▅█┤           stands between its parts
//     2       6           └▃▃▃▃▃▃     the other part of 1
//     3       2       ▁▁▁▁▁▁▁▁▁▁▁
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "measure/report/report_figures.h"
#include "measure/report/report_section.h"
#include "measure/report/report_time.h"

namespace hashrange {

// More rows would be read by nobody.
inline constexpr std::size_t kMostPartitionRows = 64;

struct PartitionFigure {
  const PartitionMeasure* partition = nullptr;
  double peak_heat = 0;  // of its hottest slice (HeatInSlice)
};

struct PartitionSplit {
  const PartitionMeasure* parent = nullptr;
  std::vector<const PartitionMeasure*> parts = {};  // in the order of keys
};

struct PartitionFigures {
  const PartitionMap* map = nullptr;
  std::string label = {};                        // "shop", "shop / GSI1"
  std::vector<PartitionFigure> partitions = {};  // in the order of keys
  std::vector<PartitionSplit> splits = {};       // the earliest first
  std::uint64_t present = 0;                     // partitions that are there at the end
  double throttled = 0;                          // accesses that partitions throttled
  TimeColumns columns = {};                      // at most 96
};

// Returns the figures of each map of the measurement, in its order. They point into the
// measurement.
std::vector<PartitionFigures> PartitionFiguresOf(const Measurement& measurement);

// Returns the `most` hottest of the partitions, in the order of keys.
std::vector<PartitionFigure> HottestOf(const std::vector<PartitionFigure>& partitions,
                                       std::size_t most);

// Returns the demand of a partition in one slice as a share of what it serves, of reads or of
// writes, whichever is more. Above 1: more was asked for.
double HeatInSlice(const PartitionMap& map, const PartitionHeat& heat);

// Returns the same share of the moving average of the partition's demand.
double PresentHeat(const PartitionMeasure& partition);

// Returns the accesses that the partition throttled.
double ThrottledBy(const PartitionMeasure& partition);

// Returns whether any of the measurements has modelled partitions.
bool HasPartitions(std::span<const ReportView> views);

// Returns what the section of a page shows, a figure for each of the first maps.
ReportParts PartitionParts(std::span<const ReportView> views);

// Returns what a terminal shows of the first maps: what happened, the hottest partitions in the
// order of keys, what is left out of them, each split, and why hot partitions were not cut.
ReportParts TerminalPartitions(const Measurement& measurement);

// Returns "throttled", or "would have been throttled" where the model only watches.
std::string ThrottledWord(const PartitionMap& map);
// Returns why the partition was made: "beginning", "heat, from 3".
std::string CauseText(const PartitionMeasure& partition);

}  // namespace hashrange
