#include "cli/progress_bar.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace hashrange {
namespace {

constexpr int kCells = 40;
constexpr std::chrono::milliseconds kInterval{100};
constexpr const char* kBeginOfLine = "\r\x1b[K";  // and removes what was on the line

}  // namespace

std::string ProgressLine(double done) {
  const double share = std::clamp(done, 0.0, 1.0);
  const auto cells = static_cast<std::size_t>(share * kCells);
  return "hashrange: " + std::to_string(static_cast<int>(share * 100)) + " % [" +
         std::string(cells, '#') + std::string(kCells - cells, ' ') + "]";
}

ProgressBar::ProgressBar() : is_shown_(::isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
  if (is_shown_) std::fputs(kBeginOfLine, stderr);
}

void ProgressBar::Show(double done) {
  if (!is_shown_) return;
  std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + kInterval;
  std::fprintf(stderr, "%s%s", kBeginOfLine, ProgressLine(done).c_str());
  std::fflush(stderr);
}

}  // namespace hashrange
