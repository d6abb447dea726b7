#include "lab/report/lab_warm_up.h"

#include <algorithm>
#include <cmath>

#include "lab/language/lab_facts.h"
#include "measure/number_text.h"
#include "measure/report/report_figures.h"
#include "simulation/partitions/partition_parameters.h"

namespace hashrange {
namespace {

constexpr double kMsPerMinute = 60'000;
// Eventually consistent reads go to all three replicas (docs/service/21-layout-lab.md, section 4).
constexpr double kEventualReads = 1.5;

// The declared rates of one direction of a table or a global index, in units a second.
struct KeyLoad {
  LabKey key = {};
  bool is_write = false;
  double units = 0;
  // Of these, what partitions feel: reads that are eventually consistent count as so much less.
  double partition_units = 0;
  double hottest_units = 0;  // of partition_units, those of the partition key value that gets most
};

LabKey ThroughputKey(const LabLayout& layout, LabKey key) {
  const LabIndex* const index = IndexOf(layout, key);
  return index != nullptr && index->is_local ? LabKey{.table = key.table} : key;
}

std::vector<KeyLoad> LoadsOfKeys(const GrownLayout& layout) {
  std::vector<KeyLoad> loads;
  const std::vector<PatternCost>& patterns = layout.growth->stages.front().patterns;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const LabPattern& pattern = PatternForm(*layout.file, static_cast<int>(i));
    if (!(pattern.calls_per_second > 0)) continue;
    for (const KeyCost& cost : patterns[i].keys) {
      const LabKey key = ThroughputKey(*layout.layout, cost.key);
      auto load = std::ranges::find_if(loads, [&](const KeyLoad& one) {
        return one.key == key && one.is_write == cost.is_write;
      });
      if (load == loads.end()) load = loads.insert(load, {key, cost.is_write});
      const bool is_eventual = !cost.is_write && !pattern.is_consistent;
      const double units = pattern.calls_per_second * cost.units;
      const double partition_units = units / (is_eventual ? kEventualReads : 1);
      load->units += units;
      load->partition_units += partition_units;
      load->hottest_units += partition_units * cost.hottest_share;
    }
  }
  return loads;
}

double PartitionsOfNew(const PartitionParameters& model, const LabThroughput& throughput) {
  const auto share = [](std::int64_t units, std::int64_t of_partition) {
    return static_cast<double>(units) / static_cast<double>(of_partition);
  };
  if (throughput.on_demand) {
    return std::ceil(std::max(share(model.new_read_units, model.read_units),
                              share(model.new_write_units, model.write_units)));
  }
  return std::max(1.0, std::ceil(share(throughput.read_units, model.read_units) +
                                 share(throughput.write_units, model.write_units)));
}

// Returns that a new table serves less in all than is asked of it; empty where it does not.
std::string AboveNewTableText(const PartitionParameters& model, const KeyLoad& load,
                              const std::string& where) {
  const auto served =
      static_cast<double>(load.is_write ? model.new_write_units : model.new_read_units);
  if (load.units <= served) return {};
  return where + ": it gets " + NumberText(load.units) + (load.is_write ? " write" : " read") +
         " units a second, and a new table or index on demand serves " + NumberText(served) +
         ". By the model, it serves twice its busiest minute " +
         CountedText(static_cast<double>(model.growth_after_ms) / kMsPerMinute, "minute") +
         " after that; until then it throttles.";
}

// Returns what has to be cut, and whether that helps.
std::string WarmUpText(const GrownLayout& layout, const KeyLoad& load) {
  const PartitionParameters& model = layout.file->partitions;
  const LabTable& table = TableOf(*layout.layout, load.key);
  const LabIndex* const index = IndexOf(*layout.layout, load.key);
  const LabThroughput& throughput = index == nullptr ? table.throughput : index->throughput;
  const double partitions = PartitionsOfNew(model, throughput);
  const auto limit = static_cast<double>(load.is_write ? model.write_units : model.read_units);
  const std::string direction = load.is_write ? "write" : "read";
  const std::string unusual =
      limit == static_cast<double>(load.is_write ? PartitionParameters().write_units
                                                 : PartitionParameters().read_units)
          ? std::string()
          : " (" + NumberText(limit) + " " + direction + " units a second)";
  const double hottest =
      load.hottest_units + (load.partition_units - load.hottest_units) / partitions;
  const std::string where =
      ResourceLabel(table.name, index == nullptr ? std::string() : index->name) + ", " + direction +
      "s";
  if (hottest <= limit) {
    return throughput.on_demand ? AboveNewTableText(model, load, where) : std::string();
  }
  const double least =
      static_cast<double>(model.split_after_ms + model.least_split_delay_ms) / kMsPerMinute;
  const double greatest =
      static_cast<double>(model.split_after_ms + model.greatest_split_delay_ms) / kMsPerMinute;
  const std::string minutes = NumberText(least) + " to " + NumberText(greatest) + " minutes";
  if (load.hottest_units <= limit) {
    return where + ": the hottest key range of a new table gets " + NumberText(hottest / limit) +
           " × what one partition serves" + unusual + ". By the model, a cut helps after " +
           minutes + " of such traffic; until then it throttles.";
  }
  const bool has_local = std::ranges::any_of(table.indexes, &LabIndex::is_local);
  const std::string one_key = where + ": one key gets " + NumberText(load.hottest_units / limit) +
                              " × what one partition serves" + unusual;
  if (RangeOf(*layout.layout, load.key).empty() || (index == nullptr && has_local)) {
    return one_key + ", and no cut helps: its item collection cannot be cut.";
  }
  return one_key + ". By the model, a cut inside of its item collection helps after " + minutes +
         " of such traffic, unless the calls are for one item or for sort keys that rise.";
}

}  // namespace

std::vector<std::string> WarmUpSentences(const GrownLayout& layout) {
  std::vector<std::string> sentences;
  for (const KeyLoad& load : LoadsOfKeys(layout)) {
    std::string text = WarmUpText(layout, load);
    if (!text.empty()) sentences.push_back(std::move(text));
  }
  return sentences;
}

ReportParts WarmUpParts(const std::vector<GrownLayout>& layouts) {
  ReportParts parts;
  for (const GrownLayout& layout : layouts) {
    for (const std::string& sentence : WarmUpSentences(layout)) {
      parts.push_back(ReportParagraph{ShortLayoutName(layout.layout->name) + ": " + sentence});
    }
  }
  return parts;
}

}  // namespace hashrange
