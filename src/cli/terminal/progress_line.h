// The progress of work, as one line on stderr, which is removed in the end. Nothing is shown where
// stderr is no terminal.
//
//   hashrange: 42 % [########            ]
//   Seeding: 431,000 items read, 12,000 stored
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <string>

#include "base/work_queue.h"

namespace hashrange {

// Returns the line for a share of the work from 0 to 1.
std::string ProgressLine(double done);

// Shows which share of the work is done.
class ProgressBar {
 public:
  ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ~ProgressBar();

  // Shows the share, from 0 to 1, at most ten times a second. Any thread.
  void Show(double done);

 private:
  const bool is_shown_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point next_ = {};
};

// Shows a text that says how far the work is, from time to time. Nothing is shown of work that
// takes less than 250 ms.
class ProgressText {
 public:
  // `text` returns the line; it is called on another thread.
  explicit ProgressText(std::function<std::string()> text);
  ProgressText(const ProgressText&) = delete;
  ProgressText& operator=(const ProgressText&) = delete;
  ~ProgressText();

 private:
  bool is_shown_ = false;  // written by the queue's thread, read after the thread has ended
  WorkQueue queue_{{.name = "the progress at the start"}};
};

}  // namespace hashrange
