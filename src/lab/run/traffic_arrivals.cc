#include "lab/run/traffic_arrivals.h"

#include <algorithm>
#include <cmath>

#include "base/portable_math.h"
#include "lab/language/data/draws.h"

namespace hashrange {
namespace {

// A sinusoid is drawn with so many straight lines a period.
constexpr double kLinesOfPeriod = 360;
constexpr double kTurn = 6.283185307179586;
constexpr std::uint64_t kArrivalDraw = 0x61727276;  // tells it from other draws

}  // namespace

TrafficFactor::TrafficFactor(const std::vector<LabPhase>& phases) {
  for (const LabPhase& phase : phases) {
    AddPhase(phase);
    phase_ends_s_.push_back(length_s());
  }
}

double TrafficFactor::length_s() const {
  return stretches_.empty() ? 0 : stretches_.back().begin_s + stretches_.back().length_s;
}

double TrafficFactor::greatest() const {
  double greatest = 0;
  for (const Stretch& each : stretches_) greatest = std::max({greatest, each.from, each.to});
  return greatest;
}

double TrafficFactor::whole_area_s() const {
  return stretches_.empty() ? 0 : stretches_.back().end_area_s;
}

void TrafficFactor::AddPhase(const LabPhase& phase) {
  const double length_s = static_cast<double>(phase.length_ms) / kMsPerSecond;
  switch (phase.kind) {
    case LabPhase::Kind::kConstant:
      return AddStretch(length_s, phase.from, phase.from);
    case LabPhase::Kind::kRamp:
      return AddStretch(length_s, phase.from, phase.to);
    case LabPhase::Kind::kSpike:
      AddStretch(length_s / 2, phase.from, phase.to);
      return AddStretch(length_s / 2, phase.to, phase.from);
    case LabPhase::Kind::kSinusoid:
      return AddSinusoid(phase);
  }
}

void TrafficFactor::AddSinusoid(const LabPhase& phase) {
  const double length_s = static_cast<double>(phase.length_ms) / kMsPerSecond;
  const double period_s =
      phase.period_ms > 0 ? static_cast<double>(phase.period_ms) / kMsPerSecond : length_s;
  const auto factor_at = [&](double seconds) {
    const double rise = (1 - PortableCos(kTurn * seconds / period_s)) / 2;
    return phase.from + (phase.to - phase.from) * rise;
  };
  const double line_s = period_s / kLinesOfPeriod;
  const auto lines = static_cast<std::uint64_t>(std::ceil(length_s / line_s - 1e-9));
  for (std::uint64_t i = 0; i < lines; ++i) {
    const double begin_s = line_s * static_cast<double>(i);
    const double end_s = std::min(length_s, begin_s + line_s);
    AddStretch(end_s - begin_s, factor_at(begin_s), factor_at(end_s));
  }
}

void TrafficFactor::AddStretch(double length_s, double from, double to) {
  if (!(length_s > 0)) return;
  const double area_s = length_s * (from + to) / 2;
  stretches_.push_back({.begin_s = this->length_s(),
                        .length_s = length_s,
                        .from = from,
                        .to = to,
                        .end_area_s = whole_area_s() + area_s});
}

std::optional<double> TrafficFactor::SecondsAtArea(double area_s) const {
  const auto stretch = std::ranges::upper_bound(stretches_, area_s, {}, &Stretch::end_area_s);
  if (stretch == stretches_.end()) return std::nullopt;
  const double before_s = stretch == stretches_.begin() ? 0 : std::prev(stretch)->end_area_s;
  const double left_s = area_s - before_s;
  // The area of the first x seconds is from·x + slope·x²/2, which is solved for x.
  const double slope = (stretch->to - stretch->from) / stretch->length_s;
  const double root = std::sqrt(std::max(0.0, stretch->from * stretch->from + 2 * slope * left_s));
  const double divisor = stretch->from + root;
  const double seconds = divisor > 0 ? 2 * left_s / divisor : 0;
  return stretch->begin_s + std::min(seconds, stretch->length_s);
}

double TrafficFactor::AreaAt(double seconds) const {
  double area_s = 0;
  for (const Stretch& stretch : stretches_) {
    const double part_s = std::clamp(seconds - stretch.begin_s, 0.0, stretch.length_s);
    const double slope = (stretch.to - stretch.from) / stretch.length_s;
    area_s += part_s * (stretch.from + slope * part_s / 2);
  }
  return area_s;
}

std::size_t TrafficFactor::PhaseAt(double seconds) const {
  const auto end = std::ranges::upper_bound(phase_ends_s_, seconds);
  const auto phase = static_cast<std::size_t>(end - phase_ends_s_.begin());
  return std::min(phase, phase_ends_s_.empty() ? 0 : phase_ends_s_.size() - 1);
}

CallArrivals::CallArrivals(std::uint64_t seed, int pattern, double calls_per_second,
                           const TrafficFactor& factor)
    : seed_(MixedHash({seed, kArrivalDraw, static_cast<std::uint64_t>(pattern)})),
      mean_s_(1 / calls_per_second),
      factor_(factor) {}

std::optional<CallArrival> CallArrivals::Next() {
  area_s_ += DrawSequence(MixedHash({seed_, number_})).Exponential(mean_s_);
  const std::optional<double> seconds = factor_.SecondsAtArea(area_s_);
  if (!seconds) return std::nullopt;
  return CallArrival{static_cast<std::int64_t>(*seconds * kUsPerSecond), number_++};
}

TrafficArrivals::TrafficArrivals(const Parts& parts, const LabTraffic& traffic)
    : events_(parts.events), traffic_(traffic), factor_(traffic.phases) {
  const std::vector<LabPattern>& patterns = parts.file.patterns;
  arrivals_.resize(patterns.size());
  next_.resize(patterns.size());
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const double rate = patterns[i].calls_per_second * traffic.multiple / parts.patterns[i].weight;
    if (!(rate > 0) || parts.plan.patterns[i].steps.empty()) continue;
    arrivals_[i].emplace(parts.file.seed, static_cast<int>(i), rate, factor_);
    AddNext(i);
  }
}

void TrafficArrivals::AddNext(std::size_t pattern) {
  const std::optional<CallArrival> next = arrivals_[pattern]->Next();
  if (!next || next->time_us >= traffic_.end_us) return;
  next_[pattern] = *next;
  events_.Add({.time_us = next->time_us,
               .kind = LabEvent::Kind::kArrival,
               .subject = static_cast<std::uint32_t>(pattern)});
}

CallArrival TrafficArrivals::Take(const LabEvent& event) {
  const CallArrival arrival = next_[event.subject];
  AddNext(event.subject);
  return arrival;
}

const std::map<int, double>& TrafficArrivals::HotAt(std::int64_t time_us) const {
  return traffic_.phases[factor_.PhaseAt(static_cast<double>(time_us) / kUsPerSecond)].hot;
}

double TrafficArrivals::length_s() const {
  return std::min(factor_.length_s(), static_cast<double>(traffic_.end_us) / kUsPerSecond);
}

}  // namespace hashrange
