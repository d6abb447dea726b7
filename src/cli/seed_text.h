// What `serve --seed` says of how far it is, and of what it has loaded. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hashrange {

// "1,000,000"
std::string WithThousands(std::int64_t count);

// "Seeding: 431,000 items read, 12,000 stored"; what nothing was done of is left out.
std::string SeedProgressText(std::int64_t items_read, std::int64_t items_stored);

// "Seeded 2 tables with 1,000,000 items from fixtures/ in 1.9 s"
std::string SeededText(int tables, std::int64_t items, std::string_view path, double seconds);

}  // namespace hashrange
