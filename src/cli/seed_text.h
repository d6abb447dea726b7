// The texts of `serve --seed` and `serve --data` for their progress and their result. Pure
// functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hashrange {

// Returns "Seeding: 431,000 items read, 12,000 stored"; without the end when no item is stored.
std::string SeedProgressText(std::int64_t items_read, std::int64_t items_stored);

// Returns "Seeded 2 tables with 1,000,000 items from fixtures/ in 1.9 s".
std::string SeededText(int tables, std::int64_t items, std::string_view path, double seconds);

// Returns "Loading: 431,000 items".
std::string LoadingText(std::int64_t items);

// Returns "Loaded 2 tables with 1,000,000 items from ./data in 1.9 s".
std::string LoadedText(int tables, std::int64_t items, std::string_view path, double seconds);

}  // namespace hashrange
