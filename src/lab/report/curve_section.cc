// What a month is expected to cost, and where the first limits are, while a number of the file
// changes.

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "lab/plan/request/pattern_plan.h"
#include "lab/report/lab_report.h"
#include "lab/report/lab_sections.h"
#include "lab/report/lab_sentences.h"
#include "measure/number_text.h"
#include "measure/report/json_report_members.h"

namespace hashrange {
namespace {

constexpr std::string_view kHowExpected =
    "Expected from the declarations, with no run: a run confirms the declared number only. The "
    "headroom is the multiple of the rates at which the first limit is met, once tables are warm.";

// --- Sentences ---

std::string CrossingText(const CurveCrossing& crossing) {
  const std::string from = "From " + crossing.text + " on, ";
  if (crossing.kind == CurveCrossing::Kind::kCheapest) {
    return from + QuotedName(crossing.layout) + " is the cheapest; below, " +
           QuotedName(crossing.cheapest_before) + " is.";
  }
  const std::string of = "the headroom of " + QuotedName(crossing.layout) + " is ";
  const std::string number = NumberText(crossing.headroom);
  const std::string place = LimitPlaceText(crossing.limit);
  if (crossing.is_below) return from + of + "below " + number + ": " + place + ".";
  return from + of + "at least " + number + "; below, it is not: " + place + ".";
}

// Returns the layout that is the cheapest at all points; nothing where that changes, or where fewer
// than two are compared.
std::optional<std::string> AlwaysCheapest(const ForecastCurve& curve) {
  const bool changes =
      std::ranges::count(curve.crossings, CurveCrossing::Kind::kCheapest, &CurveCrossing::kind) > 0;
  if (changes || curve.layouts.size() < curve.not_compared.size() + 2) return std::nullopt;
  const auto point = std::ranges::find_if(
      curve.points, [](const CurvePoint& one) { return one.cheapest.has_value(); });
  if (point == curve.points.end()) return std::nullopt;
  return point->layouts[*point->cheapest].layout;
}

// Returns the patterns, quoted, that the month of the layout lacks at any point.
std::vector<std::string> MissingPatterns(const ForecastCurve& curve, const std::string& layout) {
  std::vector<std::string> missing;
  for (const CurvePoint& point : curve.points) {
    const auto found = std::ranges::find(point.layouts, layout, &LayoutForecast::layout);
    if (found == point.layouts.end()) continue;
    for (const auto* const names : {&found->impossible, &found->unknown}) {
      for (const std::string& name : *names) AddName(QuotedName(name), missing);
    }
  }
  return missing;
}

// --- The table ---

std::string MonthOfForecast(const LayoutForecast& layout) {
  if (!layout.month_usd) return "-";
  std::string text = AmountText(*layout.month_usd);
  return layout.HasAllPatterns() ? text : text.append(kMissingInMonth);
}

std::string ForecastHeadroomText(const LayoutForecast& layout) {
  return layout.first_limit ? NumberText(layout.first_limit->multiple_of_declared) + " ×" : "-";
}

ReportTable CurveTable(const ForecastCurve& curve) {
  ReportTable table{.caption = "US$ a month and headroom, by " + curve.path, .group_columns = 2};
  table.columns = {{curve.path, ColumnKind::kText, ""}};
  for (const std::string& layout : curve.layouts) {
    table.columns.push_back(
        {layout + ": US$ a month", ColumnKind::kNumber, ShortLayoutName(layout) + " US$"});
    table.columns.push_back({"headroom"});
  }
  for (const CurvePoint& point : curve.points) {
    std::vector<std::string> row = {point.text + (point.is_declared ? " (declared)" : "")};
    for (std::size_t at = 0; at < curve.layouts.size(); ++at) {
      const bool is_known = at < point.layouts.size();
      row.push_back(is_known ? MonthOfForecast(point.layouts[at]) : "-");
      row.push_back(is_known ? ForecastHeadroomText(point.layouts[at]) : "-");
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

// --- The plots ---

using FigureOfForecast = std::optional<double> (*)(const LayoutForecast&);

// What one plot shows: a line for each layout over the points that the file can have.
struct CurveFigure {
  std::string_view name;
  FigureOfForecast figure;
};
constexpr CurveFigure kCurveFigures[] = {
    {"US$ a month", [](const LayoutForecast& layout) { return layout.month_usd; }},
    {"Headroom, × the rates",
     [](const LayoutForecast& layout) {
       return layout.first_limit ? std::optional(layout.first_limit->multiple_of_declared)
                                 : std::nullopt;
     }},
};

void AddCurveFigure(const ForecastCurve& curve, const CurveFigure& shown, ReportParts& parts) {
  LinePlot plot{.is_log = curve.is_logarithmic};
  std::vector<const CurvePoint*> points;
  for (const CurvePoint& point : curve.points) {
    if (point.refused.empty()) points.push_back(&point);
  }
  for (std::size_t at = 0; at < points.size(); ++at) {
    plot.ticks.push_back({(static_cast<double>(at) + 0.5) / static_cast<double>(points.size()),
                          points[at]->text + (points[at]->is_declared ? " *" : "")});
  }
  for (std::size_t layout = 0; layout < std::min(curve.layouts.size(), kSeriesColours); ++layout) {
    std::vector<double> line;
    for (const CurvePoint* const point : points) {
      if (const auto figure = shown.figure(point->layouts[layout])) line.push_back(*figure);
    }
    if (line.size() < points.size()) continue;  // a line has a value at each point
    plot.series.push_back(curve.layouts[layout]);
    plot.lines.push_back(std::move(line));
  }
  if (plot.series.empty()) return;
  const std::string name = std::string(shown.name) + ", by " + curve.path;
  parts.push_back(
      ReportFigure{.caption = name,
                   .method = "modelled",
                   .note = "* is the declared number.",
                   .title = name,
                   .description = "One line for each layout; the table has the figures.",
                   .plot = std::move(plot)});
}

void WriteForecast(const LayoutForecast& layout, JsonWriter& writer) {
  WriteTextMember("name", layout.layout, writer);
  WriteFigureMember("month_usd", layout.month_usd, writer);
  WriteObjectMember("first_limit", layout.first_limit.has_value(), writer, [&] {
    const LimitRow& row = *layout.first_limit;
    WriteFigureMember("multiple_of_declared", row.multiple_of_declared, writer);
    WriteLimitPlace(row, writer);
    WriteFigureMember("limit_units_per_second", row.limit, writer);
  });
  WriteTextsMember("impossible", layout.impossible, writer);
  WriteTextsMember("unknown", layout.unknown, writer);
}

void WriteCrossing(const CurveCrossing& crossing, JsonWriter& writer) {
  const bool is_headroom = crossing.kind == CurveCrossing::Kind::kHeadroom;
  WriteTextMember("what", is_headroom ? "headroom" : "cheapest", writer);
  WriteFigureMember("from", crossing.number, writer);
  WriteTextMember("layout", crossing.layout, writer);
  if (is_headroom) {
    WriteFigureMember("headroom", crossing.headroom, writer);
    writer.BoolMember("is_below", crossing.is_below);
  } else {
    WriteTextMember("cheapest_before", crossing.cheapest_before, writer);
  }
  WriteTextMember("sentence", CrossingText(crossing), writer);
}

}  // namespace

std::vector<std::string> CurveSentences(const ForecastCurve& curve) {
  std::vector<std::string> sentences;
  if (const auto cheapest = AlwaysCheapest(curve)) {
    sentences.push_back(QuotedName(*cheapest) + " is the cheapest at all of these.");
  }
  for (const CurveCrossing& crossing : curve.crossings) {
    sentences.push_back(CrossingText(crossing));
  }
  for (const std::string& layout : curve.not_compared) {
    const std::vector<std::string> missing = MissingPatterns(curve, layout);
    sentences.push_back(QuotedName(layout) + " is not compared: its month lacks " +
                        (missing.empty() ? "every pattern" : ListText(missing)) + ".");
  }
  for (const CurvePoint& point : curve.points) {
    if (!point.refused.empty()) {
      sentences.push_back("With " + point.text + ", the file is refused: " + point.refused + ".");
    }
  }
  return sentences;
}

ReportParts CurveParts(const LabView& view) {
  if (view.result.curves.empty()) return {};
  ReportParts parts = {ReportParagraph{.text = std::string(kHowExpected), .css_class = "note"}};
  for (const ForecastCurve& curve : view.result.curves) {
    for (const CurveFigure& figure : kCurveFigures) AddCurveFigure(curve, figure, parts);
    parts.push_back(ListOf(CurveSentences(curve)));
    parts.push_back(CurveTable(curve));
  }
  return parts;
}

std::vector<ReportSection> TerminalCurves(const std::vector<ForecastCurve>& curves) {
  std::vector<ReportSection> sections;
  for (const ForecastCurve& curve : curves) {
    AddSection("US$ a month and headroom, by " + curve.path,
               {CurveTable(curve), ReportBlankLine{}, ListOf(CurveSentences(curve)),
                ReportParagraph{std::string(kHowExpected)}},
               sections);
  }
  return sections;
}

void WriteCurvesMember(const std::vector<ForecastCurve>& curves, JsonWriter& writer) {
  if (curves.empty()) return;
  WriteObjectsMember("curves", curves, writer, [&](const ForecastCurve& curve) {
    WriteTextMember("path", curve.path, writer);
    WriteTextMember("declared", TextOfNumber(curve.declared), writer);
    WriteObjectsMember("points", curve.points, writer, [&](const CurvePoint& point) {
      WriteFigureMember("number", point.number, writer);
      WriteTextMember("text", point.text, writer);
      writer.BoolMember("is_declared", point.is_declared);
      if (!point.refused.empty()) WriteTextMember("refused", point.refused, writer);
      WriteObjectsMember("layouts", point.layouts, writer,
                         [&](const LayoutForecast& layout) { WriteForecast(layout, writer); });
    });
    WriteObjectsMember("crossings", curve.crossings, writer,
                       [&](const CurveCrossing& crossing) { WriteCrossing(crossing, writer); });
    WriteTextsMember("not_compared", curve.not_compared, writer);
  });
}

}  // namespace hashrange
