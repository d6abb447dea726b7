#include "measure/report/html_page.h"

#include <cstddef>

#include "measure/report/report_style.h"

namespace hashrange {
namespace {

// Even if a text of the traffic were not escaped somewhere, the browser would run and load nothing.
constexpr std::string_view kHead =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
    "'unsafe-inline'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"referrer\" content=\"no-referrer\">\n";

void WriteContents(std::span<const PageSection> sections, HtmlWriter& html) {
  html.Open("nav", {{"aria-label", "Contents"}});
  html.Open("ul");
  for (const PageSection& section : sections) {
    html.Open("li");
    html.Element("a", section.name, {{"href", "#" + std::string(section.id)}});
    html.Close("li");
  }
  html.Close("ul");
  html.Close("nav");
}

void WriteSection(const PageSection& section, HtmlWriter& html) {
  const std::string heading = std::string(section.id) + "-heading";
  html.Open("section", {{"id", section.id}, {"aria-labelledby", heading}});
  html.Element("h2", section.heading, {{"id", heading}});
  if (!section.intro.empty()) html.Element("p", section.intro, {{"class", "intro"}});
  const std::size_t before = html.size();
  section.write(html);
  if (html.size() == before) html.Element("p", section.nothing);
  html.Close("section");
}

}  // namespace

std::string HtmlPage(const PageBegin& begin, std::span<const PageSection> sections) {
  HtmlWriter html;
  html.Raw(kHead);
  html.Element("title", begin.title);
  html.Raw("<style>");
  html.Raw(kReportStyle);
  html.Raw("</style>\n</head>\n<body>\n");
  html.Element("a", begin.skip_text,
               {{"class", "skip"}, {"href", "#" + std::string(begin.skip_id)}});
  html.Raw(kReportHatchings);
  begin.write(html);
  WriteContents(sections, html);
  html.Open("main");
  for (const PageSection& section : sections) WriteSection(section, html);
  html.Close("main");
  html.Raw("</body>\n</html>\n");
  return html.Take();
}

}  // namespace hashrange
