// The log: messages from any layer to the person who runs the server. main.cc passes them
// to the program's logger; without a sink nothing is printed. Thread-safe, but for SetLogSink.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string_view>

#include "base/threads.h"

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

// RepeatLimit decides which lines are logged and which are dropped, so that a log stays readable
// where one cause would write the same line for each of a thousand requests, or a thousand causes
// would write one line each. Thread-safe.
class RepeatLimit {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  static constexpr std::chrono::minutes kPause{1};
  static constexpr int kMaxPerSecond = 10;

  // Returns whether a line is to be logged now. `cause` is a hash of what the line is about. The
  // answer is yes when no line of that cause was logged within kPause, and fewer than kMaxPerSecond
  // lines were logged in this second. At most 256 causes are remembered: a cause that another cause
  // has replaced counts as new.
  bool Admits(std::size_t cause, TimePoint now);

 private:
  struct LoggedLine {
    std::size_t cause = 0;
    TimePoint at;  // the epoch: nothing was logged yet
  };

  Mutex mutex_;                             // guards what follows
  std::array<LoggedLine, 256> last_lines_;  // by the cause's last bits
  TimePoint second_begin_;                  // when the present second began
  int lines_in_second_ = 0;
};

}  // namespace hashrange
