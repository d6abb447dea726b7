#include "cli/seed_text.h"

#include <cstdio>

namespace hashrange {
namespace {

std::string CountWithNoun(std::int64_t count, std::string_view noun) {
  return WithThousands(count).append(" ").append(noun).append(count == 1 ? "" : "s");
}

}  // namespace

std::string WithThousands(std::int64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t digits = 3; digits < text.size(); digits += 4) {
    text.insert(text.size() - digits, ",");
  }
  return text;
}

std::string SeedProgressText(std::int64_t items_read, std::int64_t items_stored) {
  std::string text = "Seeding: " + CountWithNoun(items_read, "item") + " read";
  if (items_stored > 0) text += ", " + WithThousands(items_stored) + " stored";
  return text;
}

std::string SeededText(int tables, std::int64_t items, std::string_view path, double seconds) {
  char time[32];
  std::snprintf(time, sizeof time, seconds < 0.1 ? "%.3f s" : "%.1f s", seconds);
  return ("Seeded " + CountWithNoun(tables, "table") + " with " + CountWithNoun(items, "item") +
          " from ")
      .append(path)
      .append(" in ")
      .append(time);
}

}  // namespace hashrange
