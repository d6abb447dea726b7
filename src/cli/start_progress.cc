#include "cli/start_progress.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <utility>

namespace hashrange {
namespace {

constexpr std::chrono::milliseconds kInterval{250};
constexpr const char* kClearRestOfLine = "\x1b[K";

}  // namespace

StartProgress::StartProgress(std::function<std::string()> text) {
  if (::isatty(STDERR_FILENO) != 1) return;
  // Without a thread nothing is shown.
  queue_.Post(
      [this, text = std::move(text)]() -> WorkQueue::NextRun {
        std::fprintf(stderr, "\r%s%s", text().c_str(), kClearRestOfLine);
        std::fflush(stderr);
        is_shown_ = true;
        return kInterval;
      },
      {.delay = kInterval});
}

StartProgress::~StartProgress() {
  queue_.Stop();
  if (is_shown_) std::fprintf(stderr, "\r%s", kClearRestOfLine);
}

}  // namespace hashrange
