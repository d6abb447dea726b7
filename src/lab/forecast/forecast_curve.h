// ForecastCurve: what the layouts of a lab file are expected to cost, and how far their first
// limits are, while one number of the file goes from one value to another. Nothing is run. Pure
// functions; any thread.
//
//   rates.submit a score   one key: US$, headroom   ten shards: US$, headroom
//   1/s                    12.10    1,000 ×         164.20   80 ×
//   10/s                   …
//   from 331/s on, "ten shards" is the cheapest
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/forecast/layout_forecast.h"
#include "lab/forecast/varied_file.h"
#include "lab/language/lab_document.h"
#include "lab/language/lab_reader.h"

namespace hashrange {

struct CurvePoint {
  double number = 0;
  std::string text = {};  // as the file would have it: "20/s"
  bool is_declared = false;
  std::string refused = {};  // why the file cannot have this number; there are no layouts then
  std::vector<LayoutForecast> layouts = {};  // in the order of ForecastCurve::layouts
  // The place of the cheapest of the layouts that are compared, of equals the first one.
  std::optional<std::size_t> cheapest = {};
};

// Where something changes between two points. It was looked for there, to 1 % or the next whole
// number.
struct CurveCrossing {
  enum class Kind : std::uint8_t { kCheapest, kHeadroom };
  Kind kind = Kind::kCheapest;
  double number = 0;  // from this number on
  std::string text = {};
  std::string layout = {};           // is the cheapest, or has the headroom
  std::string cheapest_before = {};  // of kCheapest
  // Of kHeadroom: which headroom is passed, and whether what follows is below it.
  double headroom = 0;
  bool is_below = false;
  LimitRow limit = {};  // the first limit of the layout where the headroom is below
};

struct ForecastCurve {
  std::string path = {};
  NumberWithUnit declared = {};
  bool is_logarithmic = false;  // the points are as many times the one before, not as much more
  std::vector<std::string> layouts = {};
  std::vector<CurvePoint> points = {};  // ascending; the declared number is one where it is inside
  std::vector<CurveCrossing> crossings = {};
  // Layouts that are not asked whether they are the cheapest, as they lack patterns.
  std::vector<std::string> not_compared = {};
};

// Returns the curve of one range, for all layouts or those that are named. `document` is the tree
// of a file that ReadLabFile reads; `name` is the file's name, for sentences.
// Errors: as VariedFile::Find and ForecastLayouts; ValidationException  `stop` became true before
//         the end
// Cost: ten forecasts, and about ten of one layout for each crossing.
Result<ForecastCurve> DrawForecastCurve(const LabNode& document, std::string_view name,
                                        const VariedRange& range,
                                        const std::vector<std::string>& only_layouts,
                                        const std::atomic<bool>* stop = nullptr);

// Returns the curves of several ranges, each written as ReadVariedRange reads it.
// Errors: as ReadVariedRange and DrawForecastCurve
Result<std::vector<ForecastCurve>> DrawForecastCurves(const LoadedLab& lab,
                                                      const std::vector<std::string>& varied,
                                                      const std::vector<std::string>& only_layouts,
                                                      const std::atomic<bool>* stop);

}  // namespace hashrange
