// StartProgress shows the progress of work in a line on stderr, if stderr is a terminal, until the
// object is destroyed. Nothing is shown of work that takes less than 250 ms.
#pragma once

#include <functional>
#include <string>

#include "base/work_queue.h"

namespace hashrange {

class StartProgress {
 public:
  // `text` returns the line; it is called on another thread.
  explicit StartProgress(std::function<std::string()> text);
  ~StartProgress();

 private:
  bool is_shown_ = false;  // written by the queue's thread, read after the thread has ended
  WorkQueue queue_{{.name = "the progress at the start"}};
};

}  // namespace hashrange
