#include "cli/seed_at_start.h"

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <exception>
#include <mutex>
#include <thread>

#include "base/log.h"
#include "base/stopwatch.h"
#include "cli/seed_text.h"

namespace hashrange {
namespace {

constexpr std::chrono::milliseconds kInterval{250};
constexpr const char* kRestOfLine = "\x1b[K";  // is cleared by it

// While it lives, and stderr is a terminal, a line there tells how far a seed is.
class ProgressLine {
 public:
  explicit ProgressLine(const Database::SeedReport& report) : report_(report) {
    if (::isatty(STDERR_FILENO) != 1) return;
    try {
      thread_ = std::thread([this] { Run(); });
    } catch (const std::exception&) {
      // Without a thread nothing is told.
    }
  }
  ~ProgressLine() {
    if (!thread_.joinable()) return;
    {
      std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    over_.notify_one();
    thread_.join();
    std::fprintf(stderr, "\r%s", kRestOfLine);
  }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

 private:
  // A seed that is quick shows nothing.
  void Run() {
    std::unique_lock lock(mutex_);
    while (!over_.wait_for(lock, kInterval, [this] { return is_over_; })) {
      const std::string text = SeedProgressText(report_.items_read, report_.items_stored);
      std::fprintf(stderr, "\r%s%s", text.c_str(), kRestOfLine);
      std::fflush(stderr);
    }
  }

  const Database::SeedReport& report_;
  std::mutex mutex_;
  std::condition_variable over_;
  bool is_over_ = false;  // guarded by `mutex_`
  std::thread thread_;
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
    const ProgressLine progress(report);
    if (!database.Seed(line.seed, error, into, &report)) return false;
  }
  const std::chrono::duration<double> time = stopwatch.elapsed();
  for (const std::string& warning : report.warnings) Log(LogLevel::kWarning, warning);
  *seeded = SeededText(report.tables, report.items_read, line.seed, time.count());
  return true;
}

}  // namespace hashrange
