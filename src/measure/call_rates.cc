#include "measure/call_rates.h"

#include <cstddef>

#include "measure/pattern_names.h"
#include "measure/pattern_sums.h"
#include "wire/object_reader.h"

namespace hashrange {

Result<std::vector<CallRate>> ReadCallRates(const JsonValue& json, std::string_view place) {
  ObjectReader fields(json, std::string(place));
  std::vector<CallRate> rates;
  for (const JsonMember& member : fields.Entries()) {
    rates.push_back({std::string(member.name), fields.Number(member.name)});
  }
  HR_RETURN_IF_ERROR(fields.Finish());
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
