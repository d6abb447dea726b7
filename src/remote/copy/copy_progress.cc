#include "remote/copy/copy_progress.h"

#include <algorithm>
#include <cmath>

#include "measure/number_text.h"

namespace hashrange {
namespace {

// Before that, a rate says nothing.
constexpr double kLeastSeconds = 1;

std::string TimeLeftText(double seconds) {
  if (seconds < 100) return NumberText(std::ceil(seconds)) + " s";
  if (seconds < 100 * 60) return NumberText(std::ceil(seconds / 60)) + " min";
  return NumberText(std::ceil(seconds / 3600)) + " h";
}

std::string CountOf(std::int64_t items) {
  return CountText(static_cast<std::uint64_t>(std::max<std::int64_t>(0, items)));
}

}  // namespace

std::string CopyProgressText(const CopyProgressFigures& figures) {
  if (figures.table.empty()) return {};
  if (figures.is_verifying) return "Verifying " + figures.table;
  std::string text = "Copying " + figures.table + ": " + CountOf(figures.items);
  if (figures.expected > 0) text += " of about " + CountOf(figures.expected);
  text += " items";
  const std::int64_t now = figures.items - figures.before;
  if (figures.seconds < kLeastSeconds || now <= 0) return text;
  const double rate = static_cast<double>(now) / figures.seconds;
  text += ", " + NumberText(std::round(rate)) + " a second";
  if (figures.expected > figures.items) {
    text += ", about " +
            TimeLeftText(static_cast<double>(figures.expected - figures.items) / rate) + " left";
  }
  return text;
}

void CopyProgress::BeginTable(const std::string& table, std::int64_t before,
                              std::int64_t expected) {
  std::lock_guard lock(mutex_);
  figures_ = {.table = table, .items = before, .before = before, .expected = expected};
  begin_ = std::chrono::steady_clock::now();
}

void CopyProgress::AddItems(std::int64_t items) {
  std::lock_guard lock(mutex_);
  figures_.items += items;
}

void CopyProgress::BeginVerifying() {
  std::lock_guard lock(mutex_);
  figures_.is_verifying = true;
}

std::string CopyProgress::Text() const {
  std::lock_guard lock(mutex_);
  CopyProgressFigures figures = figures_;
  figures.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  return CopyProgressText(figures);
}

}  // namespace hashrange
