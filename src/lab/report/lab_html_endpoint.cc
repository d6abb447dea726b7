#include "lab/report/lab_endpoint_tables.h"
#include "lab/report/lab_html_sections.h"
#include "measure/report/html_figure.h"

namespace hashrange {

void WriteCallsAtEndpoint(const LabPage& page, HtmlWriter& html) {
  html.Element("p", EndpointTitle(*page.result.endpoint) + ".");
  for (const LabEndpointTables& tables : EndpointTablesOf(page.file, page.result)) {
    for (const FigureTable& table : tables.tables) WriteTable(table, html);
    if (tables.sentences.empty()) continue;
    html.Element("h3", tables.layout);
    html.Open("ul", {{"class", "assumptions"}});
    for (const std::string& sentence : tables.sentences) html.Element("li", sentence);
    html.Close("ul");
  }
}

}  // namespace hashrange
