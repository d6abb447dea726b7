#include "measure/report/html_page.h"

#include "measure/number_text.h"
#include "measure/report/html_writer.h"
#include "measure/report/readable_text.h"

namespace hashrange {
namespace {

// A key may have 2,048 bytes; what tells keys apart is usually at either end.
constexpr std::size_t kMostCellCharacters = 1000;
constexpr std::size_t kMostColumnNameCharacters = 60;

// Even if a text of the traffic were not escaped somewhere, the browser would run and load nothing.
constexpr std::string_view kHead =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
    "'unsafe-inline'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"referrer\" content=\"no-referrer\">\n";

std::string_view ClassOf(ColumnKind kind) {
  constexpr std::string_view kClasses[] = {"number", "words", "code"};
  return kClasses[static_cast<std::size_t>(kind)];
}

// Writes a mark that says how a figure came about: "measured", "modelled" or "extrapolated".
void WriteMethod(std::string_view method, HtmlWriter& html) {
  html.Element("span", method, {{"class", "method"}});
}

// --- The parts of a section ---

void WriteCell(const ReportColumn& column, const std::string& text, bool names_the_row,
               HtmlWriter& html) {
  const std::string_view tag = names_the_row ? "th" : "td";
  if (names_the_row) {
    html.Open(tag, {{"scope", "row"}, {"class", ClassOf(column.kind)}});
  } else {
    html.Open(tag, {{"class", ClassOf(column.kind)}});
  }
  // Text of the traffic may be in a script that runs to the left; it must not turn the row around.
  html.Open("bdi");
  html.Text(ClippedText(text, kMostCellCharacters));
  html.Raw("</bdi>");
  html.Close(tag);
}

void WriteTable(const ReportTable& table, const std::string& caption, HtmlWriter& html) {
  // A region that scrolls has to be reachable by keyboard.
  html.Open("div",
            {{"class", "scroll"}, {"role", "region"}, {"tabindex", "0"}, {"aria-label", caption}});
  html.Open("table");
  html.Element("caption", caption);
  html.Open("thead");
  html.Open("tr");
  for (const ReportColumn& column : table.columns) {
    if (column.shown == ShownIn::kTerminal) continue;
    html.Element("th", ClippedText(column.name, kMostColumnNameCharacters),
                 {{"scope", "col"}, {"class", ClassOf(column.kind)}});
  }
  html.Close("tr");
  html.Close("thead");
  html.Open("tbody");
  for (const std::vector<std::string>& row : table.rows) {
    html.Open("tr");
    bool names_the_row = true;
    for (std::size_t at = 0; at < row.size(); ++at) {
      if (table.columns[at].shown == ShownIn::kTerminal) continue;
      WriteCell(table.columns[at], row[at], names_the_row, html);
      names_the_row = false;
    }
    html.Close("tr");
  }
  html.Close("tbody");
  html.Close("table");
  html.Close("div");
}

void Write(const ReportTable& table, HtmlWriter& html) { WriteTable(table, table.caption, html); }

void Write(const ReportFigure& figure, HtmlWriter& html) {
  html.Open("figure");
  html.Open("figcaption");
  html.Open("span", {{"class", "caption"}});
  html.Text(figure.caption);
  html.Raw("</span> ");
  WriteMethod(figure.method, html);
  if (!figure.note.empty()) html.Element("p", figure.note, {{"class", "note"}});
  html.Close("figcaption");
  WritePlot(figure.plot, {figure.title.empty() ? figure.caption : figure.title, figure.description},
            html);
  if (figure.details) {
    const ReportTable& table = *figure.details;
    html.Open("details");
    html.Element("summary", "These figures as a table (" +
                                CountedText(static_cast<double>(table.rows.size()), "row") + ")");
    WriteTable(table, table.caption.empty() ? figure.caption : table.caption, html);
    html.Close("details");
  }
  for (const ReportTable& table : figure.tables) Write(table, html);
  html.Close("figure");
}

void Write(const ReportParagraph& paragraph, HtmlWriter& html) {
  if (paragraph.is_strong) {
    html.Open("p");
    html.Element("strong", paragraph.text);
    html.Close("p");
  } else if (paragraph.css_class.empty()) {
    html.Element("p", paragraph.text);
  } else {
    html.Element("p", paragraph.text, {{"class", paragraph.css_class}});
  }
}

void Write(const ReportHeading& heading, HtmlWriter& html) { html.Element("h3", heading.text); }

void Write(const ReportBlankLine&, HtmlWriter&) {}

void Write(const ReportLines& lines, HtmlWriter& html) {
  html.Open("pre", {{"class", "request"}, {"tabindex", "0"}});
  for (const std::string& line : lines.lines) {
    html.Text(line);
    html.Raw("\n");
  }
  html.Close("pre");
}

void Write(const ReportList& list, HtmlWriter& html) {
  html.Open("ul", {{"class", list.css_class}});
  for (const ReportSentence& sentence : list.sentences) {
    html.Open("li");
    html.Text(sentence.text);
    if (!sentence.method.empty()) {
      html.Raw(" ");
      WriteMethod(sentence.method, html);
    }
    html.Close("li");
  }
  html.Close("ul");
}

void Write(const ReportTiles& tiles, HtmlWriter& html) {
  html.Open("dl", {{"class", "tiles"}});
  for (const ReportTile& tile : tiles.tiles) {
    if (tile.shown == ShownIn::kTerminal) continue;
    html.Open("div");
    html.Element("dt", tile.name);
    html.Element("dd", tile.value, {{"class", "big"}});
    html.Open("dd", {{"class", "under"}});
    html.Text(tile.note);
    html.Raw(" ");
    WriteMethod(tile.method, html);
    html.Close("dd");
    html.Close("div");
  }
  html.Close("dl");
}

void WriteFact(const FindingFact& fact, HtmlWriter& html) {
  html.Element("dt", fact.name);
  html.Open("dd");
  html.Element("bdi", fact.text);
  if (!fact.method.empty()) {
    html.Raw(" ");
    WriteMethod(fact.method, html);
  }
  html.Close("dd");
}

void Write(const ReportCards& cards, HtmlWriter& html) {
  html.Open("ol", {{"class", "findings"}});
  for (const FindingCard& finding : cards.findings) {
    html.Open("li", {{"class", "finding " + finding.severity}});
    html.Open("p", {{"class", "what"}});
    html.Element("span", finding.severity, {{"class", "severity"}});
    html.Text(finding.what);
    html.Raw(" ");
    html.Element("span", finding.rule, {{"class", "rule"}});
    html.Close("p");
    html.Open("dl");
    for (const FindingFact& fact : finding.facts) {
      if (!fact.text.empty()) WriteFact(fact, html);
    }
    html.Close("dl");
    html.Close("li");
  }
  html.Close("ol");
}

void WriteParts(const ReportParts& parts, HtmlWriter& html);

void Write(const ReportDetails& details, HtmlWriter& html) {
  html.Open("details");
  html.Element("summary", details.summary);
  WriteParts(details.parts, html);
  html.Close("details");
}

void WriteParts(const ReportParts& parts, HtmlWriter& html) {
  for (const ReportPart& part : parts) {
    std::visit([&](const auto& each) { Write(each, html); }, part);
  }
}

// --- The page ---

void WriteHeader(const ReportPage& page, HtmlWriter& html) {
  html.Open("header");
  html.Element("p", page.eyebrow, {{"class", "eyebrow"}});
  html.Open("h1");
  html.Text(page.heading);
  for (std::size_t at = 0; at < page.names.size(); ++at) {
    if (at > 0) html.Text(" against ");
    html.Element("bdi", page.names[at]);
  }
  html.Close("h1");
  WriteParts(page.header, html);
  html.Close("header");
}

void WriteContents(const ReportPage& page, HtmlWriter& html) {
  html.Open("nav", {{"aria-label", "Contents"}});
  html.Open("ul");
  for (const ReportSection& section : page.sections) {
    html.Open("li");
    html.Element("a", section.name, {{"href", "#" + std::string(section.id)}});
    html.Close("li");
  }
  html.Close("ul");
  html.Element("p", "A table that is wider than the screen has a shadow at its side: it scrolls.",
               {{"class", "note sideways"}});
  html.Close("nav");
}

void WriteSection(const ReportSection& section, HtmlWriter& html) {
  const std::string heading = std::string(section.id) + "-heading";
  html.Open("section", {{"id", section.id}, {"aria-labelledby", heading}});
  html.Element("h2", section.heading, {{"id", heading}});
  if (!section.intro.empty()) html.Element("p", section.intro, {{"class", "intro"}});
  WriteParts(section.parts, html);
  if (section.parts.empty()) html.Element("p", section.nothing);
  html.Close("section");
}

}  // namespace

std::string HtmlPage(const ReportPage& page) {
  HtmlWriter html;
  html.Raw(kHead);
  html.Element("title", page.title);
  html.Raw("<style>");
  html.Raw(kReportStyle);
  html.Raw("</style>\n</head>\n<body>\n");
  html.Element("a", page.skip_text, {{"class", "skip"}, {"href", "#" + std::string(page.skip_id)}});
  html.Raw(kReportHatchings);
  WriteHeader(page, html);
  WriteContents(page, html);
  html.Open("main");
  for (const ReportSection& section : page.sections) WriteSection(section, html);
  html.Close("main");
  html.Raw("</body>\n</html>\n");
  return html.Take();
}

}  // namespace hashrange
