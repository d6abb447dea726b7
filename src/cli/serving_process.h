// The life of a process that serves a database, which `serve` and `mcp` share: it opens the data
// directory and loads the seed, with the progress on a terminal; it serves until a signal; and it
// ends without destroying anything.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "cli/command_line.h"
#include "hashrange/database.h"
#include "hashrange/server.h"

namespace hashrange {

// What is stopped at the end.
struct ServedParts {
  std::mutex mutex;
  std::unique_ptr<Database> database;  // null until it is loaded, and where an endpoint is used
  std::unique_ptr<Server> server;      // null until it listens
};

// Runs `start` on a thread of its own, and ends the process with SIGINT or SIGTERM, also while
// `start` runs; with 1, after a line on stderr, when `start` throws. `without_memory` is the
// sentence for std::bad_alloc. Called by the first thread, after BlockStopSignals() and before any
// other thread starts.
[[noreturn]] void ServeUntilSignal(const std::function<void(ServedParts&)>& start,
                                   const char* without_memory);

// Ends the process with 1, after a line on stderr. Any thread.
[[noreturn]] void FailToServe(const std::string& why);

// Stops the server, closes the database, and ends the process: with 0, or with 1, after a line on
// stderr, when the database cannot be closed. Any thread.
[[noreturn]] void EndServing(ServedParts& parts);

// Returns the token of --control-token, of the file that --control-token-file names, or of the
// variable HASHRANGE_TOKEN, in this order; empty when none of them is given.
// Logs a warning when other users may read the file.
// Errors: `*error` is set when the file cannot be read or holds no token: a server that was meant
//         to be guarded must not run without a guard.
std::string ReadControlToken(const CommandLine& line, std::string* error);

// A database that OpenAtStart() has put into the parts.
struct OpenedDatabase {
  Database& database;
  int tables;            // which the data directory had
  std::string sentence;  // what was loaded; empty without a data directory
};

// Makes the database of the line, with what its data directory has. Ends the process on failure.
OpenedDatabase OpenAtStart(const CommandLine& line, ServedParts& parts);

// Loads the seed of the line, unless the data directory had tables already. Returns a sentence
// about that, which is empty where the line has no seed. Warnings go into the log. Ends the process
// on failure.
std::string SeedAtStart(const CommandLine& line, const OpenedDatabase& opened);

// Returns "Seeding: 431,000 items read, 12,000 stored"; without the end when no item is stored.
std::string SeedProgressText(std::int64_t items_read, std::int64_t items_stored);

// What was loaded, from where, and how long it took.
struct LoadedItems {
  int tables;
  std::int64_t items;
  std::string_view path;
  double seconds;
};

// Returns "Seeded 2 tables with 1,000,000 items from fixtures/ in 1.9 s", for `done` "Seeded".
std::string LoadedText(const char* done, const LoadedItems& loaded);

}  // namespace hashrange
