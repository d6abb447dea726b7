#include "lab/forecast/forecast_curve.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/portable_math.h"
#include "base/stable_sort.h"

namespace hashrange {
namespace {

constexpr int kPoints = 9;
constexpr double kLeastFactorOfLogarithm = 10;
constexpr double kHeadrooms[] = {3, 1};
constexpr double kSameMonthUsd = 0.005;

// Returns the number to three digits.
double Rounded(double number) {
  if (number <= 0) return number;
  const double unit = PortablePow(10, std::floor(PortableLog10(number)) - 2);
  return std::round(number / unit) * unit;
}

class CurveDrawer {
 public:
  CurveDrawer(VariedFile& file, const VariedRange& range, const std::vector<std::string>& layouts,
              const std::atomic<bool>* stop)
      : file_(file), range_(range), only_layouts_(layouts), stop_(stop) {
    curve_.path = range.path;
    curve_.declared = file.declared();
    unit_ = range.unit.empty() ? file.declared().unit : range.unit;
    const double factor = range.is_multiple ? file.declared().number : 1;
    from_ = range.from * factor;
    to_ = range.to * factor;
    // Rates and times may have decimals.
    is_whole_ = unit_.empty() && file.declared().is_whole && (range.is_multiple || range.is_whole);
    curve_.is_logarithmic = from_ > 0 && to_ / from_ >= kLeastFactorOfLogarithm;
  }

  Result<ForecastCurve> Draw() {
    for (const double number : Numbers()) {
      HR_ASSIGN(CurvePoint point, PointAt(number, only_layouts_));
      point.is_declared = IsDeclared(number);
      curve_.points.push_back(std::move(point));
    }
    NameLayouts();
    for (CurvePoint& point : curve_.points) point.cheapest = CheapestAt(point);
    for (std::size_t at = 0; at + 1 < curve_.points.size(); ++at) {
      if (!curve_.points[at].refused.empty() || !curve_.points[at + 1].refused.empty()) continue;
      HR_RETURN_IF_ERROR(FindCheapest(curve_.points[at], curve_.points[at + 1]));
      for (std::size_t layout = 0; layout < curve_.layouts.size(); ++layout) {
        for (const double headroom : kHeadrooms) {
          HR_RETURN_IF_ERROR(
              FindHeadroom(curve_.points[at], curve_.points[at + 1], {layout, headroom}));
        }
      }
    }
    return std::move(curve_);
  }

 private:
  struct AskedHeadroom {
    std::size_t layout = 0;
    double headroom = 0;
  };

  bool IsDeclared(double number) const {
    return unit_ == file_.declared().unit && number == file_.declared().number;
  }

  double NumberAt(double share) const {
    return curve_.is_logarithmic ? from_ * PortablePow(to_ / from_, share)
                                 : from_ + (to_ - from_) * share;
  }

  std::vector<double> Numbers() const {
    std::vector<double> numbers;
    for (int i = 0; i < kPoints; ++i) {
      const bool is_end = i == 0 || i == kPoints - 1;
      double number = i == kPoints - 1 ? to_ : NumberAt(static_cast<double>(i) / (kPoints - 1));
      if (!is_end) number = Rounded(number);
      numbers.push_back(is_whole_ ? std::round(number) : number);
    }
    const double declared = file_.declared().number;
    const bool is_inside = declared > from_ && declared < to_;
    if (is_inside && IsDeclared(declared)) numbers.push_back(declared);
    StableSort(numbers);
    const auto repeated = std::ranges::unique(numbers);
    numbers.erase(repeated.begin(), repeated.end());
    return numbers;
  }

  NumberWithUnit WithUnit(double number) const { return {number, unit_, is_whole_}; }

  Result<CurvePoint> PointAt(double number, const std::vector<std::string>& layouts) {
    const NumberWithUnit written = WithUnit(number);
    CurvePoint point{.number = number, .text = TextOfNumber(written)};
    const Result<LabFile> file = file_.With(written);
    if (!file.ok()) {
      point.refused = file.error().message;
      return point;
    }
    HR_ASSIGN(point.layouts, ForecastLayouts(*file, layouts, stop_));
    if (stop_ != nullptr && *stop_) return ValidationError("interrupted before anything was done");
    return point;
  }

  void NameLayouts() {
    for (const CurvePoint& point : curve_.points) {
      if (!point.refused.empty()) continue;
      for (std::size_t i = 0; i < point.layouts.size(); ++i) {
        const LayoutForecast& one = point.layouts[i];
        if (i >= curve_.layouts.size()) curve_.layouts.push_back(one.layout);
        const bool is_there = std::ranges::count(curve_.not_compared, one.layout) > 0;
        const bool is_compared = one.HasAllPatterns() && one.month_usd;
        if (!is_compared && !is_there) curve_.not_compared.push_back(one.layout);
      }
    }
  }

