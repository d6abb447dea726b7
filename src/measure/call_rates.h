// How often the application calls each pattern, as its designer declares. Pure functions; any
// thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "measure/measurement.h"
#include "wire/json.h"

namespace hashrange {

// How often the application makes the calls of a pattern. Months and multiples are computed of
// declared rates.
//
//   {"orders of a customer": 120, "0f3a9c5512d0": 4.5}        calls a second, by name, id or text
struct CallRate {
  std::string pattern = {};  // a name, an id or a text
  double calls_per_second = 0;
};

// Returns the rates in a JSON object. `place` names the object in sentences.
// Errors: ValidationException  the value is no object, or a rate is no number of 0 or more
Result<std::vector<CallRate>> ReadCallRates(const JsonValue& json, std::string_view place);

struct PatternRates {
  std::vector<double> calls_per_second = {};  // of each pattern, in the measurement's order
  double total = 0;
  std::vector<std::string> without_rate = {};   // titles of patterns that have no rate
  std::vector<std::string> without_calls = {};  // declared, but the measurement has no such pattern
};

// Returns the rate of each pattern. Patterns that one rate means share it by their calls.
PatternRates RatesOfPatterns(const Measurement& measurement, std::span<const CallRate> rates);

}  // namespace hashrange
