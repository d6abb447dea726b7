#include "cli/copy_command.h"

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "cli/ctl/measurement_source.h"
#include "cli/options/command_parser.h"
#include "cli/terminal/program_output.h"
#include "cli/terminal/progress_line.h"
#include "measure/number_text.h"
#include "platform/signals.h"
#include "remote/copy/copy_endpoint.h"
#include "remote/copy/copy_run.h"
#include "remote/copy/copy_state.h"
#include "remote/copy/item_sink.h"

namespace hashrange {
namespace {

constexpr const char* kCopyPath = "hashrange copy";

constexpr const char* kCopyFooter =
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

std::vector<OptionRow> SideRows(const std::string& name, const char* help, CopySide& side) {
  return {{"--" + name, "PLACE", help, &side.place, OptionRules{.is_required = true}},
          {{"--" + name + "-profile"},
           "PROFILE",
           "The profile with its credentials (default: those of the environment)",
           &side.profile},
          {{"--" + name + "-region"},
           "REGION",
           "Its Region (default: that of the URL, the environment or the profile, else us-east-1)",
           &side.region}};
}

// Returns a row for units a second.
OptionRow UnitsRow(const char* name, const char* help, double& units) {
  return {name, "N", help, &units,
          OptionRules{.check = NumberFrom(0.1, "a number of units a second, from 0.1 on")}};
}

// Returns what is wrong with "OLD=NEW".
std::string TakeRename(const std::string& text, CopyLine& line) {
  const std::size_t at = text.find('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.size()) {
    return "has to be OLD=NEW, the names of a table, and this is \"" + text + "\"";
  }
  line.request.renames[text.substr(0, at)] = text.substr(at + 1);
  return "";
}

std::vector<OptionRow> CopyRows(CopyLine& line) {
  const auto take_rename = [&line](const std::string& text) { return TakeRename(text, line); };
  return {
      {"--ca-file", "FILE", "Certificates (PEM) to trust in place of the system's", &line.ca_file},
      {"--tables", "A,B", "Only these tables (default: all of the source)", &line.request.tables,
       OptionRules{.splits_at_commas = true}},
      {"--rename", "OLD=NEW", "Give a table another name at the destination; may be repeated",
       kNoTarget, OptionRules{.check = take_rename, .repeats_unannounced = true}},
      {"--prefix", "TEXT", "Begin all other names at the destination with this",
       &line.request.prefix},
      {"--into-existing", "",
       "Put the items into tables that exist already, over items of the same key",
       &line.request.into_existing},
      {"--segments", "N", "How many parallel scans read a table", &line.request.segments,
       OptionRules{.default_value = std::to_string(line.request.segments),
                   .range = NumberRange{1, kMostSegments}}},
      UnitsRow("--read-units",
               "Read at most so many units a second from the source (default: no limit)",
               line.request.read_units_a_second),
      UnitsRow("--write-units", "Write at most so many units a second (default: no limit)",
               line.request.write_units_a_second),
      {"--resume", "", "Continue a copy that was not finished", &line.request.resumes},
      {"--state", "FILE",
       "The file that says how far the copy is, until it is complete (default: "
       "hashrange-copy.state, in the folder of --to or else here)",
       &line.state},
      {"--no-verify", "", "Do not read the destination to compare count and digest",
       &line.skips_verification},
      {"--gzip", "", "Compress the items in the folder of --to", &line.request.compresses},
      {"--spend", "USD",
       "What the copy may cost at AWS, in US$; without it, what it would cost is printed",
       &line.request.spend_usd,
       OptionRules{.check = NumberFrom(0, "an amount of US$, such as 0.50")}},
      {"--prices", "FILE",
       "Prices in the form of hashrange ctl measure prices (default: those of us-east-1)",
       &line.prices}};
}

CommandRow CopyRow(CopyLine& line) {
  CommandRow copy{.path = kCopyPath,
                  .help = "Copy tables between endpoints, or from and into folders.",
                  .footer = kCopyFooter,
                  .options = SideRows("from", "Where the tables are", line.from),
                  .tells_unknown_first = true};
  for (OptionRow& row : SideRows("to", "Where they are copied to", line.to)) {
    copy.options.push_back(std::move(row));
  }
  for (OptionRow& row : CopyRows(line)) copy.options.push_back(std::move(row));
  return copy;
}

constexpr std::string_view kAwsPlace = "aws:";

// Returns whether the text is like "127.0.0.1:8000", which is rarely meant as a folder.
bool IsHostAndPort(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  return colon != std::string_view::npos && colon > 0 && colon + 1 < text.size() &&
         text.find('/') == std::string_view::npos &&
         text.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
}

// Returns the endpoint that the place names; nullopt for a folder.
Result<std::optional<EndpointUrl>> UrlOf(const std::string& place) {
  if (place.starts_with(kAwsPlace)) {
    HR_ASSIGN(EndpointUrl url, DynamoDbEndpoint(std::string_view(place).substr(kAwsPlace.size())));
    return std::optional(std::move(url));
  }
  if (IsHostAndPort(place)) {
    return ValidationError("\"" + place + "\" is no URL: write http://" + place + ", or ./" +
                           place + " for a folder of this name");
  }
  if (place.find("://") == std::string::npos) return std::optional<EndpointUrl>();
  HR_ASSIGN(EndpointUrl url, ParseEndpointUrl(place));
  return std::optional(std::move(url));
}

// The sides of a copy, opened.
struct OpenedSides {
  std::unique_ptr<ApiEndpoint> from;
  std::unique_ptr<ApiEndpoint> to;  // null: a folder
};

Result<std::unique_ptr<ApiEndpoint>> OpenSide(const EndpointUrl& url, const CopySide& side,
                                              const std::string& ca_file,
                                              const std::atomic<bool>* stop) {
  HR_ASSIGN(std::unique_ptr<ClientEndpoint> endpoint, ClientEndpoint::Open({.url = url,
                                                                            .region = side.region,
                                                                            .profile = side.profile,
                                                                            .ca_file = ca_file,
                                                                            .stop = stop}));
  return std::unique_ptr<ApiEndpoint>(std::move(endpoint));
}

Status CheckFolderOptions(const CopySide& side, std::string_view name) {
  if (side.profile.empty() && side.region.empty()) return {};
  return ValidationError("--" + std::string(name) +
                         " is a folder, which has no profile and no Region");
}

// Opens both sides, and notes in the request where units cost money.
Result<OpenedSides> OpenSides(const CopyLine& line, CopyRequest* request) {
  HR_ASSIGN(const std::optional<EndpointUrl> from, UrlOf(line.from.place));
  HR_ASSIGN(const std::optional<EndpointUrl> to, UrlOf(line.to.place));
  if (!from && !to) {
    return ValidationError(
        "--from and --to are both folders: a copy needs an endpoint, such as http://127.0.0.1:8000 "
        "or aws:eu-west-1");
  }
  if (!from) HR_RETURN_IF_ERROR(CheckFolderOptions(line.from, "from"));
  if (!to) HR_RETURN_IF_ERROR(CheckFolderOptions(line.to, "to"));
  if (!to && line.request.into_existing) {
    return ValidationError("--into-existing is about tables of an endpoint, and --to is a folder");
  }
  if (to && line.request.compresses) {
    return ValidationError("--gzip is about files, and --to is an endpoint");
  }
  OpenedSides sides;
  if (to) {
    HR_ASSIGN(sides.to, OpenSide(*to, line.to, line.ca_file, request->stop));
    request->pays_destination = IsAwsEndpoint(*to);
  }
  if (from) {
    HR_ASSIGN(sides.from, OpenSide(*from, line.from, line.ca_file, request->stop));
    request->pays_source = IsAwsEndpoint(*from);
  } else {
    HR_ASSIGN(std::unique_ptr<SeededEndpoint> seeded, SeededEndpoint::Load(line.from.place));
    sides.from = std::move(seeded);
  }
  request->from = sides.from.get();
  request->to = sides.to.get();
  return sides;
}

Status ReadCopyPrices(const std::string& file, PriceList* prices) {
  if (file.empty()) return {};
  HR_ASSIGN(*prices, LoadPriceList(file));
  return {};
}

std::string CopiedItems(std::int64_t items) {
  return CountedText(static_cast<double>(items), "item");
}

std::string TableLine(const CopiedTable& table) {
  std::string text = table.name;
  if (table.target != table.name) text += " as " + table.target;
  text += ": " + CopiedItems(table.items);
  if (table.was_done) text += ", copied by an earlier run";
  if (table.is_verified) text += ", verified";
  if (table.had_items && !table.was_done) text += ", not verified: the table had other items";
  if (!table.difference.empty()) text += ", which differ";
  return text + "\n";
}

std::string SumLine(const CopyRequest& request, const CopyResult& result, double seconds) {
  std::int64_t items = 0;
  for (const CopiedTable& table : result.tables) items += table.items;
  std::string text = "Copied " + CountedText(static_cast<double>(result.tables.size()), "table") +
                     " with " + CopiedItems(items) + " in " + NumberText(seconds) +
                     " s: " + CountedText(result.read_units, "read unit");
  if (request.to) text += ", " + CountedText(result.write_units, "write unit");
  if (result.verifying_units > 0) {
    text += ", " + CountedText(result.verifying_units, "read unit") + " to verify";
  }
  if (request.pays_source || request.pays_destination) text += ", " + UsdText(result.usd);
  return text + "\n";
}

// Prints what was copied. Returns the exit code.
Result<int> ReportCopy(const CopyRequest& request, const CopyResult& result, double seconds) {
  std::string text;
  bool differs = false;
  for (const CopiedTable& table : result.tables) {
    text += TableLine(table);
    if (!table.difference.empty()) differs = true;  // it was printed when it was found
  }
  HR_RETURN_IF_ERROR(PrintText(text + SumLine(request, result, seconds)));
  return differs ? kFailure : 0;
}

Result<int> CopyTables(const CopyLine& line, const std::atomic<bool>& stop) {
  const Stopwatch stopwatch;
  CopyRequest request = line.request;
  request.stop = &stop;
  request.note = PrintError;
  request.verifies = !line.skips_verification;
  HR_RETURN_IF_ERROR(ReadCopyPrices(line.prices, &request.prices));
  HR_ASSIGN(const OpenedSides sides, OpenSides(line, &request));
  if (!sides.to) request.folder = line.to.place;
  request.state_file =
      !line.state.empty() ? std::filesystem::path(line.state) : request.folder / kCopyStateFile;
  CopyProgress progress;
  request.progress = &progress;
  const Result<CopyResult> result = [&] {
    const ProgressText shown([&progress] { return progress.Text(); });
    return RunCopy(request);
  }();
  if (!result.ok()) return result.error();
  const std::chrono::duration<double> time = stopwatch.elapsed();
  return ReportCopy(request, *result, time.count());
}

}  // namespace

CommandRow DescribeCopy() {
  CopyLine line;
  return CopyRow(line);
}

CopyLine ParseCopyLine(int argc, const char* const* argv) {
  CopyLine line;
  const ParsedLine parsed = ParseRows(CopyRow(line), argc, argv);
  line.is_over = parsed.is_printed;
  if (parsed.wrong.empty()) return line;
  return {.is_over = true, .exit_code = RefuseUsage(kCopyPath, parsed.wrong)};
}

int RunCopyLine(const CopyLine& line) {
  if (line.is_over) return line.exit_code;
  const std::atomic<bool>& stop = CatchInterruption(kInterrupted);
  const Result<int> code = CopyTables(line, stop);
  if (code.ok()) return *code;
  const int exit_code = FailWith(code.error());
  return stop ? kInterrupted : exit_code;
}

}  // namespace hashrange
