// ParentWatch ends the server when the process that started it has ended, for whatever reason: so a
// test run that is killed leaves no server behind.
//
// If the starter ends before the watch asks the kernel for the server's parent, the kernel names
// the process that has adopted the server. This may be any process that adopts orphans (a
// subreaper), such as the process of a systemd session or the first process of a container. The
// watch cannot notice this, so a starter that may be killed that early gives its own process
// number.
#pragma once

namespace hashrange {

class ParentWatch {
 public:
  // Watches the process `starter`; 0: the parent of this process. Constructed before anything else,
  // so that the parent has little time to end.
  explicit ParentWatch(int starter);
  ~ParentWatch();
  ParentWatch(const ParentWatch&) = delete;
  ParentWatch& operator=(const ParentWatch&) = delete;

  // Returns whether the watched process still runs.
  bool IsAlive() const;

  // Starts a thread, never joined, that sends SIGTERM to this process as soon as the watched
  // process has ended. The watch must outlive the thread.
  void Start() const;

 private:
  const bool is_named_;  // false: the watched process is the parent
  const int process_;
  const int descriptor_;  // of the process; −1: it has ended, or the system has no pidfd_open
};

}  // namespace hashrange
