#include "cli/options/command_parser.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdio>

#include "base/text/nearest_name.h"
#include "cli/options/help_text.h"
#include "cli/terminal/program_output.h"

namespace hashrange {
namespace {

using Form = OptionRules::Form;

// Returns the option whose value is an empty text, or what stands before an empty argument; empty
// when there is none. CLI11 would drop the text, or take the next argument for the value.
std::string EmptyOption(int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view text = argv[i];
    if (text.empty()) return i > 1 ? argv[i - 1] : "the command";
    if (text.starts_with("--") && text.find('=') == text.size() - 1) {
      return std::string(text.substr(0, text.size() - 1));
    }
  }
  return {};
}

// Adds an option, an argument or a flag with its target.
struct OptionMaker {
  CLI::App& app;
  const OptionRow& row;
  std::string names = JoinWords(row.Names(), ",");  // as CLI11 reads several names
  bool is_flag = row.rules.value_is_joined || (row.value.empty() && !row.is_argument());

  CLI::Option* operator()(std::monostate) const {
    return is_flag ? app.add_flag(names) : app.add_option(names);
  }
  CLI::Option* operator()(bool* flag) const { return app.add_flag(names, *flag); }
  CLI::Option* operator()(std::optional<std::string>* text) const {
    return (*this)([text](const std::string& given) { *text = given; });
  }
  CLI::Option* operator()(const std::function<void(const std::string&)>& set) const {
    return app.add_option_function<std::string>(names, set);
  }
  CLI::Option* operator()(std::vector<std::string>* texts) const {
    CLI::Option* const option = app.add_option(names, *texts);
    // Without this, an option would take all words that follow.
    if (!row.is_argument()) option->allow_extra_args(false)->take_all();
    return option;
  }
  template <typename Value>
  CLI::Option* operator()(Value* value) const {
    return app.add_option(names, *value);
  }
};

// Turns "256MB" into the number of its bytes.
CLI::Validator SizeReader(Form form) {
  const auto read = [form](std::string& text) -> std::string {
    if (form == Form::kSizeOrNone && text == "none") text = "0";
    return CLI::AsSizeValue(false)(text);
  };
  return {read, ""};
}

void AddChecks(const OptionRules& rules, CLI::Option& option) {
  if (rules.form != Form::kText) option.transform(SizeReader(rules.form));
  if (const auto& range = rules.range) {
    option.check(CLI::Range(range->least, range->greatest).description(""));
  }
  if (rules.takes_only_words) {
    option.check(CLI::IsMember(rules.words));
  } else if (!rules.words.empty()) {
    option.check(CLI::Validator("{" + JoinWords(rules.words, ",") + "}"));  // allows all words
  }
  if (rules.check) {
    option.check(CLI::Validator([&rules](std::string& text) { return rules.check(text); }, ""));
  }
}

void AddOption(const OptionRow& row, CLI::App& app) {
  const OptionRules& rules = row.rules;
  CLI::Option& option = *std::visit(OptionMaker{app, row}, row.target);
  option.type_name(row.value)->required(rules.is_required);
  if (rules.value_is_optional && !rules.value_is_joined) option.expected(0, 1);
  if (rules.repeats_unannounced) option.expected(1)->allow_extra_args(false)->take_all();
  if (rules.splits_at_commas) option.delimiter(',');
  AddChecks(rules, option);
}

void AddRow(const CommandRow& row, CLI::App& app) {
  // Settings come first: the commands below inherit them.
  if (!row.version.empty()) app.set_version_flag("--version", row.version);
  if (!row.commands.empty()) app.require_subcommand(row.question.empty() ? 0 : 1, 1);
  if (row.hands_options_down) app.fallthrough();
  if (row.takes_any_arguments) app.allow_extras();
  for (const OptionRow& argument : row.arguments) AddOption(argument, app);
  for (const OptionRow& option : row.options) AddOption(option, app);
  for (const OptionRow& option : row.options) {
    CLI::Option* const added = app.get_option(option.name);
    for (const std::string& other : option.rules.needs) added->needs(app.get_option(other));
    for (const std::string& other : option.rules.excludes) added->excludes(app.get_option(other));
  }
  for (const CommandRow& below : row.commands) AddRow(below, *app.add_subcommand(below.path));
}

std::vector<std::string> GivenCommands(const CLI::App& app) {
  std::vector<std::string> names;
  auto given = app.get_subcommands();
  while (!given.empty()) {
    names.push_back(given.front()->get_name());
    given = given.front()->get_subcommands();
  }
  return names;
}

// Returns the row of the last of the given commands.
const CommandRow& RowOf(const CommandRow& row, const std::vector<std::string>& commands) {
  const CommandRow* found = &row;
  for (const std::string& name : commands) {
    found = &*std::ranges::find_if(found->commands,
                                   [&](const CommandRow& each) { return each.Name() == name; });
  }
  return *found;
}

std::string UnknownCommand(const CommandRow& row, const std::string& given) {
  std::vector<std::string_view> names;
  for (const CommandRow& below : row.commands) names.push_back(below.path);
  return UnknownNameSentence("command", given, names);
}

// Returns why the line was refused. `last` is the row of the last of the given commands.
std::string WhyWrong(const CLI::ParseError& wrong, const CLI::App& app, const CommandRow& row,
                     const CommandRow& last) {
  const bool is_unknown = dynamic_cast<const CLI::ExtrasError*>(&wrong) != nullptr;
  const std::vector<std::string> unknown = app.remaining(true);
  if (!unknown.empty() && (is_unknown || row.tells_unknown_first)) {
    const std::string& first = unknown.front();
    const bool is_command = !last.question.empty() && !first.starts_with('-');
    return is_command ? UnknownCommand(last, first) : "unknown argument: " + first;
  }
  return last.question.empty() ? wrong.what() : last.question;
}

}  // namespace

ParsedLine ParseRows(const CommandRow& row, int argc, const char* const* argv) {
  if (!row.takes_empty_texts) {
    if (const std::string option = EmptyOption(argc, argv); !option.empty()) {
      return {.wrong = option + " is empty"};
    }
  }
  CLI::App app;
  AddRow(row, app);
  ParsedLine line;
  try {
    app.parse(argc, argv);
    line.commands = GivenCommands(app);
  } catch (const CLI::CallForHelp&) {
    const CommandRow complete = CompleteRow(row);
    std::fputs(HelpText(RowOf(complete, GivenCommands(app))).c_str(), stdout);
    line.is_printed = true;
  } catch (const CLI::CallForVersion&) {
    std::printf("%s\n", row.version.c_str());
    line.is_printed = true;
  } catch (const CLI::ParseError& wrong) {
    line.commands = GivenCommands(app);
    line.wrong = WhyWrong(wrong, app, row, RowOf(row, line.commands));
  }
  return line;
}

int RefuseUsage(std::string_view path, std::string_view why) {
  std::fprintf(stderr, "hashrange: %.*s (see %.*s --help)\n", static_cast<int>(why.size()),
               why.data(), static_cast<int>(path.size()), path.data());
  return kUsageError;
}

}  // namespace hashrange
