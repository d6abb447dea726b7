#include "base/log.h"

#include <utility>

namespace hashrange {
namespace {

LogSink& Sink() {
  static LogSink sink;
  return sink;
}

}  // namespace

void SetLogSink(LogSink sink) { Sink() = std::move(sink); }

void Log(LogLevel level, std::string_view message) {
  if (const LogSink& sink = Sink()) sink(level, message);
}

}  // namespace hashrange
