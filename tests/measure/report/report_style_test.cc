#include "measure/report/html_page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace hashrange {
namespace {

using Palette = std::map<std::string, std::string>;  // "ink" to "1b1f24"

// Returns the colours of each `:root { … }`: light, dark, paper.
std::vector<Palette> PalettesOf(std::string_view style) {
  std::vector<Palette> palettes;
  for (std::size_t at = style.find(":root {"); at != std::string_view::npos;
       at = style.find(":root {", at + 1)) {
    const std::string_view block = style.substr(at, style.find('}', at) - at);
    Palette palette;
    for (std::size_t name = block.find("--"); name != std::string_view::npos;
         name = block.find("--", name + 2)) {
      const std::size_t colon = block.find(':', name);
      if (block[colon + 2] != '#') continue;
      palette.emplace(block.substr(name + 2, colon - name - 2), block.substr(colon + 3, 6));
    }
    palettes.push_back(std::move(palette));
  }
  return palettes;
}

// The relative luminance of WCAG 2.
double LuminanceOf(const std::string& colour) {
  const double weights[] = {0.2126, 0.7152, 0.0722};
  double luminance = 0;
  for (std::size_t at = 0; at < 3; ++at) {
    const double part =
        static_cast<double>(std::strtol(colour.substr(at * 2, 2).c_str(), nullptr, 16)) / 255;
    luminance +=
        weights[at] * (part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4));
  }
  return luminance;
}

double ContrastOf(const std::string& a, const std::string& b) {
  const double one = LuminanceOf(a);
  const double other = LuminanceOf(b);
  return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
}

TEST(ReportStyle, TextAndPlotsStandOutFromTheGround) {
  const std::vector<Palette> palettes = PalettesOf(kReportStyle);
  ASSERT_EQ(palettes.size(), 3U);
  for (const Palette& palette : palettes) {
    for (const char* text : {"ink", "muted", "limit", "write", "accent"}) {
      EXPECT_GE(ContrastOf(palette.at(text), palette.at("ground")), 4.5) << text;
    }
    for (const char* drawn : {"read", "write", "c0", "c1", "c2", "c3", "c4", "c5"}) {
      EXPECT_GE(ContrastOf(palette.at(drawn), palette.at("ground")), 3) << drawn;
    }
  }
}

TEST(ReportStyle, NoTextIsSmallerThan12Pixels) {
  const std::string style(kReportStyle);
  std::size_t sizes = 0;
  for (std::size_t at = style.find("font-size: "); at != std::string::npos;
       at = style.find("font-size: ", at + 1)) {
    char* unit = nullptr;
    const double number = std::strtod(style.c_str() + at + 11, &unit);
    const bool is_rem = std::string_view(unit).starts_with("rem;");
    EXPECT_TRUE(is_rem || std::string_view(unit).starts_with("px;")) << style.substr(at, 30);
    EXPECT_GE(is_rem ? number * 16 : number, 12) << style.substr(at, 30);
    ++sizes;
  }
  EXPECT_GT(sizes, 10U);
}

}  // namespace
}  // namespace hashrange
