#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "measure/number_text.h"
#include "measure/partition_load.h"
#include "measure/report/html_figure.h"
#include "measure/report/html_sections.h"
#include "measure/report/readable_text.h"
#include "measure/report/report_time.h"
#include "measure/report/svg_plot.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostDots = 10;
constexpr std::size_t kMostLabelCharacters = 46;
constexpr std::size_t kMostKeysListed = 10;

// The busiest window of one key.
struct HotKey {
  std::string resource = {};
  const HotWindow* window = nullptr;
  double units_a_second = 0;
  double least_units_a_second = 0;
};

// Returns how long the measurement ran in the window, at least a second.
double SecondsOf(const HotWindow& window, const Measurement& measurement) {
  const std::int64_t begin = std::max(window.begin_epoch_ms, measurement.began_epoch_ms);
  const std::int64_t end =
      std::min(window.begin_epoch_ms + window.length_ms, measurement.ended_epoch_ms);
  return std::max(1.0, static_cast<double>(end - begin) / 1000);
}

HotKey HotKeyOf(const ResourceFigures& resource, const HotWindow& window,
                const Measurement& measurement) {
  const double seconds = SecondsOf(window, measurement);
  return {resource.label, &window, window.key.units / seconds,
          std::max(window.key.units - window.key.error, 0.0) / seconds};
}

// The keys with the most units a second in any window, each once, the hottest first.
std::vector<HotKey> HotKeysOf(const ReportView& view, std::string_view direction) {
  std::vector<HotKey> hot;
  for (const ResourceFigures& resource : view.resources) {
    if (resource.measure == nullptr) continue;
    for (const HotWindow& window : resource.measure->hot_windows) {
      if (window.direction == direction)
        hot.push_back(HotKeyOf(resource, window, view.measurement()));
    }
  }
  std::ranges::stable_sort(hot, std::greater<>{}, &HotKey::units_a_second);
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

std::string WithError(double value, double least) {
  if (least == value) return NumberText(value);
  return NumberText(least) + " to " + NumberText(value);
}

FigureTable HotKeyTable(const std::vector<HotKey>& keys, const std::string& caption) {
  FigureTable table{.caption = caption};
  table.columns = {{"Key", ColumnKind::kCode},
                   {"Table or index", ColumnKind::kText},
                   {"Units a second", ColumnKind::kNumber},
                   {"Share of its table or index", ColumnKind::kNumber},
                   {"Window from, UTC", ColumnKind::kText},
                   {"Length", ColumnKind::kNumber}};
  for (const HotKey& key : keys) {
    const HotWindow& window = *key.window;
    table.rows.push_back(
        {window.key.key, key.resource, WithError(key.units_a_second, key.least_units_a_second),
         ShareText(window.total_units > 0 ? window.key.units / window.total_units : 0),
         UtcText(window.begin_epoch_ms), LengthOfTimeText(window.length_ms)});
  }
  return table;
}

void WriteHotKeyFigure(std::span<const ReportView> views, const ReportView& view, bool is_write,
                       HtmlWriter& html) {
  const std::vector<HotKey> keys = HotKeysOf(view, is_write ? "write" : "read");
  if (keys.empty()) return;
  const double limit = is_write ? kPartitionWriteUnits : kPartitionReadUnits;
  const std::string caption = CaptionOf(views, view,
                                        is_write ? "Most written keys in their busiest window"
                                                 : "Most read keys in their busiest window");
  DotPlot plot{
      .text = {caption, "Dots on a logarithmic scale of units a second; a line marks the " +
                            NumberText(limit) + " units a second of one partition."},
      .limit = limit,
      .limit_label = "one partition: " + NumberText(limit) + " a second"};
  for (const HotKey& key : keys) {
    plot.dots.push_back(
        {ClippedText(key.resource + ": " + key.window->key.key, kMostLabelCharacters),
         key.least_units_a_second, key.units_a_second,
         WithError(key.units_a_second, key.least_units_a_second) + " a second"});
  }
  OpenFigure(
      {.caption = caption,
       .note = "Units a second, logarithmic. A whisker is the error of the counters: the true "
               "value is on it."},
      html);
  WriteDotPlot(plot, html);
  WriteDetails(HotKeyTable(keys, caption), html);
  CloseFigure(html);
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

void WriteKeyList(const KeyList& list, const ResourceFigures& resource, const std::string& caption,
                  HtmlWriter& html) {
  const TopKeys& top = resource.measure->*list.keys;
  if (top.keys.empty()) return;
  FigureTable table{.caption = caption};
  table.columns = {{"Key", ColumnKind::kCode},
                   {"Template", ColumnKind::kCode},
                   {"Units of the whole measurement", ColumnKind::kNumber},
                   {"Share", ColumnKind::kNumber}};
  for (std::size_t at = 0; at < std::min(top.keys.size(), kMostKeysListed); ++at) {
    const KeyCount& key = top.keys[at];
    table.rows.push_back({key.key, key.shape,
                          WithError(key.units, std::max(key.units - key.error, 0.0)),
                          ShareText(top.total_units > 0 ? key.units / top.total_units : 0)});
  }
  html.Open("details");
  html.Element("summary", caption);
  WriteTable(table, html);
  html.Close("details");
}

void WriteFirstLimits(std::span<const ReportView> views, const ReportView& view, HtmlWriter& html) {
  if (view.input->first_limits.empty()) return;
  FigureTable table{.caption =
                        CaptionOf(views, view, "What stops growth first, at the measured mix")};
  table.columns = {{"Table or index", ColumnKind::kText},
                   {"Key", ColumnKind::kCode},
                   {"Direction", ColumnKind::kText},
                   {"Calls a second of this mix", ColumnKind::kNumber},
                   {"Limit, units a second", ColumnKind::kNumber},
                   {"In words", ColumnKind::kText}};
  for (const ReportedFirstLimit& limit : view.input->first_limits) {
    table.rows.push_back({ResourceLabel(limit.table, limit.index), limit.key, limit.direction,
                          WithError(limit.most_calls_per_second, limit.least_calls_per_second),
                          NumberText(limit.limit_units_per_second), limit.sentence});
  }
  WriteTable(table, html);
  if (!view.input->first_limit_assumption.empty()) {
    html.Element("p", view.input->first_limit_assumption, {{"class", "note"}});
  }
}

void WriteKeyLists(std::span<const ReportView> views, const ReportView& view, HtmlWriter& html) {
  for (const ResourceFigures& resource : view.resources) {
    if (resource.measure == nullptr) continue;
    for (const KeyList& list : kKeyLists) {
      WriteKeyList(list, resource,
                   CaptionOf(views, view, resource.label + ": " + std::string(list.name)), html);
    }
  }
}

}  // namespace

void WriteHottestKeys(std::span<const ReportView> views, HtmlWriter& html) {
  for (const ReportView& view : views) {
    WriteHotKeyFigure(views, view, true, html);
    WriteHotKeyFigure(views, view, false, html);
    WriteFirstLimits(views, view, html);
    WriteKeyLists(views, view, html);
  }
}

}  // namespace hashrange
