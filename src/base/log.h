// The log sink: what any layer may say to whoever runs the server. main.cc feeds
// it to the program's logger; without one, nothing is printed. Thread-safe.
#pragma once

#include <functional>
#include <string_view>

namespace hashrange {

enum class LogLevel { kDebug, kInfo, kWarning, kError };

using LogSink = std::function<void(LogLevel, std::string_view)>;

// Set once, before the threads that log are started. What is below `least` is not logged.
void SetLogSink(LogSink sink, LogLevel least = LogLevel::kInfo);

// Whether somebody reads what is logged at the level.
bool IsLogged(LogLevel level);

// A message is one line: its control characters are logged as \xNN.
void Log(LogLevel level, std::string_view message);

}  // namespace hashrange
