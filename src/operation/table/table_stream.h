// Table stream: a table's stream is made with the version of the table that has it, and
// closed with the last one (docs/service/12-streams-and-ttl.md, section B).
#pragma once

#include "engine/table_life_cycle.h"
#include "engine/table_version.h"
#include "operation/context.h"
#include "stream/stream_set.h"

namespace hashrange {

// A stream on its way: it is forgotten again unless its table's version was published.
class StreamOpening {
 public:
  explicit StreamOpening(Context& context) : context_(context) {}
  ~StreamOpening();
  StreamOpening(const StreamOpening&) = delete;
  StreamOpening& operator=(const StreamOpening&) = delete;

  // Makes the stream that the settings ask for, if they do and have none.
  void OpenFor(TableVersion* version);
  void OpenFor(TableChange* change);

  // The version is published.
  void Keep() { opened_ = nullptr; }

 private:
  Context& context_;
  StreamRef opened_;
};

// Closes the stream of a version that is no longer the published one, if it has one.
void CloseStream(const Context& context, const TableVersion& replaced);

}  // namespace hashrange
