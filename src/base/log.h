// The log: messages from any layer to the person who runs the server. main.cc passes them
// to the program's logger; without a sink nothing is printed. Thread-safe, but for SetLogSink.
#pragma once

#include <functional>
#include <string_view>

namespace hashrange {

enum class LogLevel { kDebug, kInfo, kWarning, kError };

using LogSink = std::function<void(LogLevel, std::string_view)>;

// Sets the sink. Call it once, before the threads that log are started. Messages below the level
// `least` are not logged.
void SetLogSink(LogSink sink, LogLevel least = LogLevel::kInfo);

// Returns whether messages of that level are logged.
bool IsLogged(LogLevel level);

// Logs the message as one line: control characters are written as \xNN. A message for which there
// is no memory is lost.
void Log(LogLevel level, std::string_view message) noexcept;

}  // namespace hashrange
