// Durability: the server's promise about the data that it keeps. All changes are written to one
// log. A position in the log is safe when everything before the position is where the server has
// promised that it is before it answers: with the operating system, or on the disk. The
// answer of a call that may change something is sent when the change is safe. The answer may rest
// on a change of another caller, so it waits for the whole log as of the end of its own call. Reads
// do not wait. Thread-safe.
#pragma once

#include <cstdint>

#include "base/result.h"

namespace hashrange {

class Durability {
 public:
  // How much was appended to the log before: positions ascend, in a unit of the log's own. 0 is
  // always safe.
  using Position = std::uint64_t;

  // Is told that more has become safe.
  class Listener {
   public:
    virtual ~Listener() = default;
    // Called after each growth of safe(), on a thread of the log. Must be quick.
    virtual void OnSafe(Position safe) noexcept = 0;
  };

  virtual ~Durability() = default;

  // Returns an error if no change can be made at present. A change asks before it locks anything.
  // Errors: InternalServerError
  virtual Status AdmitChange() = 0;
  // Returns the position behind everything that is appended.
  virtual Position appended() const = 0;
  // Returns the position before which everything is safe. It never descends.
  virtual Position safe() const = 0;
  // Waits until so little of the log waits to be written that a loader may make more changes; while
  // the disk fails, this takes as long. For threads in the background.
  // Errors: InternalServerError  the log has ended
  virtual Status WaitForRoom() = 0;
  // Waits until the position is safe; returns at once if it is. Not for a thread that serves
  // connections.
  // Errors: InternalServerError  the log has ended, and the position has not become safe
  virtual Status WaitUntilSafe(Position position) = 0;

  // When RemoveListener has returned, the listener is not called any more.
  virtual void AddListener(Listener& listener) = 0;
  virtual void RemoveListener(Listener& listener) = 0;
};

}  // namespace hashrange
