#include "cli/command_description.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <set>
#include <string_view>

namespace hashrange {
namespace {

using Offer = OptionDescription::Offer;

// The names of values, and of arguments, that are files or directories.
struct OfferRow {
  std::string_view name;
  Offer offer;
};
constexpr OfferRow kOffers[] = {
    {"FILE", Offer::kFiles},         {"PATH", Offer::kFiles},    {"MEASUREMENT", Offer::kFiles},
    {"MEASUREMENTS", Offer::kFiles}, {"BUDGETS", Offer::kFiles}, {"DIR", Offer::kDirectories},
};

Offer OfferOf(std::string_view name) {
  const auto* const row = std::ranges::find(kOffers, name, &OfferRow::name);
  return row == std::end(kOffers) ? Offer::kNothing : row->offer;
}

std::vector<std::string> SplitWords(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

// `type` is "LEVEL", "[FILE]", "[=PID]" or, with words, "LEVEL:{debug,info}".
void ReadType(std::string_view type, OptionDescription& option) {
  if (const std::size_t words = type.find(":{"); words != type.npos && type.ends_with('}')) {
    option.words = SplitWords(type.substr(words + 2, type.size() - words - 3));
    type = type.substr(0, words);
  }
  if (type.starts_with('[')) {
    option.value_is_optional = true;
    option.value_is_joined = type.starts_with("[=");
    type.remove_prefix(option.value_is_joined ? 2 : 1);
    type.remove_suffix(1);
  }
  option.value = type;
}

std::vector<std::string> SortedNames(const std::set<CLI::Option*>& options) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options) names.push_back(option->get_name());
  std::ranges::sort(names);  // the set's order is that of addresses
  return names;
}

std::vector<std::string> NamesOf(const CLI::Option& option) {
  if (option.get_positional()) return {option.get_name(true)};
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

OptionDescription Describe(const CLI::Option& parsed) {
  OptionDescription option;
  option.names = NamesOf(parsed);
  option.is_argument = parsed.get_positional();
  const bool is_flag = parsed.get_type_size() == 0;
  const std::string type = parsed.get_type_name();
  if (!is_flag || type.starts_with("[=")) ReadType(type, option);
  option.help = parsed.get_description();
  if (!is_flag) option.default_value = parsed.get_default_str();
  option.needs = SortedNames(parsed.get_needs());
  option.excludes = SortedNames(parsed.get_excludes());
  option.is_required = parsed.get_required();
  option.may_repeat = parsed.get_expected_max() >= CLI::detail::expected_max_vector_size;
  option.offer = !option.words.empty()
                     ? Offer::kWords
                     : OfferOf(option.value.empty() && option.is_argument ? option.names.front()
                                                                          : option.value);
  return option;
}

std::vector<OptionDescription> Joined(std::vector<OptionDescription> first,
                                      const std::vector<OptionDescription>& second) {
  for (const OptionDescription& option : second) {
    const bool is_there = std::ranges::any_of(
        first, [&](const OptionDescription& own) { return own.names == option.names; });
    if (!is_there) first.push_back(option);
  }
  return first;
}

CommandDescription DescribeBelow(const CLI::App& app, const std::string& path,
                                 const std::vector<OptionDescription>& inherited) {
  CommandDescription command;
  command.path = path;
  command.help = app.get_description();
  command.footer = app.get_footer();
  command.inherited = inherited;
  command.needs_command = app.get_require_subcommand_min() > 0;
  for (const CLI::Option* parsed : app.get_options()) {
    (parsed->get_positional() ? command.arguments : command.options).push_back(Describe(*parsed));
  }
  for (const CLI::App* below : app.get_subcommands({})) {
    const auto passed_on =
        below->get_fallthrough() ? command.AllOptions() : std::vector<OptionDescription>();
    command.commands.push_back(DescribeBelow(*below, path + " " + below->get_name(), passed_on));
    std::string& footer = command.commands.back().footer;
    if (footer == command.footer) footer.clear();  // the parser hands footers down
  }
  return command;
}

}  // namespace

std::string CommandDescription::Name() const { return path.substr(path.rfind(' ') + 1); }

std::vector<OptionDescription> CommandDescription::AllOptions() const {
  return Joined(options, inherited);
}

CommandDescription DescribeCommand(const CLI::App& app, const std::string& path) {
  return DescribeBelow(app, path, {});
}

}  // namespace hashrange
