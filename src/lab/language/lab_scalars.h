// Functions that read the scalars of a lab file: numbers, durations, rates and texts. Each reports
// a value of another form to `reading`, with `what` as the subject of the sentence ("`limit`"), and
// returns a default then. Pure but for that.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "lab/language/lab_document.h"
#include "lab/language/lab_reading.h"

namespace hashrange {

// Returns the number that the text is, in the form of JSON.
std::optional<double> ParseLabNumber(std::string_view text);

// Returns the text that DynamoDB gives back for a number: "5" for "5.0". Nothing where the text is
// no number that is written in digits: "0007" and "1e5" are texts.
std::optional<std::string> PlainNumberText(std::string_view text);

struct LabBounds {
  double least = -std::numeric_limits<double>::infinity();
  double greatest = std::numeric_limits<double>::infinity();
  bool excludes_least = false;
};
inline constexpr LabBounds kLabPositive = {0, std::numeric_limits<double>::infinity(), true};
inline constexpr LabBounds kLabNotNegative = {0, std::numeric_limits<double>::infinity(), false};
inline constexpr LabBounds kLabShare = {0, 1, false};

double ReadLabNumber(const LabNode& node, std::string_view what, const LabBounds& bounds,
                     LabReading& reading);
std::int64_t ReadLabWhole(const LabNode& node, std::string_view what, std::int64_t least,
                          std::int64_t greatest, LabReading& reading);
bool ReadLabFlag(const LabNode& node, std::string_view what, LabReading& reading);
std::string ReadLabText(const LabNode& node, std::string_view what, LabReading& reading);
// Returns milliseconds.
std::int64_t ReadLabDuration(const LabNode& node, std::string_view what, LabReading& reading);
// Returns calls a second: 400 for "400/s"; "/min", "/h" and "/d" are the other units.
double ReadLabRate(const LabNode& node, std::string_view what, LabReading& reading);

}  // namespace hashrange
