#include "cli/seed_text.h"

#include <cstdio>

#include "measure/number_text.h"

namespace hashrange {
namespace {

// Returns "Seeded 2 tables with 1,000,000 items from fixtures/ in 1.9 s".
std::string ResultText(const char* done, int tables, std::int64_t items, std::string_view path,
                       double seconds) {
  char time[32];
  std::snprintf(time, sizeof time, seconds < 0.1 ? "%.3f s" : "%.1f s", seconds);
  return (done + CountedText(tables, "table") + " with " +
          CountedText(static_cast<double>(items), "item") + " from ")
      .append(path)
      .append(" in ")
      .append(time);
}

}  // namespace

std::string SeedProgressText(std::int64_t items_read, std::int64_t items_stored) {
  std::string text = "Seeding: " + CountedText(static_cast<double>(items_read), "item") + " read";
  if (items_stored > 0)
    text += ", " + CountText(static_cast<std::uint64_t>(items_stored)) + " stored";
  return text;
}

std::string SeededText(int tables, std::int64_t items, std::string_view path, double seconds) {
  return ResultText("Seeded ", tables, items, path, seconds);
}

std::string LoadingText(std::int64_t items) {
  return "Loading: " + CountedText(static_cast<double>(items), "item");
}

std::string LoadedText(int tables, std::int64_t items, std::string_view path, double seconds) {
  return ResultText("Loaded ", tables, items, path, seconds);
}

}  // namespace hashrange
