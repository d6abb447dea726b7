// Table stream: the stream is opened with the first version of the table that has it, and closed
// when it is disabled or its table is deleted (docs/service/12-streams-and-ttl.md, section B).
#pragma once

#include "engine/table_life_cycle.h"
#include "engine/table_version.h"
#include "operation/context.h"
#include "stream/stream_set.h"

namespace hashrange {

// Opens a stream for a version of a table that is not published yet. The destructor abandons the
// stream unless Keep was called. For one thread.
class StreamOpening {
 public:
  explicit StreamOpening(Context& context) : context_(context) {}
  ~StreamOpening();
  StreamOpening(const StreamOpening&) = delete;
  StreamOpening& operator=(const StreamOpening&) = delete;

  // Opens a stream if the version's settings ask for one that has no storage yet.
  void OpenFor(TableVersion* version);
  void OpenFor(TableChange* change);

  // Keeps the stream: the version was published.
  void Keep() { opened_ = nullptr; }

 private:
  Context& context_;
  StreamRef opened_;
};

// Closes the stream, if any, of a version that is not published any more.
void CloseStream(const Context& context, const TableVersion& replaced);

}  // namespace hashrange
