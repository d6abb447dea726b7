// LogLines collects the lines that are logged while it exists, at `least` or a higher level.
#pragma once

#include <string>
#include <vector>

#include "base/log.h"

namespace hashrange::test {

class LogLines {
 public:
  explicit LogLines(LogLevel least) {
    SetLogSink([this](LogLevel, std::string_view line) { lines_.emplace_back(line); }, least);
  }
  ~LogLines() { SetLogSink(nullptr); }
  LogLines(const LogLines&) = delete;
  LogLines& operator=(const LogLines&) = delete;

  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::vector<std::string> lines_;
};

}  // namespace hashrange::test
