#include "cli/seed_at_start.h"

#include <chrono>

#include "base/log.h"
#include "base/stopwatch.h"
#include "cli/seed_text.h"
#include "cli/start_progress.h"

namespace hashrange {

bool SeedAtStart(const CommandLine& line, Database& database, std::string* seeded,
                 std::string* error) {
  Credential into;
  if (!line.seed_account.empty()) into.access_key = line.seed_account;
  if (!line.seed_region.empty()) into.region = line.seed_region;
  Database::SeedReport report;
  const Stopwatch stopwatch;
  {
    const StartProgress progress(
        [&report] { return SeedProgressText(report.items_read, report.items_stored); });
    if (!database.Seed(line.seed, error, into, &report)) return false;
  }
  const std::chrono::duration<double> time = stopwatch.elapsed();
  for (const std::string& warning : report.warnings) Log(LogLevel::kWarning, warning);
  *seeded = SeededText(report.tables, report.items_read, line.seed, time.count());
  return true;
}

}  // namespace hashrange
