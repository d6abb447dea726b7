// CopyProgress: how far a copy has come, for the line that a person watches. Thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace hashrange {

// The figures of the line. Pure.
struct CopyProgressFigures {
  std::string table = {};
  bool is_verifying = false;
  std::int64_t items = 0;     // copied so far, earlier runs included
  std::int64_t before = 0;    // of these, copied by earlier runs
  std::int64_t expected = 0;  // of the table, about; 0: not known
  double seconds = 0;         // since this run began with the table
};

// Returns "Copying app: 12,000 of about 100,000 items, 8,100 a second, about 11 s left".
std::string CopyProgressText(const CopyProgressFigures& figures);

class CopyProgress {
 public:
  void BeginTable(const std::string& table, std::int64_t before, std::int64_t expected);
  void AddItems(std::int64_t items);
  void BeginVerifying();
  // Returns the line; empty before the first table.
  std::string Text() const;

 private:
  mutable std::mutex mutex_;
  CopyProgressFigures figures_;
  std::chrono::steady_clock::time_point begin_ = {};
};

}  // namespace hashrange
