#include "cli/copy_command.h"

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "base/file_text.h"
#include "base/stopwatch.h"
#include "cli/ctl_answer.h"
#include "cli/exit_codes.h"
#include "cli/interruption.h"
#include "cli/measure_output.h"
#include "cli/start_progress.h"
#include "measure/number_text.h"
#include "remote/copy/copy_endpoint.h"
#include "remote/copy/copy_run.h"
#include "remote/copy/item_sink.h"

namespace hashrange {
namespace {

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

Result<std::unique_ptr<ApiEndpoint>> OpenEndpoint(const EndpointUrl& url, const CopySide& side,
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
                         " is a folder, which has no profile and no "
                         "Region");
}

// Opens both sides, and notes in the request where units cost money.
Result<OpenedSides> OpenSides(const CopyLine& line, CopyRequest* request) {
  HR_ASSIGN(const std::optional<EndpointUrl> from, UrlOf(line.from.place));
  HR_ASSIGN(const std::optional<EndpointUrl> to, UrlOf(line.to.place));
  if (!from && !to) {
    return ValidationError(
        "--from and --to are both folders: a copy needs an endpoint, such as "
        "http://127.0.0.1:8000 or aws:eu-west-1");
  }
  if (!from) HR_RETURN_IF_ERROR(CheckFolderOptions(line.from, "from"));
  if (!to) HR_RETURN_IF_ERROR(CheckFolderOptions(line.to, "to"));
  if (!to && line.into_existing) {
    return ValidationError("--into-existing is about tables of an endpoint, and --to is a folder");
  }
  if (to && line.compresses) {
    return ValidationError("--gzip is about files, and --to is an endpoint");
  }
  OpenedSides sides;
  if (to) {
    HR_ASSIGN(sides.to, OpenEndpoint(*to, line.to, line.ca_file, request->stop));
    request->pays_destination = IsAwsEndpoint(*to);
  }
  if (from) {
    HR_ASSIGN(sides.from, OpenEndpoint(*from, line.from, line.ca_file, request->stop));
    request->pays_source = IsAwsEndpoint(*from);
  } else {
    HR_ASSIGN(std::unique_ptr<SeededEndpoint> seeded, SeededEndpoint::Load(line.from.place));
    sides.from = std::move(seeded);
  }
  request->from = sides.from.get();
  request->to = sides.to.get();
  return sides;
}

Status ReadPrices(const std::string& file, PriceList* prices) {
  if (file.empty()) return {};
  HR_ASSIGN(std::string text, ReadFileText(file));
  auto list = ReadPriceListText({text.data(), text.size()});
  if (!list.ok()) return ValidationError(file + ": " + list.error().message);
  *prices = std::move(*list);
  return {};
}

Result<CopyRequest> MakeRequest(const CopyLine& line) {
  CopyRequest request;
  request.tables = line.tables;
  request.renames = line.renames;
  request.prefix = line.prefix;
  request.into_existing = line.into_existing;
  request.resumes = line.resumes;
  request.verifies = !line.skips_verification;
  request.compresses = line.compresses;
  request.segments = line.segments;
  request.read_units_a_second = line.read_units;
  request.write_units_a_second = line.write_units;
  request.spend_usd = line.spend_usd;
  request.note = PrintCtlError;
  HR_RETURN_IF_ERROR(ReadPrices(line.prices, &request.prices));
  return request;
}

std::string ItemsText(std::int64_t items) {
  return CountedText(static_cast<double>(items), "item");
}

std::string TableLine(const CopiedTable& table) {
  std::string text = table.name;
  if (table.target != table.name) text += " as " + table.target;
  text += ": " + ItemsText(table.items);
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
                     " with " + ItemsText(items) + " in " + NumberText(seconds) +
                     " s: " + CountedText(result.read_units, "read unit");
  if (request.to) text += ", " + CountedText(result.write_units, "write unit");
  if (result.verifying_units > 0) {
    text += ", " + CountedText(result.verifying_units, "read unit") + " to verify";
  }
  if (request.pays_source || request.pays_destination) text += ", " + UsdText(result.usd);
  return text + "\n";
}

// Prints what was copied. Returns the exit code.
Result<int> Report(const CopyRequest& request, const CopyResult& result, double seconds) {
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
  HR_ASSIGN(CopyRequest request, MakeRequest(line));
  request.stop = &stop;
  HR_ASSIGN(const OpenedSides sides, OpenSides(line, &request));
  if (!sides.to) request.folder = line.to.place;
  request.state_file =
      !line.state.empty() ? std::filesystem::path(line.state) : request.folder / kCopyStateFile;
  CopyProgress progress;
  request.progress = &progress;
  const Result<CopyResult> result = [&] {
    const StartProgress shown([&progress] { return progress.Text(); });
    return RunCopy(request);
  }();
  if (!result.ok()) return result.error();
  const std::chrono::duration<double> time = stopwatch.elapsed();
  return Report(request, *result, time.count());
}

}  // namespace

int RunCopyLine(const CopyLine& line) {
  if (line.is_over) return line.exit_code;
  const std::atomic<bool>& stop = CatchInterruption();
  const Result<int> code = CopyTables(line, stop);
  if (code.ok()) return *code;
  PrintCtlError(code.error().message);
  if (stop) return kInterrupted;
  return code.error().code == ErrorCode::kValidationException ? kUsageError : kFailure;
}

}  // namespace hashrange
