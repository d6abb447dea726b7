// Table stream: CreateTable or UpdateTable opens a stream before it publishes the first version of
// the table that has the stream. UpdateTable closes a stream that it disables, and DeleteTable the
// stream of the deleted table (docs/service/12-streams-and-ttl.md, section B).
#pragma once

#include "engine/stream/stream_set.h"
#include "engine/table_life_cycle.h"
#include "engine/table_version.h"
#include "operation/call/context.h"

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
  // Does the same for `after` of the change, and gives `during` the same stream.
  void OpenFor(TableChange* change);

  // Is to be called when the version is published: the destructor then keeps the stream.
  void Keep() { opened_ = nullptr; }

 private:
  Context& context_;
  StreamRef opened_;
};

// Closes the stream, if any, of a version that is not published any more. Any thread.
void CloseStream(const Context& context, const TableVersion& replaced);

}  // namespace hashrange
