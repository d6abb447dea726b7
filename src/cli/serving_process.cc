#include "cli/serving_process.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "base/file_text.h"
#include "base/log.h"
#include "cli/terminal/progress_line.h"
#include "measure/number_text.h"
#include "platform/files.h"
#include "platform/memory.h"
#include "platform/signals.h"
#include "remote/client/environment.h"

namespace hashrange {
namespace {

// No object is destroyed: a seed may be under way on its threads, and the system frees the memory
// of millions of items faster than destructors do. All output has been flushed.
[[noreturn]] void EndProcess(int exit_code) { std::_Exit(exit_code); }

// Returns the bound on the memory of the data. The rest of the system's memory is for what is not
// counted, for memory that is freed and not yet returned, and for other programs.
std::int64_t MaxMemoryBytes(const CommandLine& line) {
  const std::int64_t given = line.database.max_memory_bytes;
  return given >= 0 ? given : MemoryOfSystem() / 5 * 4;
}

std::string ItemsText(std::int64_t items) {
  return CountedText(static_cast<double>(items), "item");
}

double SecondsSince(const Stopwatch& stopwatch) {
  return std::chrono::duration<double>(stopwatch.elapsed()).count();
}

}  // namespace

void ServeUntilSignal(const std::function<void(ServedParts&)>& start, const char* without_memory) {
  IgnoreBrokenPipes();
  LimitUnusedHeap();
  ServedParts parts;
  std::thread([&] {
    try {
      start(parts);
    } catch (const std::bad_alloc&) {
      FailToServe(without_memory);
    } catch (const std::exception& failure) {
      FailToServe(failure.what());
    }
  }).detach();
  WaitForStopSignal();
  EndServing(parts);
}

void FailToServe(const std::string& why) {
  std::fprintf(stderr, "hashrange: %s\n", why.c_str());
  EndProcess(1);
}

void EndServing(ServedParts& parts) {
  parts.mutex.lock();  // never released: nothing is served afterwards
  if (parts.server) parts.server->Stop();
  std::string error;
  if (parts.database && !parts.database->Close(&error)) FailToServe(error);
  EndProcess(0);
}

OpenedDatabase OpenAtStart(const CommandLine& line, ServedParts& parts) {
  Database::Options options = line.database;
  options.max_memory_bytes = MaxMemoryBytes(line);
  Database::OpenReport report;
  std::string error;
  std::unique_ptr<Database> database;
  const Stopwatch stopwatch;
  {
    const ProgressText progress([&report] { return "Loading: " + ItemsText(report.items); });
    database = Database::Open(options, &error, &report);
  }
  if (!database) FailToServe(error);
  OpenedDatabase opened{*database, report.tables, ""};
  const std::string& path = options.data_directory;
  if (!path.empty()) {
    opened.sentence =
        LoadedText("Loaded", {report.tables, report.items, path, SecondsSince(stopwatch)});
  }
  std::lock_guard lock(parts.mutex);
  parts.database = std::move(database);
  return opened;
}

std::string SeedAtStart(const CommandLine& line, const OpenedDatabase& opened) {
  if (line.seed.empty()) return "";
  if (opened.tables > 0) {
    return line.database.data_directory + " has tables already, so " + line.seed + " is not loaded";
  }
  Credential into;
  if (!line.seed_account.empty()) into.access_key = line.seed_account;
  if (!line.seed_region.empty()) into.region = line.seed_region;
  Database::SeedReport report;
  std::string error;
  const Stopwatch stopwatch;
  {
    const ProgressText progress(
        [&report] { return SeedProgressText(report.items_read, report.items_stored); });
    if (!opened.database.Seed(line.seed, &error, into, &report)) FailToServe("--seed: " + error);
  }
  const double seconds = SecondsSince(stopwatch);
  for (const std::string& warning : report.warnings) Log(LogLevel::kWarning, warning);
  return LoadedText("Seeded", {report.tables, report.items_read, line.seed, seconds});
}

std::string SeedProgressText(std::int64_t items_read, std::int64_t items_stored) {
  std::string text = "Seeding: " + ItemsText(items_read) + " read";
  if (items_stored > 0) {
    text += ", " + CountText(static_cast<std::uint64_t>(items_stored)) + " stored";
  }
  return text;
}

std::string LoadedText(const char* done, const LoadedItems& loaded) {
  char time[32];
  std::snprintf(time, sizeof time, loaded.seconds < 0.1 ? "%.3f s" : "%.1f s", loaded.seconds);
  return std::string(done) + " " + CountedText(loaded.tables, "table") + " with " +
         ItemsText(loaded.items) + " from " + std::string(loaded.path) + " in " + time;
}

std::string ReadControlToken(const CommandLine& line, std::string* error) {
  if (!line.server.control_token.empty()) return line.server.control_token;
  if (line.control_token_file.empty()) return EnvironmentVariable("HASHRANGE_TOKEN");
  constexpr std::size_t kMaxTokenFileBytes = 64 << 10;
  auto text = ReadFileText(line.control_token_file, kMaxTokenFileBytes);
  if (!text.ok()) {
    *error = "--control-token-file: " + text.error().message;
    return {};
  }
  if (OthersMayRead(line.control_token_file)) {
    Log(LogLevel::kWarning, "--control-token-file: other users of this machine may read " +
                                line.control_token_file + ": chmod 600 shuts them out");
  }
  std::string token = std::move(*text);
  const std::size_t end = token.find_last_not_of(" \t\r\n");
  token.resize(end == token.npos ? 0 : end + 1);
  if (token.empty())
    *error = "--control-token-file: " + line.control_token_file + " holds no token";
  return token;
}

}  // namespace hashrange
