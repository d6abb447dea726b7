// ParentWatch: a server that ends with the process that started it, however that ends: a test
// run that is killed leaves nothing behind.
#pragma once

namespace hashrange {

class ParentWatch {
 public:
  // The process that started this one. Made first thing: who has no parent any more is given
  // another.
  ParentWatch();
  ~ParentWatch();
  ParentWatch(const ParentWatch&) = delete;
  ParentWatch& operator=(const ParentWatch&) = delete;

  // Whether the parent runs still.
  bool IsAlive() const;

  // From a thread of its own, which is never joined, sends this process SIGTERM as soon as the
  // parent has ended, or at once when it has already.
  void Start() const;

 private:
  const int parent_;
  int descriptor_ = -1;  // of the parent; −1: the system has none for processes
};

}  // namespace hashrange
