#include "cli/options/command_row.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <iterator>

#include "base/text/parse_whole.h"
#include "base/text/time_text.h"

namespace hashrange {
namespace {

using Offer = OptionRow::Offer;

// The names of values, and of arguments, that are files or directories.
struct OfferRow {
  std::string_view name;
  Offer offer;
};
constexpr OfferRow kOffers[] = {
    {"FILE", Offer::kFiles},         {"PATH", Offer::kFiles},    {"MEASUREMENT", Offer::kFiles},
    {"MEASUREMENTS", Offer::kFiles}, {"BUDGETS", Offer::kFiles}, {"DIR", Offer::kDirectories},
};

// An exclusion holds for both options, whichever row has it.
void ExcludeMutually(std::vector<OptionRow>& options) {
  for (OptionRow& option : options) {
    std::vector<std::string>& excluded = option.rules.excludes;
    for (const OptionRow& other : options) {
      const std::vector<std::string>& back = other.rules.excludes;
      const bool is_excluded = std::ranges::find(back, option.name) != back.end();
      if (is_excluded && std::ranges::find(excluded, other.name) == excluded.end()) {
        excluded.push_back(other.name);
      }
    }
    std::ranges::sort(excluded);
  }
}

void Complete(CommandRow& row) {
  ExcludeMutually(row.options);
  std::vector<OptionRow> own = {{"--help", "", "Print this help message and exit", kNoTarget,
                                 OptionRules{.short_name = "-h"}}};
  if (!row.version.empty()) {
    own.push_back({"--version", "", "Display program version information and exit"});
  }
  row.options.insert(row.options.begin(), own.begin(), own.end());
  for (CommandRow& below : row.commands) {
    below.path = row.path + " " + below.path;
    if (row.hands_options_down) {
      below.hands_options_down = true;
      below.inherited = row.AllOptions();
    }
    Complete(below);
  }
}

constexpr double kGreatestShare = 100;
constexpr double kGreatestNumber = 1e12;

bool IsWholeNumber(std::string_view text, std::uint64_t greatest) {
  const auto number = ParseWhole<std::uint64_t>(text);
  return number && *number >= 1 && *number <= greatest;
}

std::string Complaint(std::string_view what, const std::string& text) {
  return "has to be " + std::string(what) + ", and this is \"" + text + "\"";
}

}  // namespace

Offer OptionRow::offer() const {
  if (!rules.words.empty()) return Offer::kWords;
  const std::string& named = value.empty() && is_argument() ? name : value;
  const auto* const row = std::ranges::find(kOffers, named, &OfferRow::name);
  return row == std::end(kOffers) ? Offer::kNothing : row->offer;
}

std::vector<std::string> OptionRow::Names() const {
  if (rules.short_name.empty()) return {name};
  return {rules.short_name, name};
}

std::string CommandRow::Name() const { return path.substr(path.rfind(' ') + 1); }

std::vector<OptionRow> CommandRow::AllOptions() const {
  std::vector<OptionRow> all = options;
  for (const OptionRow& option : inherited) {
    const bool is_there =
        std::ranges::any_of(options, [&](const OptionRow& own) { return own.name == option.name; });
    if (!is_there) all.push_back(option);
  }
  return all;
}

CommandRow CompleteRow(CommandRow row) {
  Complete(row);
  return row;
}

std::string JoinWords(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += between;
    text += word;
  }
  return text;
}

ValueCheck WholeNumber(std::uint64_t greatest) {
  return [greatest](const std::string& text) {
    if (IsWholeNumber(text, greatest)) return std::string();
    return Complaint("a whole number from 1 to " + std::to_string(greatest), text);
  };
}

ValueCheck NumberFrom(double least, std::string_view what) {
  return [least, what = std::string(what)](const std::string& text) {
    const std::optional<double> number = ParseWhole<double>(text);
    if (number && *number >= least && *number <= kGreatestNumber) return std::string();
    return Complaint(what, text);
  };
}

ValueCheck Share() {
  return [](const std::string& text) {
    const std::optional<double> share = ReadShare(text);
    if (share && *share > 0 && *share <= kGreatestShare) return std::string();
    return Complaint("a share of the declared rates, such as 0.01, 1% or 2, of 100 at most", text);
  };
}

std::optional<double> ReadShare(std::string_view text) {
  const bool is_percent = text.ends_with('%');
  if (is_percent) text.remove_suffix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  const std::optional<double> number = ParseWhole<double>(text);
  return number && is_percent ? *number / 100 : number;
}

ValueCheck Duration() {
  return [](const std::string& text) {
    if (ParseDuration(text).value_or(0) > 0) return std::string();
    return Complaint(kDurationForms, text);
  };
}

ValueCheck Scales(std::uint64_t greatest) {
  return [greatest](const std::string& text) {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      if (!IsWholeNumber(std::string_view(text).substr(begin, end - begin), greatest)) {
        return Complaint("whole numbers from 1 to " + std::to_string(greatest) +
                             " with commas between them, such as 1,10,100",
                         text);
      }
      begin = end + 1;
    }
    return std::string();
  };
}

std::vector<std::uint64_t> ReadScales(std::string_view text) {
  std::vector<std::uint64_t> scales;
  while (!text.empty()) {
    std::uint64_t scale = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), scale);
    scales.push_back(scale);
    text.remove_prefix(std::min<std::size_t>(read.ptr - text.data() + 1, text.size()));
  }
  std::ranges::sort(scales);
  scales.erase(std::ranges::unique(scales).begin(), scales.end());
  return scales;
}

std::vector<std::string> WordsIn(std::string_view list) {
  std::vector<std::string> words;
  while (!list.empty()) {
    const std::string_view word = list.substr(0, list.find(','));
    if (!word.empty()) words.emplace_back(word);
    list.remove_prefix(std::min(word.size() + 1, list.size()));
  }
  return words;
}

ValueCheck Account() {
  return [](const std::string& text) -> std::string {
    const bool has_digits = text.find_first_not_of("0123456789") == std::string::npos;
    return has_digits && text.size() == 12 ? "" : "not an account of 12 digits: " + text;
  };
}

}  // namespace hashrange
