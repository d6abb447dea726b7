// The hottest keys, whose partitions stop growth first.

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/stable_sort.h"
#include "measure/measured_tables.h"
#include "measure/number_text.h"
#include "measure/report/measure_sections.h"
#include "measure/report/readable_text.h"
#include "measure/report/report_time.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostDots = 10;
constexpr std::size_t kMostDotCharacters = 46;
constexpr std::size_t kMostKeysListed = 10;

// Returns a figure whose true value is between both.
std::string WithError(double value, double least) {
  if (least == value) return NumberText(value);
  return NumberText(least) + " to " + NumberText(value);
}

// --- The hottest keys ---

// The busiest window of one key.
struct HotKey {
  std::string resource = {};
  const HotWindow* window = nullptr;
  double units_a_second = 0;
  double least_units_a_second = 0;
};

HotKey HotKeyOf(const ResourceFigures& resource, const HotWindow& window,
                const Measurement& measurement) {
  // The measurement may have run in a part of the window only.
  const std::int64_t begin = std::max(window.begin_epoch_ms, measurement.began_epoch_ms);
  const std::int64_t end =
      std::min(window.begin_epoch_ms + window.length_ms, measurement.ended_epoch_ms);
  const double seconds = std::max(1.0, static_cast<double>(end - begin) / 1000);
  return {resource.label, &window, window.key.units / seconds,
          std::max(window.key.units - window.key.error, 0.0) / seconds};
}

// The keys with the most units a second in any window, each once, the hottest first.
std::vector<HotKey> HotKeysOf(const ReportView& view, std::string_view direction) {
  std::vector<HotKey> hot;
  for (const ResourceFigures& resource : view.resources) {
    if (resource.measure == nullptr) continue;
    for (const HotWindow& window : resource.measure->hot_windows) {
      if (window.direction != direction) continue;
      hot.push_back(HotKeyOf(resource, window, view.measurement()));
    }
  }
  StableSort(hot, std::greater<>{}, &HotKey::units_a_second);
  std::vector<HotKey> once;
  for (const HotKey& key : hot) {
    const bool is_there = std::ranges::any_of(once, [&](const HotKey& other) {
      return other.resource == key.resource && other.window->key.key == key.window->key.key;
    });
    if (!is_there) once.push_back(key);
    if (once.size() == kMostDots) break;
  }
  return once;
}

ReportTable HotKeyTable(const std::vector<HotKey>& keys) {
  ReportTable table{.columns = {{"Key", ColumnKind::kCode},
                                {"Table or index", ColumnKind::kText},
                                {"Units a second"},
                                {"Share of its table or index"},
                                {"Window from, UTC", ColumnKind::kText},
                                {"Length"}}};
  for (const HotKey& key : keys) {
    const HotWindow& window = *key.window;
    table.rows.push_back(
        {window.key.key, key.resource, WithError(key.units_a_second, key.least_units_a_second),
         ShareText(window.total_units > 0 ? window.key.units / window.total_units : 0),
         UtcText(window.begin_epoch_ms), LengthOfTimeText(window.length_ms)});
  }
  return table;
}

void AddHotKeys(const ReportView& view, bool is_write, ReportParts& parts) {
  const std::vector<HotKey> keys = HotKeysOf(view, is_write ? "write" : "read");
  if (keys.empty()) return;
  const UnitsRange limit = RangeOfTables(
      view.measurement(), is_write ? &PartitionLimits::write_units : &PartitionLimits::read_units);
  // Where the limits of tables differ, the line stands at the least.
  DotPlot plot{.limit = limit.least,
               .limit_label = "one partition: " + UnitsRangeText(limit) + " a second"};
  for (const HotKey& key : keys) {
    plot.dots.push_back({ClippedText(key.resource + ": " + key.window->key.key, kMostDotCharacters),
                         key.least_units_a_second, key.units_a_second,
                         WithError(key.units_a_second, key.least_units_a_second) + " a second"});
  }
  parts.push_back(ReportFigure{
      .caption = view.Caption(is_write ? "Most written keys in their busiest window"
                                       : "Most read keys in their busiest window"),
      .note = "Units a second, logarithmic. A whisker is the error of the counters: the true "
              "value is on it.",
      .description = "Dots on a logarithmic scale of units a second; a line marks the " +
                     UnitsRangeText(limit) + " units a second of one partition.",
      .plot = std::move(plot),
      .details = HotKeyTable(keys)});
}

