#include "base/log.h"

#include <cstddef>
#include <exception>
#include <string>
#include <utility>

#include "base/text/text_encodings.h"

namespace hashrange {
namespace {

struct Logger {
  LogSink sink;
  LogLevel least = LogLevel::kInfo;
};

Logger& TheLogger() {
  static Logger logger;
  return logger;
}

// Returns whether byte `i` is the second byte of one of the control characters C2 80 to C2 9F of
// UTF-8. Some terminals obey these characters.
bool EndsTwoByteControl(std::string_view text, std::size_t i) {
  const auto byte = static_cast<unsigned char>(text[i]);
  return byte >= 0x80 && byte < 0xa0 && i > 0 && text[i - 1] == '\xc2';
}

bool IsControl(std::string_view text, std::size_t i) {
  const auto byte = static_cast<unsigned char>(text[i]);
  return byte < ' ' || byte == 0x7f || EndsTwoByteControl(text, i);
}

std::string ToOneLine(std::string_view text) {
  std::string line;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!IsControl(text, i)) {
      line.push_back(text[i]);
      continue;
    }
    if (EndsTwoByteControl(text, i)) line.pop_back();  // the byte C2 in front
    line.append("\\x").append(HexText(text.substr(i, 1)));
  }
  return line;
}

}  // namespace

void SetLogSink(LogSink sink, LogLevel least) { TheLogger() = {std::move(sink), least}; }

bool IsLogged(LogLevel level) {
  const Logger& logger = TheLogger();
  return logger.sink && level >= logger.least;
}

void Log(LogLevel level, std::string_view message) noexcept {
  if (!IsLogged(level)) return;
  try {
    TheLogger().sink(level, ToOneLine(message));
  } catch (const std::exception&) {
    // The message is lost: the caller may be a destructor, which must not fail.
  }
}

bool RepeatLimit::Admits(std::size_t cause, TimePoint now) {
  MutexLock lock(mutex_);
  LoggedLine& last = last_lines_[cause % last_lines_.size()];
  const bool is_known = last.cause == cause && last.at != TimePoint();
  if (is_known && now - last.at < kPause) return false;
  if (now - second_begin_ >= std::chrono::seconds(1)) {
    second_begin_ = now;
    lines_in_second_ = 0;
  }
  if (lines_in_second_ == kMaxPerSecond) return false;
  ++lines_in_second_;
  last = {cause, now};
  return true;
}

}  // namespace hashrange
