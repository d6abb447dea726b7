// The texts of figures, in findings, budgets and reports: the same everywhere, whatever the locale.
// Pure functions; any thread.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace hashrange {

// Returns a number with three digits, or all digits before the point, in groups: "0.125", "12.5",
// "4,100", "0"; "no bound" for infinity. Below 1,000, an exact half is shown, too: "108.5".
std::string NumberText(double value);
template <std::integral Whole>
std::string NumberText(Whole value) {
  return NumberText(static_cast<double>(value));
}

// Returns a whole number in groups of three digits: "1,234,567".
std::string CountText(std::uint64_t count);

// Returns a number and its noun, which gets an "s" unless the number is 1: "1 call", "1,200 calls".
std::string CountedText(double count, std::string_view noun);

// Returns a number and the words that agree with it, `one` for 1, else `several`: "1 item was
// left", "2 items were left".
std::string CountedText(double count, std::string_view one, std::string_view several);

template <std::integral Count, typename... Words>
std::string CountedText(Count count, const Words&... words) {
  return CountedText(static_cast<double>(count), words...);
}

// Returns a number for the tick of an axis, with k, M or G for thousands: "500", "2.5k", "3M".
std::string TickText(double value);

// Returns US$ without the currency: cents above 1, three digits below: "1,204.50", "0.625", "0".
std::string AmountText(double usd);

// Returns the amount with the currency: "US$ 1,204.50".
std::string UsdText(double usd);

// Returns a size with a unit of 1,024: "812 B", "1.5 KB", "10 GB".
std::string BytesText(double bytes);

// Returns a share, 0 to 1, in percent with three digits: "12.5 %", "0.02 %".
std::string PercentText(double share);

// Returns a share, 0 to 1, in whole percent: "37 %", "<1 %", "0 %", "100 %" only for all.
std::string ShareText(double share);

// Returns by how much `now` differs from `before`: "+12 %", "-3 %", "same", "new", "gone"; a factor
// from three times on: "x4.2".
std::string ChangeText(double now, double before);

}  // namespace hashrange
