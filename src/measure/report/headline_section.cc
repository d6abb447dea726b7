// The figures that a report begins with: one row for a measurement's tile and for the comparison of
// several, on a page and in a terminal.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "measure/number_text.h"
#include "measure/report/measure_sections.h"
#include "measure/report/readable_text.h"
#include "measure/report/report_time.h"

namespace hashrange {
namespace {

// --- The first limit ---

std::string CallsOfFirstLimit(const ReportView& view) {
  if (view.input->first_limits.empty()) return "not computed";
  const LimitRow& first = view.input->first_limits.front();
  if (first.least_calls_per_second == first.greatest_calls_per_second) {
    return NumberText(first.greatest_calls_per_second);
  }
  return NumberText(first.least_calls_per_second) + " to " +
         NumberText(first.greatest_calls_per_second);
}

std::string PlaceOfFirstLimit(const ReportView& view) {
  if (view.input->first_limits.empty()) return "";
  const LimitRow& first = view.input->first_limits.front();
  const std::string key = first.key.empty() ? "" : ", " + first.key;
  return ResourceLabel(first.table, first.index) + key + ", " + first.direction + "s";
}

// --- Rows ---

std::string FailedUnits(double units) {
  return units == 0 ? "" : "and " + NumberText(units) + " of failed calls";
}

std::string PerCallText(double units, const ReportView& view, double failed) {
  if (view.mix.calls == 0) return FailedUnits(failed);
  const std::string a_call = NumberText(units / static_cast<double>(view.mix.calls)) + " a call";
  return failed == 0 ? a_call : a_call + ", " + FailedUnits(failed);
}

double StoredBytes(const ReportView& view) { return view.mix.table_bytes + view.mix.index_bytes; }

template <const char* kSeverity>
std::string CountOfSeverity(const ReportView& view) {
  return CountText(FindingsOf(*view.input, kSeverity));
}
constexpr char kSevere[] = "severe";
constexpr char kWarning[] = "warning";
constexpr char kHint[] = "hint";

// Where a row is shown: as a tile of one measurement, or as a row of the comparison of several.
enum HeadlinePlace : unsigned {
  kPageTile = 1,
  kPageRow = 2,
  kPage = kPageTile | kPageRow,
  kTerminalTile = 4,
  kTerminalRow = 8,
  kAll = kPage | kTerminalTile | kTerminalRow,
};

struct Headline {
  std::string_view name;
  std::string_view short_name;  // in a terminal
  unsigned places;
  std::string (*text)(const ReportView&);
  // Null: differences say nothing. Returns nothing where the figure is not known.
  std::optional<double> (*figure)(const ReportView&) = nullptr;
  std::string_view method = "measured";
  std::string (*note)(const ReportView&) = nullptr;
};

constexpr Headline kHeadlines[] = {
    {"Calls", "calls", kAll, [](const ReportView& view) { return CountText(view.mix.calls); },
     [](const ReportView& view) { return std::optional(static_cast<double>(view.mix.calls)); },
     "measured",
     [](const ReportView& view) {
       return CountedText(static_cast<double>(view.mix.errors), "error") + ", " +
              CountText(view.mix.throttled) + " throttled";
     }},
    {"Read units", "read units", kAll,
     [](const ReportView& view) { return NumberText(view.mix.read_units); },
     [](const ReportView& view) { return std::optional(view.mix.read_units); }, "measured",
     [](const ReportView& view) {
       return PerCallText(view.mix.read_units, view, view.mix.failed_read_units);
     }},
    {"Write units", "write units", kAll,
     [](const ReportView& view) { return NumberText(view.mix.write_units); },
     [](const ReportView& view) { return std::optional(view.mix.write_units); }, "measured",
     [](const ReportView& view) {
       return PerCallText(view.mix.write_units, view, view.mix.failed_write_units);
     }},
    {"US$ per million calls", "US$ per million calls", kAll,
     [](const ReportView& view) { return AmountText(view.mix.usd_per_million_calls); },
     [](const ReportView& view) { return std::optional(view.mix.usd_per_million_calls); },
     "measured", [](const ReportView&) { return std::string("of this mix, on demand"); }},
    {"Stored", "stored", kAll, [](const ReportView& view) { return BytesText(StoredBytes(view)); },
     [](const ReportView& view) { return std::optional(StoredBytes(view)); }, "measured",
     [](const ReportView& view) {
       return CountedText(static_cast<double>(view.mix.items), "item") + "; indexes " +
              BytesText(view.mix.index_bytes);
     }},
    {"", "errors, throttled", kTerminalTile,
     [](const ReportView& view) {
       return CountText(view.mix.errors) + ", " + CountText(view.mix.throttled);
     }},
    {"First limit, calls a second", "", kPage, CallsOfFirstLimit,
     [](const ReportView& view) {
       return std::optional(view.input->first_limits.empty()
                                ? 0
                                : view.input->first_limits.front().least_calls_per_second);
     },
     "modelled", PlaceOfFirstLimit},
    {"", "errors", kTerminalRow, [](const ReportView& view) { return CountText(view.mix.errors); },
     [](const ReportView& view) { return std::optional(static_cast<double>(view.mix.errors)); }},
    {"", "throttled", kTerminalRow,
     [](const ReportView& view) { return CountText(view.mix.throttled); },
     [](const ReportView& view) { return std::optional(static_cast<double>(view.mix.throttled)); }},
    {"", "US$ a month", kTerminalRow,
     [](const ReportView& view) {
       return view.HasMonth() ? AmountText(view.mix.month_usd) : std::string("-");
     },
     [](const ReportView& view) {
       return view.HasMonth() ? std::optional(view.mix.month_usd) : std::nullopt;
     }},
    {"Findings", "", kPageRow,
     [](const ReportView& view) { return FindingCountsText(*view.input); }, nullptr, ""},
    {"", "findings: severe", kTerminalRow, CountOfSeverity<kSevere>},
    {"", "findings: warning", kTerminalRow, CountOfSeverity<kWarning>},
    {"", "findings: hint", kTerminalRow, CountOfSeverity<kHint>},
};

ReportTiles TilesOf(const ReportView& view) {
  ReportTiles tiles;
  for (const Headline& headline : kHeadlines) {
    const bool in_terminal = (headline.places & kTerminalTile) != 0;
    const bool on_page = (headline.places & kPageTile) != 0;
    if (!in_terminal && !on_page) continue;
    tiles.tiles.push_back({.name = headline.name,
                           .short_name = headline.short_name,
                           .shown = !on_page       ? ShownIn::kTerminal
                                    : !in_terminal ? ShownIn::kPage
                                                   : ShownIn::kBoth,
                           .value = headline.text(view),
                           .note = headline.note ? headline.note(view) : "",
                           .method = headline.method});
  }
  return tiles;
}

std::string PeriodText(const ReportView& view) {
  const Measurement& measurement = view.measurement();
  return (view.is_one_of_several ? view.title + ": " : "") + UtcText(measurement.began_epoch_ms) +
         " to " + UtcText(measurement.ended_epoch_ms) + " UTC, " +
         LengthOfTimeText(view.mix.covered_ms) +
         (measurement.is_running ? "; the measurement still runs" : "");
}

}  // namespace

ReportTable TableOfViews(ReportViews views, const std::string& first_column,
                         const std::string& caption) {
  constexpr std::size_t kMostTitleCharacters = 24;  // in a terminal
  ReportTable table{.caption = caption};
  table.columns.push_back({first_column, ColumnKind::kText, ""});
  for (const ReportView& view : views) {
    table.columns.push_back(
        {view.title, ColumnKind::kNumber, ClippedText(view.title, kMostTitleCharacters)});
  }
  return table;
}

ReportTable ComparedHeadline(ReportViews views, ShownIn medium) {
  ReportTable table =
      TableOfViews(views, "", "The measurements side by side, with differences from the first");
  const unsigned place = medium == ShownIn::kPage ? kPageRow : kTerminalRow;
  const ReportView& first = views.front();
  for (const Headline& headline : kHeadlines) {
    if ((headline.places & place) == 0) continue;
    std::vector<std::string> row = {
        std::string(medium == ShownIn::kPage ? headline.name : headline.short_name)};
    bool is_known = false;
    for (const ReportView& view : views) {
      std::string text = headline.text(view);
      const auto now = headline.figure ? headline.figure(view) : std::nullopt;
      const auto before = headline.figure ? headline.figure(first) : std::nullopt;
      if (&view != &first && now && before) text += " (" + ChangeText(*now, *before) + ")";
      is_known = is_known || !headline.figure || now;
      row.push_back(std::move(text));
    }
    row.emplace_back(headline.method);
    if (is_known) table.rows.push_back(std::move(row));
  }
  table.columns.push_back({"Method", ColumnKind::kText, {}, ShownIn::kPage});
  return table;
}

ReportParts HeaderOfPage(ReportViews views) {
  ReportParts parts;
  for (const ReportView& view : views) {
    parts.push_back(ReportParagraph{.text = PeriodText(view), .css_class = "period"});
  }
  if (views.size() == 1) {
    parts.push_back(TilesOf(views.front()));
    return parts;
  }
  parts.push_back(ComparedHeadline(views, ShownIn::kPage));
  for (const ReportView& view : views) {
    parts.push_back(ReportParagraph{.text = view.title + ": first limit " + PlaceOfFirstLimit(view),
                                    .css_class = "note"});
  }
  return parts;
}

ReportParts TerminalHeadline(const ReportView& view) {
  const Measurement& measurement = view.measurement();
  ReportParts parts = {ReportParagraph{"Measurement " + ClippedText(view.title, 40) + ", " +
                                       UtcText(measurement.began_epoch_ms) + " UTC, " +
                                       LengthOfTimeText(view.mix.covered_ms) +
                                       (measurement.is_running ? ", still running" : "")},
                       ReportBlankLine{}, TilesOf(view)};
  const ReportedMonth& month = view.input->month;
  if (!month.basis.empty()) parts.push_back(ReportParagraph{MonthText(month)});
  return parts;
}

}  // namespace hashrange