// The lists of top keys of a resource, and how each is called.
struct KeyList {
  std::string_view name;
  const TopKeys ResourceMeasure::*keys;
};
constexpr KeyList kKeyLists[] = {
    {"most written partition keys", &ResourceMeasure::written_keys},
    {"most read partition keys", &ResourceMeasure::read_keys},
    {"most throttled partition keys", &ResourceMeasure::throttled_keys},
    {"most written items", &ResourceMeasure::written_items},
    {"most read items", &ResourceMeasure::read_items},
};

void AddKeyList(const TopKeys& top, const std::string& caption, ReportParts& parts) {
  if (top.keys.empty()) return;
  ReportTable table{.caption = caption,
                    .columns = {{"Key", ColumnKind::kCode},
                                {"Template", ColumnKind::kCode},
                                {"Units of the whole measurement"},
                                {"Share"}}};
  for (std::size_t at = 0; at < std::min(top.keys.size(), kMostKeysListed); ++at) {
    const KeyCount& key = top.keys[at];
    table.rows.push_back({key.key, key.shape,
                          WithError(key.units, std::max(key.units - key.error, 0.0)),
                          ShareText(top.total_units > 0 ? key.units / top.total_units : 0)});
  }
  parts.push_back(ReportDetails{caption, {std::move(table)}});
}

// --- First limits ---

void AddFirstLimits(const ReportView& view, ReportParts& parts) {
  if (view.input->first_limits.empty()) return;
  ReportTable table{.caption = view.Caption("What stops growth first, at the measured mix"),
                    .columns = {{"Table or index", ColumnKind::kText},
                                {"Key", ColumnKind::kCode},
                                {"Direction", ColumnKind::kText},
                                {"Calls a second of this mix"},
                                {"Limit, units a second"},
                                {"In words", ColumnKind::kText}}};
  for (const LimitRow& limit : view.input->first_limits) {
    table.rows.push_back({ResourceLabel(limit.table, limit.index), limit.key, limit.direction,
                          WithError(limit.greatest_calls_per_second, limit.least_calls_per_second),
                          NumberText(limit.limit), limit.sentence});
  }
  parts.push_back(std::move(table));
  if (view.input->first_limit_assumption.empty()) return;
  parts.push_back(ReportParagraph{.text = view.input->first_limit_assumption, .css_class = "note"});
}

}  // namespace

std::string KeyIntro(ReportViews views) {
  const auto units = [&](double PartitionLimits::*of, double factor) {
    UnitsRange range = RangeOfTables(views.front().measurement(), of);
    for (const ReportView& view : views) {
      const UnitsRange other = RangeOfTables(view.measurement(), of);
      range = {std::min(range.least, other.least), std::max(range.greatest, other.greatest)};
    }
    return UnitsRangeText({factor * range.least, factor * range.greatest});
  };
  constexpr double kEventualReads = 1.5;
  return "One partition serves " + units(&PartitionLimits::write_units, 1) + " write units and " +
         units(&PartitionLimits::read_units, 1) +
         " read units a second, of eventually consistent reads " +
         units(&PartitionLimits::read_units, kEventualReads) +
         ", and all items with one partition key begin in one partition. A key that nears these "
         "lines is throttled however much the table may use.";
}

ReportParts KeyParts(ReportViews views) {
  ReportParts parts;
  for (const ReportView& view : views) {
    AddHotKeys(view, true, parts);
    AddHotKeys(view, false, parts);
    AddFirstLimits(view, parts);
    for (const ResourceFigures& resource : view.resources) {
      if (resource.measure == nullptr) continue;
      for (const KeyList& list : kKeyLists) {
        AddKeyList(resource.measure->*list.keys,
                   view.Caption(resource.label + ": " + std::string(list.name)), parts);
      }
    }
  }
  return parts;
}

}  // namespace hashrange
