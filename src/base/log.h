// The log sink: what any layer may say to whoever runs the server. main.cc feeds
// it to the program's logger; without one, nothing is printed. Thread-safe.
#pragma once

#include <functional>
#include <string_view>

namespace hashrange {

enum class LogLevel { kDebug, kInfo, kWarning, kError };

using LogSink = std::function<void(LogLevel, std::string_view)>;

// Set once, before the threads that log are started.
void SetLogSink(LogSink sink);

void Log(LogLevel level, std::string_view message);

}  // namespace hashrange
