#include "cli/seed_at_start.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "base/log.h"
#include "base/stopwatch.h"
#include "base/work_queue.h"
#include "cli/seed_text.h"

namespace hashrange {
namespace {

constexpr std::chrono::milliseconds kInterval{250};
constexpr const char* kClearRestOfLine = "\x1b[K";

// Shows the progress of a seed in a line on stderr, if stderr is a terminal, until the object is
// destroyed. Nothing is shown for a seed that takes less than kInterval.
class ProgressLine {
 public:
  explicit ProgressLine(const Database::SeedReport& report) {
    if (::isatty(STDERR_FILENO) != 1) return;
    // Without a thread nothing is shown.
    queue_.Post(
        [this, &report]() -> WorkQueue::NextRun {
          const std::string text = SeedProgressText(report.items_read, report.items_stored);
          std::fprintf(stderr, "\r%s%s", text.c_str(), kClearRestOfLine);
          std::fflush(stderr);
          is_shown_ = true;
          return kInterval;
        },
        {.delay = kInterval});
  }
  ~ProgressLine() {
    queue_.Stop();
    if (is_shown_) std::fprintf(stderr, "\r%s", kClearRestOfLine);
  }

 private:
  bool is_shown_ = false;  // written by the queue's thread, read after the thread has ended
  WorkQueue queue_{{.name = "the progress of the seed"}};
};

}  // namespace

bool SeedAtStart(const CommandLine& line, Database& database, std::string* seeded,
                 std::string* error) {
  Credential into;
  if (!line.seed_account.empty()) into.access_key = line.seed_account;
  if (!line.seed_region.empty()) into.region = line.seed_region;
  Database::SeedReport report;
  const Stopwatch stopwatch;
  {
    ProgressLine progress(report);
    if (!database.Seed(line.seed, error, into, &report)) return false;
  }
  const std::chrono::duration<double> time = stopwatch.elapsed();
  for (const std::string& warning : report.warnings) Log(LogLevel::kWarning, warning);
  *seeded = SeededText(report.tables, report.items_read, line.seed, time.count());
  return true;
}

}  // namespace hashrange
