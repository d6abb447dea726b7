#include <string>
#include <utility>
#include <vector>

#include "measure/number_text.h"
#include "measure/report/html_figure.h"
#include "measure/report/html_sections.h"
#include "measure/report/report_time.h"

namespace hashrange {
namespace {

std::string FirstLimitText(const ReportInput& input) {
  if (input.first_limits.empty()) return "not computed";
  const ReportedFirstLimit& first = input.first_limits.front();
  if (first.least_calls_per_second == first.most_calls_per_second) {
    return NumberText(first.most_calls_per_second);
  }
  return NumberText(first.least_calls_per_second) + " to " +
         NumberText(first.most_calls_per_second);
}

std::string FirstLimitNote(const ReportInput& input) {
  if (input.first_limits.empty()) return "";
  const ReportedFirstLimit& first = input.first_limits.front();
  const std::string key = first.key.empty() ? "" : ", " + first.key;
  return ResourceLabel(first.table, first.index) + key + ", " + first.direction + "s";
}

// A headline figure: the same row for one measurement and for several.
struct Headline {
  std::string_view name;
  std::string (*text)(const ReportView&);
  std::string (*note)(const ReportView&);
  std::string_view method;
  double (*compared)(const ReportView&);  // null: differences say nothing
};

std::string ErrorsNote(const ReportView& view) {
  return CountedText(static_cast<double>(view.mix.errors), "error") + ", " +
         CountText(view.mix.throttled) + " throttled";
}

std::string FailedUnits(double units) {
  return units == 0 ? "" : "and " + NumberText(units) + " of failed calls";
}

std::string PerCallText(double units, const ReportView& view, double failed) {
  if (view.mix.calls == 0) return FailedUnits(failed);
  const std::string a_call = NumberText(units / static_cast<double>(view.mix.calls)) + " a call";
  return failed == 0 ? a_call : a_call + ", " + FailedUnits(failed);
}

constexpr Headline kHeadlines[] = {
    {"Calls", [](const ReportView& view) { return CountText(view.mix.calls); }, ErrorsNote,
     "measured", [](const ReportView& view) { return static_cast<double>(view.mix.calls); }},
    {"Read units", [](const ReportView& view) { return NumberText(view.mix.read_units); },
     [](const ReportView& view) {
       return PerCallText(view.mix.read_units, view, view.mix.failed_read_units);
     },
     "measured", [](const ReportView& view) { return view.mix.read_units; }},
    {"Write units", [](const ReportView& view) { return NumberText(view.mix.write_units); },
     [](const ReportView& view) {
       return PerCallText(view.mix.write_units, view, view.mix.failed_write_units);
     },
     "measured", [](const ReportView& view) { return view.mix.write_units; }},
    {"US$ per million calls",
     [](const ReportView& view) { return AmountText(view.mix.usd_per_million_calls); },
     [](const ReportView&) { return std::string("of this mix, on demand"); }, "measured",
     [](const ReportView& view) { return view.mix.usd_per_million_calls; }},
    {"Stored",
     [](const ReportView& view) { return BytesText(view.mix.table_bytes + view.mix.index_bytes); },
     [](const ReportView& view) {
       return CountedText(static_cast<double>(view.mix.items), "item") + "; indexes " +
              BytesText(view.mix.index_bytes);
     },
     "measured",
     [](const ReportView& view) { return view.mix.table_bytes + view.mix.index_bytes; }},
    {"First limit, calls a second",
     [](const ReportView& view) { return FirstLimitText(*view.input); },
     [](const ReportView& view) { return FirstLimitNote(*view.input); }, "modelled",
     [](const ReportView& view) {
       return view.input->first_limits.empty()
                  ? 0
                  : view.input->first_limits.front().least_calls_per_second;
     }},
};

void WriteTiles(const ReportView& view, HtmlWriter& html) {
  html.Open("dl", {{"class", "tiles"}});
  for (const Headline& headline : kHeadlines) {
    html.Open("div");
    html.Element("dt", headline.name);
    html.Element("dd", headline.text(view), {{"class", "big"}});
    html.Open("dd", {{"class", "under"}});
    html.Text(headline.note(view));
    html.Raw(" ");
    WriteMethod(headline.method, html);
    html.Close("dd");
    html.Close("div");
  }
  html.Close("dl");
}

void WriteComparison(std::span<const ReportView> views, HtmlWriter& html) {
  FigureTable table{.caption = "The measurements side by side, with differences from the first"};
  table.columns.push_back({"", ColumnKind::kText});
  for (const ReportView& view : views) table.columns.push_back({view.title, ColumnKind::kNumber});
  table.columns.push_back({"Method", ColumnKind::kText});
  for (const Headline& headline : kHeadlines) {
    std::vector<std::string> row = {std::string(headline.name)};
    for (const ReportView& view : views) {
      std::string text = headline.text(view);
      if (&view != &views.front()) {
        const double now = headline.compared(view);
        text += " (" + ChangeText(now, headline.compared(views.front())) + ")";
      }
      row.push_back(std::move(text));
    }
    row.emplace_back(headline.method);
    table.rows.push_back(std::move(row));
  }
  std::vector<std::string> findings = {"Findings"};
  for (const ReportView& view : views) findings.push_back(FindingCountsText(*view.input));
  findings.emplace_back();  // each finding says its own
  table.rows.push_back(std::move(findings));
  WriteTable(table, html);
  for (const ReportView& view : views) {
    html.Open("p", {{"class", "note"}});
    html.Text(view.title + ": first limit " + FirstLimitNote(*view.input));
    html.Close("p");
  }
}

void WritePeriod(const ReportView& view, bool with_title, HtmlWriter& html) {
  const Measurement& measurement = view.measurement();
  html.Open("p", {{"class", "period"}});
  if (with_title) html.Text(view.title + ": ");
  html.Text(UtcText(measurement.began_epoch_ms) + " to " + UtcText(measurement.ended_epoch_ms) +
            " UTC, " + LengthOfTimeText(view.mix.covered_ms));
  if (measurement.is_running) html.Text("; the measurement still runs");
  html.Close("p");
}

}  // namespace

void WriteHeadline(std::span<const ReportView> views, HtmlWriter& html) {
  html.Open("header");
  html.Element("p", "What the layout costs", {{"class", "eyebrow"}});
  html.Open("h1");
  for (std::size_t at = 0; at < views.size(); ++at) {
    if (at > 0) html.Text(" against ");
    html.Element("bdi", views[at].title);
  }
  html.Close("h1");
  for (const ReportView& view : views) WritePeriod(view, views.size() > 1, html);
  if (views.size() == 1) {
    WriteTiles(views.front(), html);
  } else {
    WriteComparison(views, html);
  }
  html.Close("header");
}

void WriteViewTitle(std::span<const ReportView> views, const ReportView& view, HtmlWriter& html) {
  if (views.size() > 1) html.Element("h3", view.title);
}

std::string CaptionOf(std::span<const ReportView> views, const ReportView& view,
                      const std::string& caption) {
  return views.size() > 1 ? view.title + ": " + caption : caption;
}

}  // namespace hashrange
