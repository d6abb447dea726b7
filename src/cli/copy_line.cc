#include "cli/copy_line.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdio>
#include <string_view>

#include "cli/empty_option.h"
#include "cli/exit_codes.h"
#include "cli/help_text.h"
#include "cli/option_values.h"
#include "remote/copy/copy_state.h"

namespace hashrange {
namespace {

constexpr const char* kFooter =
    "PLACE is the URL of an endpoint, aws:REGION for DynamoDB itself, or a folder: for --from any\n"
    "seed, for --to a new folder, which becomes a dump. Definitions, items, time to live and tags\n"
    "are copied; changes that are made during the copy are not. docs/copy.md says more.\n"
    "The program exits with 0; with 1 if the copy has failed or differs from its source; with 2 "
    "if\n"
    "nothing was copied, as an argument is wrong; with 130 if it was interrupted.\n"
    "Examples:\n"
    "  hashrange copy --from aws:eu-west-1 --to ./dump --tables app --spend 0.10\n"
    "  hashrange serve --seed ./dump\n"
    "  hashrange copy --from ./dump --to http://127.0.0.1:8000\n"
    "  hashrange copy --from ./dump --to http://127.0.0.1:8000 --resume";

CLI::Validator UnitsASecond() { return NumberFrom(0.1, "a number of units a second, from 0.1 on"); }

void AddSide(CLI::App& app, const std::string& name, const char* help, CopySide* side) {
  app.add_option("--" + name, side->place, help)->type_name("PLACE")->required();
  app.add_option("--" + name + "-profile", side->profile,
                 "The profile with its credentials (default: those of the environment)")
      ->type_name("PROFILE");
  app.add_option(
         "--" + name + "-region", side->region,
         "Its Region (default: that of the URL, the environment or the profile, else us-east-1)")
      ->type_name("REGION");
}

// Returns what is wrong with "OLD=NEW".
std::string AddRename(const std::string& text, CopyLine* line) {
  const std::size_t at = text.find('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.size()) {
    return "has to be OLD=NEW, the names of a table, and this is \"" + text + "\"";
  }
  line->renames[text.substr(0, at)] = text.substr(at + 1);
  return "";
}

void AddTables(CLI::App& app, CopyLine& line) {
  app.add_option("--tables", line.tables, "Only these tables (default: all of the source)")
      ->type_name("A,B")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->take_all();
  const auto add = [&line](const std::string& text) { return AddRename(text, &line); };
  app.add_option("--rename")
      ->description("Give a table another name at the destination; may be repeated")
      ->type_name("OLD=NEW")
      ->check(CLI::Validator(add, ""))
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  app.add_option("--prefix", line.prefix, "Begin all other names at the destination with this")
      ->type_name("TEXT");
  app.add_flag("--into-existing", line.into_existing,
               "Put the items into tables that exist already, over items of the same key");
}

void AddPace(CLI::App& app, CopyLine& line) {
  app.add_option("--segments", line.segments, "How many parallel scans read a table")
      ->type_name("N")
      ->check(CLI::Range(1, kMostSegments).description(""))
      ->capture_default_str();
  app.add_option("--read-units", line.read_units,
                 "Read at most so many units a second from the source (default: no limit)")
      ->type_name("N")
      ->check(UnitsASecond());
  app.add_option("--write-units", line.write_units,
                 "Write at most so many units a second (default: no limit)")
      ->type_name("N")
      ->check(UnitsASecond());
}

void AddMoney(CLI::App& app, CopyLine& line) {
  app.add_option("--spend", line.spend_usd,
                 "What the copy may cost at AWS, in US$; without it, what it would cost is printed")
      ->type_name("USD")
      ->check(NumberFrom(0, "an amount of US$, such as 0.50"));
  app.add_option("--prices", line.prices,
                 "Prices in the form of hashrange ctl measure prices (default: those of us-east-1)")
      ->type_name("FILE");
}

class CopyParser {
 public:
  CopyParser() {
    UseHelpText(app_);
    app_.footer(kFooter);
    AddSide(app_, "from", "Where the tables are", &line_.from);
    AddSide(app_, "to", "Where they are copied to", &line_.to);
    app_.add_option("--ca-file", line_.ca_file,
                    "Certificates (PEM) to trust in place of the system's")
        ->type_name("FILE");
    AddTables(app_, line_);
    AddPace(app_, line_);
    app_.add_flag("--resume", line_.resumes, "Continue a copy that was not finished");
    app_.add_option("--state", line_.state,
                    "The file that says how far the copy is, until it is complete (default: "
                    "hashrange-copy.state, in the folder of --to or else here)")
        ->type_name("FILE");
    app_.add_flag("--no-verify", line_.skips_verification,
                  "Do not read the destination to compare count and digest");
    app_.add_flag("--gzip", line_.compresses, "Compress the items in the folder of --to");
    AddMoney(app_, line_);
  }

  const CLI::App& app() const { return app_; }

  CopyLine Parse(int argc, const char* const* argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::Success& asked) {
      app_.exit(asked);
      line_.is_over = true;
    } catch (const CLI::ExtrasError&) {
      return Refuse("unknown argument: " + app_.remaining(true).front());
    } catch (const CLI::ParseError& wrong) {
      // An unknown option is the cause, where a known one is missing as well.
      const std::vector<std::string> unknown = app_.remaining(true);
      return Refuse(unknown.empty() ? wrong.what() : "unknown argument: " + unknown.front());
    }
    return line_;
  }

  static CopyLine Refuse(const std::string& why) {
    std::fprintf(stderr, "hashrange: %s (see hashrange copy --help)\n", why.c_str());
    CopyLine line;
    line.is_over = true;
    line.exit_code = kUsageError;
    return line;
  }

 private:
  CopyLine line_;
  CLI::App app_{"Copy tables between endpoints, or from and into folders.", "hashrange copy"};
};

}  // namespace

CommandDescription DescribeCopy() { return DescribeCommand(CopyParser().app(), "hashrange copy"); }

CopyLine ParseCopyLine(int argc, const char* const* argv) {
  if (const std::string option = EmptyOption(argc, argv); !option.empty()) {
    return CopyParser::Refuse(option + " is empty");
  }
  return CopyParser().Parse(argc, argv);
}

}  // namespace hashrange
