#include "cli/terminal/progress_line.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "platform/streams.h"

namespace hashrange {
namespace {

constexpr int kCells = 40;
constexpr std::chrono::milliseconds kBarInterval{100};
constexpr std::chrono::milliseconds kTextInterval{250};
constexpr const char* kEmptyLine = "\r\x1b[K";  // removes what was on the line, too
constexpr const char* kClearRestOfLine = "\x1b[K";

}  // namespace

std::string ProgressLine(double done) {
  const double share = std::clamp(done, 0.0, 1.0);
  const auto cells = static_cast<std::size_t>(share * kCells);
  return "hashrange: " + std::to_string(static_cast<int>(share * 100)) + " % [" +
         std::string(cells, '#') + std::string(kCells - cells, ' ') + "]";
}

ProgressBar::ProgressBar() : is_shown_(StderrIsTerminal()) {}

ProgressBar::~ProgressBar() {
  if (is_shown_) std::fputs(kEmptyLine, stderr);
}

void ProgressBar::Show(double done) {
  if (!is_shown_) return;
  std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + kBarInterval;
  std::fprintf(stderr, "%s%s", kEmptyLine, ProgressLine(done).c_str());
  std::fflush(stderr);
}

ProgressText::ProgressText(std::function<std::string()> text) {
  if (!StderrIsTerminal()) return;
  // Without a thread nothing is shown.
  queue_.Post(
      [this, text = std::move(text)]() -> WorkQueue::NextRun {
        std::fprintf(stderr, "\r%s%s", text().c_str(), kClearRestOfLine);
        std::fflush(stderr);
        is_shown_ = true;
        return kTextInterval;
      },
      {.delay = kTextInterval});
}

ProgressText::~ProgressText() {
  queue_.Stop();
  if (is_shown_) std::fputs(kEmptyLine, stderr);
}

}  // namespace hashrange
