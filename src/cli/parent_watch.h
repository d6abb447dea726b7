// ParentWatch: a server that ends with the process that started it, however that ends: a test
// run that is killed leaves nothing behind.
//
// Who asks for its parent too late is told of the process that adopted it, which may be any
// (a subreaper: systemd's of a session, a container's first). Nothing tells the two apart, so a
// starter that may be killed in that moment says who it is.
#pragma once

namespace hashrange {

class ParentWatch {
 public:
  // Of the process `starter`; 0: of this one's parent. Made first thing.
  explicit ParentWatch(int starter);
  ~ParentWatch();
  ParentWatch(const ParentWatch&) = delete;
  ParentWatch& operator=(const ParentWatch&) = delete;

  // Whether it runs still.
  bool IsAlive() const;

  // From a thread of its own, which is never joined, sends this process SIGTERM as soon as it
  // has ended, or at once when it has already. The watch must outlive the thread.
  void Start() const;

 private:
  const bool is_named_;  // otherwise it is the parent
  const int process_;
  const int descriptor_;  // of it; −1: it has ended, or the system has none for processes
};

}  // namespace hashrange
