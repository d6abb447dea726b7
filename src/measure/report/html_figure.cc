#include "measure/report/html_figure.h"

#include "measure/number_text.h"
#include "measure/report/readable_text.h"

namespace hashrange {
namespace {

// A key may have 2,048 bytes; what tells keys apart is usually at either end.
constexpr std::size_t kMostCellCharacters = 1000;
constexpr std::size_t kMostHeadingCharacters = 60;

std::string_view ClassOf(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::kNumber:
      return "number";
    case ColumnKind::kCode:
      return "code";
    case ColumnKind::kText:
      break;
  }
  return "words";
}

void WriteCell(const TableColumn& column, const std::string& text, bool names_the_row,
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

}  // namespace

void OpenFigure(const FigureHead& head, HtmlWriter& html) {
  html.Open("figure");
  html.Open("figcaption");
  html.Open("span", {{"class", "caption"}});
  html.Text(head.caption);
  html.Raw("</span> ");
  WriteMethod(head.method, html);
  if (!head.note.empty()) html.Element("p", head.note, {{"class", "note"}});
  html.Close("figcaption");
}

void CloseFigure(HtmlWriter& html) { html.Close("figure"); }

void WriteTable(const FigureTable& table, HtmlWriter& html) {
  // A region that scrolls has to be reachable by keyboard.
  html.Open(
      "div",
      {{"class", "scroll"}, {"role", "region"}, {"tabindex", "0"}, {"aria-label", table.caption}});
  html.Open("table");
  html.Element("caption", table.caption);
  html.Open("thead");
  html.Open("tr");
  for (const TableColumn& column : table.columns) {
    html.Element("th", ClippedText(column.name, kMostHeadingCharacters),
                 {{"scope", "col"}, {"class", ClassOf(column.kind)}});
  }
  html.Close("tr");
  html.Close("thead");
  html.Open("tbody");
  for (const std::vector<std::string>& row : table.rows) {
    html.Open("tr");
    for (std::size_t at = 0; at < row.size(); ++at) {
      WriteCell(table.columns[at], row[at], at == 0, html);
    }
    html.Close("tr");
  }
  html.Close("tbody");
  html.Close("table");
  html.Close("div");
}

void WriteDetails(const FigureTable& table, HtmlWriter& html) {
  html.Open("details");
  html.Element("summary", "These figures as a table (" +
                              CountedText(static_cast<double>(table.rows.size()), "row") + ")");
  WriteTable(table, html);
  html.Close("details");
}

void WriteMethod(std::string_view method, HtmlWriter& html) {
  html.Element("span", method, {{"class", "method"}});
}

}  // namespace hashrange
