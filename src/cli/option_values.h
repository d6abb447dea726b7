// The forms that values of options have: numbers, shares, times, lists. A validator's complaint is
// the sentence behind the option's name. Pure functions; any thread.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hashrange {

// Allows whole numbers from 1 to `greatest`.
CLI::Validator WholeNumber(std::uint64_t greatest);

// Allows decimal numbers from `least` to 10¹². `what` says in the complaint which number it is:
// "an amount of US$".
CLI::Validator NumberFrom(double least, std::string_view what);

// Allows shares above 0, as numbers or with "%".
CLI::Validator Share();
// Returns the share: 0.01 for "0.01" and for "1%".
std::optional<double> ReadShare(std::string_view text);

// Allows times above 0 (base/duration.h).
CLI::Validator Duration();

// Allows whole numbers with commas between them.
CLI::Validator Scales();
// Returns the numbers of a text that Scales() allows: ascending, each once.
std::vector<std::uint64_t> ReadScales(std::string_view text);

}  // namespace hashrange
