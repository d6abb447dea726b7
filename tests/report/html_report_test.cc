#include "report/html_report.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "report/example_measurement.h"
#include "report/report_json.h"
#include "report/text_report.h"

namespace hashrange {
namespace {

void Put(const std::string& name, const std::string& text) {
  const char* folder = std::getenv("HR_WRITE_REPORTS");
  if (folder != nullptr) std::ofstream(std::string(folder) + "/" + name) << text;
}

TEST(HtmlReport, Draft) {
  const ReportInput one = ShopWithOneCustomerKey();
  const ReportInput ten = ShopWithTenCustomerKeys();
  const ReportInput hostile = HostileShop();
  OutputBuffer out;
  JsonWriter writer(out);
  const ReportInput all[] = {one, ten};
  WriteReportJson(all, writer);
  Put("both.json", std::string(out.view()));
  Put("one.txt", TextReport({&one, 1}, {.columns = 100}));
  Put("one80.txt", TextReport({&one, 1}, {.columns = 80, .has_colour = true}));
  Put("both.txt", TextReport(all, {.columns = 100}));
  Put("hostile.txt", TextReport({&hostile, 1}, {.columns = 100}));
  Put("one.html", HtmlReport({&one, 1}));
  const ReportInput both[] = {one, ten};
  Put("both.html", HtmlReport(both));
  Put("hostile.html", HtmlReport({&hostile, 1}));
}

}  // namespace
}  // namespace hashrange
