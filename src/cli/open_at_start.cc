#include "cli/open_at_start.h"

#include <chrono>

#include "base/stopwatch.h"
#include "platform/memory.h"
#include "cli/seed_text.h"
#include "cli/start_progress.h"

namespace hashrange {
namespace {

// Returns the bound on the memory of the data. The rest of the system's memory is for what is not
// counted, for memory that is freed and not yet returned, and for other programs.
std::int64_t MaxMemoryBytes(const CommandLine& line) {
  return line.max_memory_bytes >= 0 ? line.max_memory_bytes : MemoryOfSystem() / 5 * 4;
}

}  // namespace

OpenedDatabase OpenAtStart(const CommandLine& line, std::string* error) {
  const Database::Options options{
      .shared_tables = line.shared_tables,
      .transition_ms = line.transition_ms,
      .stream_shards = line.stream_shards,
      .stream_buffer_bytes = static_cast<std::int64_t>(line.stream_buffer_bytes),
      .ttl_interval_ms = line.ttl_interval_ms,
      .max_memory_bytes = MaxMemoryBytes(line),
      .metrics = line.metrics,
      .data_directory = line.data,
      .sync_interval_ms = line.sync_interval_ms};
  Database::OpenReport report;
  const Stopwatch stopwatch;
  OpenedDatabase opened;
  {
    const StartProgress progress([&report] { return LoadingText(report.items); });
    opened.database = Database::Open(options, error, &report);
  }
  if (!opened.database) return opened;
  const std::chrono::duration<double> time = stopwatch.elapsed();
  opened.tables = report.tables;
  if (!line.data.empty()) {
    opened.sentence = LoadedText(report.tables, report.items, line.data, time.count());
  }
  return opened;
}

}  // namespace hashrange
