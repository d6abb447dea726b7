#include "measure/call_rates.h"

#include <utility>

#include "measure/field_reader.h"
#include "measure/named_patterns.h"

namespace hashrange {

Result<std::vector<CallRate>> ReadCallRates(const JsonValue& json, std::string_view place) {
  HR_ASSIGN(const std::span<const JsonMember> members, ReadMap(json, place));
  std::vector<CallRate> rates;
  for (const JsonMember& member : members) {
    std::string name(member.name);
    HR_ASSIGN(const double rate, ReadNumber(member.value, std::string(place) + "." + name));
    rates.push_back({std::move(name), rate});
  }
  return rates;
}

PatternRates RatesOfPatterns(const Measurement& measurement, std::span<const CallRate> rates) {
  const auto& patterns = measurement.patterns;
  PatternRates result;
  result.calls_per_second.resize(patterns.size());
  std::vector<bool> has_rate(patterns.size());
  for (const CallRate& rate : rates) {
    double calls = 0;
    for (const PatternMeasure& pattern : patterns) {
      if (IsMeant(pattern, rate.pattern)) calls += CallsOf(pattern);
    }
    if (calls == 0) {
      result.without_calls.push_back(rate.pattern);
      continue;
    }
    result.total += rate.calls_per_second;
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      if (!IsMeant(patterns[i], rate.pattern)) continue;
      has_rate[i] = true;
      result.calls_per_second[i] += rate.calls_per_second * CallsOf(patterns[i]) / calls;
    }
  }
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (!has_rate[i]) result.without_rate.push_back(TitleOf(patterns[i]));
  }
  return result;
}

}  // namespace hashrange
