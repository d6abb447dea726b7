#include "cli/seed_text.h"

#include <cstdio>

#include "measure/number_text.h"

namespace hashrange {

std::string SeedProgressText(std::int64_t items_read, std::int64_t items_stored) {
  std::string text = "Seeding: " + CountedText(static_cast<double>(items_read), "item") + " read";
  if (items_stored > 0)
    text += ", " + CountText(static_cast<std::uint64_t>(items_stored)) + " stored";
  return text;
}

std::string SeededText(int tables, std::int64_t items, std::string_view path, double seconds) {
  char time[32];
  std::snprintf(time, sizeof time, seconds < 0.1 ? "%.3f s" : "%.1f s", seconds);
  return ("Seeded " + CountedText(tables, "table") + " with " +
          CountedText(static_cast<double>(items), "item") + " from ")
      .append(path)
      .append(" in ")
      .append(time);
}

}  // namespace hashrange
