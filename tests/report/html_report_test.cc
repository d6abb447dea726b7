#include "report/html_report.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "report/example_measurement.h"

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
  Put("one.html", HtmlReport({&one, 1}));
  const ReportInput both[] = {one, ten};
  Put("both.html", HtmlReport(both));
  Put("hostile.html", HtmlReport({&hostile, 1}));
}

}  // namespace
}  // namespace hashrange
