// The style sheet of the HTML report, and the hatchings of its plots. Constants.
#pragma once

#include <string_view>

namespace hashrange {

// Light and dark, narrow and wide, screen and paper. Series are s0 to s5 with the hatchings p1 to
// p5; reads and writes have one colour each everywhere; heat is that colour in eight strengths.
extern const std::string_view kReportStyle;

// An SVG without size that holds the hatchings; it stands before the first plot.
extern const std::string_view kReportHatchings;

}  // namespace hashrange