  std::optional<std::size_t> CheapestAt(const CurvePoint& point) const {
    std::optional<std::size_t> cheapest;
    for (std::size_t i = 0; i < point.layouts.size(); ++i) {
      const LayoutForecast& one = point.layouts[i];
      if (!one.month_usd || std::ranges::count(curve_.not_compared, one.layout) > 0) continue;
      const bool is_cheaper =
          !cheapest || *one.month_usd < *point.layouts[*cheapest].month_usd - kSameMonthUsd;
      if (is_cheaper) cheapest = i;
    }
    return cheapest;
  }

  // Returns the first point behind `low` that is found where `holds`, which it does at `high`, and
  // does not at `low`.
  template <typename Holds>
  Result<CurvePoint> FirstWhere(double low, CurvePoint high,
                                const std::vector<std::string>& layouts, const Holds& holds) {
    constexpr int kMostSteps = 40;
    constexpr double kPart = 0.01;
    for (int step = 0; step < kMostSteps; ++step) {
      double middle =
          curve_.is_logarithmic ? std::sqrt(low * high.number) : (low + high.number) / 2;
      if (is_whole_) middle = std::floor(middle);
      const double least = is_whole_ ? 1 : kPart * high.number;
      if (high.number - low <= least || middle <= low || middle >= high.number) break;
      HR_ASSIGN(CurvePoint point, PointAt(middle, layouts));
      if (!point.refused.empty()) break;
      if (holds(point)) {
        high = std::move(point);
      } else {
        low = middle;
      }
    }
    return high;
  }

  // Between two points, the cheapest may change several times.
  Status FindCheapest(const CurvePoint& from, const CurvePoint& to) {
    if (!from.cheapest || !to.cheapest) return {};
    double low = from.number;
    std::size_t before = *from.cheapest;
    for (std::size_t found = 0; before != *to.cheapest && found < curve_.layouts.size(); ++found) {
      HR_ASSIGN(const CurvePoint first,
                FirstWhere(low, to, only_layouts_,
                           [&](const CurvePoint& point) { return CheapestAt(point) != before; }));
      const std::size_t now = CheapestAt(first).value_or(*to.cheapest);
      curve_.crossings.push_back({.kind = CurveCrossing::Kind::kCheapest,
                                  .number = first.number,
                                  .text = TextOfNumber(WithUnit(first.number)),
                                  .layout = curve_.layouts[now],
                                  .cheapest_before = curve_.layouts[before]});
      low = first.number;
      before = now;
    }
    return {};
  }

  static bool IsBelow(const LayoutForecast& layout, double headroom) {
    return layout.first_limit && layout.first_limit->multiple_of_declared < headroom;
  }

  Status FindHeadroom(const CurvePoint& from, const CurvePoint& to, const AskedHeadroom& asked) {
    const bool was_below = IsBelow(from.layouts[asked.layout], asked.headroom);
    const bool is_below = IsBelow(to.layouts[asked.layout], asked.headroom);
    if (was_below == is_below) return {};
    CurvePoint high = to;
    high.layouts = {to.layouts[asked.layout]};
    const std::string& name = curve_.layouts[asked.layout];
    HR_ASSIGN(const CurvePoint first,
              FirstWhere(from.number, std::move(high), {name}, [&](const CurvePoint& point) {
                return IsBelow(point.layouts.front(), asked.headroom) == is_below;
              }));
    CurveCrossing crossing{.kind = CurveCrossing::Kind::kHeadroom,
                           .number = first.number,
                           .text = TextOfNumber(WithUnit(first.number)),
                           .layout = name,
                           .headroom = asked.headroom,
                           .is_below = is_below};
    const auto& limit =
        is_below ? first.layouts.front().first_limit : from.layouts[asked.layout].first_limit;
    if (limit) crossing.limit = *limit;
    curve_.crossings.push_back(std::move(crossing));
    return {};
  }

  VariedFile& file_;
  const VariedRange& range_;
  const std::vector<std::string>& only_layouts_;
  const std::atomic<bool>* stop_;
  std::string unit_ = {};
  double from_ = 0;
  double to_ = 0;
  bool is_whole_ = false;
  ForecastCurve curve_ = {};
};

}  // namespace

Result<ForecastCurve> DrawForecastCurve(const LabNode& document, std::string_view name,
                                        const VariedRange& range,
                                        const std::vector<std::string>& only_layouts,
                                        const std::atomic<bool>* stop) {
  HR_ASSIGN(VariedFile file, VariedFile::Find(document, name, range.path));
  return CurveDrawer(file, range, only_layouts, stop).Draw();
}

Result<std::vector<ForecastCurve>> DrawForecastCurves(const LoadedLab& lab,
                                                      const std::vector<std::string>& varied,
                                                      const std::vector<std::string>& only_layouts,
                                                      const std::atomic<bool>* stop) {
  std::vector<ForecastCurve> curves;
  for (const std::string& one : varied) {
    HR_ASSIGN(const VariedRange range, ReadVariedRange(one));
    HR_ASSIGN(ForecastCurve curve,
              DrawForecastCurve(lab.document, lab.file.name, range, only_layouts, stop));
    curves.push_back(std::move(curve));
  }
  return curves;
}

}  // namespace hashrange
