#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "base/utf8.h"
#include "lab/report/lab_example.h"
#include "lab/report/lab_report.h"
#include "support/golden_text.h"
#include "support/html_tags.h"

namespace hashrange {
namespace {

// The pages of all examples. HASHRANGE_WRITE_REPORTS=folder writes them, to be looked at.
std::map<std::string, std::string> AllPages() {
  LabFile limited = ShopLab();
  limited.limits_of_all.headroom = 5;
  LabResult stopped;
  stopped.runs = {{.layout = "one key", .is_partial = true}};
  std::map<std::string, std::string> pages = {
      {"lab-two", LabHtmlReport(limited, ShopLabResult())},
      {"lab-endpoint", LabHtmlReport(ShopLab(), ShopLabAtEndpoint())},
      {"lab-scales", LabHtmlReport(ShopLab(), ShopLabAtTwoScales())},
      {"lab-hostile", LabHtmlReport(HostileLab(), HostileLabResult())},
      {"lab-stopped", LabHtmlReport(ShopLab(), stopped)},
      {"lab-empty", LabHtmlReport(ShopLab(), {})}};
  if (const char* const folder = std::getenv("HASHRANGE_WRITE_REPORTS")) {
    for (const auto& [name, page] : pages) {
      std::ofstream(std::string(folder) + "/" + name + ".html") << page;
    }
  }
  return pages;
}

// Returns the part of the page that compares the layouts.
std::string LabPartOf(const std::string& page) {
  const std::size_t begin = page.find("<header>");
  const std::size_t end = page.find("<section id=\"findings\"");
  return page.substr(begin, end - begin);
}

TEST(LabHtmlReport, LayoutsAreCompared) {
  ExpectGolden("tests/lab/report/golden/two.html", LabPartOf(AllPages()["lab-two"]));
}

TEST(LabHtmlReport, CallsAtAnEndpointAreASection) {
  const std::string page = AllPages()["lab-endpoint"];
  const std::size_t begin = page.find("<section id=\"endpoint\"");
  ASSERT_NE(begin, page.npos);
  const std::size_t end = page.find("</section>", begin);
  ExpectGolden("tests/lab/report/golden/endpoint.html", page.substr(begin, end - begin) + "\n");
  EXPECT_EQ(AllPages()["lab-two"].find("id=\"endpoint\""), page.npos);
}

TEST(LabHtmlReport, EverySectionIsListedAndEveryIdIsUnique) {
  for (const auto& [name, page] : AllPages()) {
    std::set<std::string> ids;
    std::set<std::string> links;
    for (const HtmlTag& tag : TagsOf(page)) {
      if (const auto id = tag.attributes.find("id"); id != tag.attributes.end()) {
        EXPECT_TRUE(ids.insert(id->second).second) << name << ": " << id->second;
      }
      const auto link = tag.attributes.find("href");
      if (link != tag.attributes.end()) links.insert(link->second.substr(1));
    }
    for (const std::string& link : links) EXPECT_TRUE(ids.contains(link)) << name << ": " << link;
  }
}

TEST(LabHtmlReport, SectionsOfAMeasurementAreThereForAllLayouts) {
  const std::string page = AllPages()["lab-scales"];
  for (const char* const id : {"layouts", "patterns", "growth", "trials", "plans", "findings",
                               "cost", "keys", "collections", "assumptions", "notes"}) {
    EXPECT_NE(page.find("<section id=\"" + std::string(id) + "\""), page.npos) << id;
  }
  EXPECT_EQ(AllPages()["lab-two"].find("<section id=\"growth\""), std::string::npos);
}

TEST(LabHtmlReport, FirstErrorOfAPatternIsANote) {
  LabResult result = ShopLabResult();
  result.runs[0].patterns[3].error = "PutItem was answered by ValidationException: <b>";
  const std::string page = LabHtmlReport(ShopLab(), result);
  const std::size_t notes = page.find("<section id=\"notes\"");
  EXPECT_NE(page.find("had calls that failed by an error. The first: PutItem was answered by "
                      "ValidationException: &lt;b&gt;.",
                      notes),
            page.npos);
}

TEST(LabHtmlReport, TagsAreNestedAndNothingOfTheFileIsATag) {
  for (const auto& [name, page] : AllPages()) {
    EXPECT_EQ(NestingProblem(TagsOf(page)), "") << name;
    EXPECT_EQ(page.find("<script"), page.npos) << name;
    EXPECT_TRUE(IsValidUtf8(page)) << name;
    EXPECT_EQ(page.find('\x1B'), page.npos) << name;
    EXPECT_EQ(page.find("\xE2\x80\xAE"), page.npos) << name;
    EXPECT_EQ(page.find("nan"), page.npos) << name;
  }
}

}  // namespace
}  // namespace hashrange
