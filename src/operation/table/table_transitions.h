// Table transitions: what an operation does to begin the creation, change or deletion of a table.
// It opens or closes the table's stream, publishes the first phase, and logs it. These functions
// also end a phase when its time is over (engine/table_life_cycle.h). CREATING, UPDATING and
// DELETING last for Context::transition_ms, and for Context::index_transition_ms where an index is
// added or deleted; when that is 0, these phases are skipped
// (docs/service/03-tables-and-indexes.md, section 4).
//
// No timer runs. A version says when its phase ends, and the first look-up of the table after that
// time publishes the version that follows. When several look-ups do so at the same time, one
// succeeds, and the others look the table up again. So a deleted table that nobody asks for keeps
// its memory. Any thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/stream/stream_set.h"
#include "engine/table_life_cycle.h"
#include "operation/call/context.h"

namespace hashrange {

// Returns the table of that name as of now, in any state, or null. Cost: Catalog::Find and one
// compare, unless the table's phase has ended.
TableRef FindSettled(const Context& context, std::string_view name);

// Looks up each of these tables, which drops a table whose deletion is complete. Returns whether
// one of the tables does not exist any more. For ListTables.
bool AnyIsDropped(const Context& context, std::span<const std::string> names);

// These begin the creation, change or deletion that an operation asks for: they publish its first
// phase. When phases take no time, they publish the final state, or remove the deleted table. They
// return the version that the answer describes. They return null when another call was first:
// BeginCreation when the name is taken, the others when another version was published. Then the
// caller looks the table up again.
TableRef BeginCreation(const Context& context, std::unique_ptr<TableVersion> version);
// When the change takes no time and no other phase is under way, only the result of the change is
// published. The returned version, which describes the change, is not published.
TableRef BeginUpdate(const Context& context, const TableRef& current, TableChange change);
TableRef BeginDeletion(const Context& context, const TableRef& current);

// Returns ResourceInUseException "Attempt to change a resource which is still in use: <detail>".
Error ResourceInUse(std::string detail);

// Checks that the table is neither CREATING nor DELETING.
// Errors: ResourceInUseException  the table is being created or deleted
Status CheckNotCreatingOrDeleting(const TableVersion& table);

// Opens a stream for a version of a table that is not published yet
// (docs/service/12-streams-and-ttl.md, section B). The destructor abandons the stream unless Keep
// was called. For one thread.
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

// Closes the stream, if any, of a version that is not published any more: UpdateTable has disabled
// the stream, or DeleteTable has deleted the table.
void CloseStream(const Context& context, const TableVersion& replaced);

// Logs "table app created for 000000000000/us-east-1" at level info, where `what_happened` is
// "created". An operation calls this for each table that it creates, changes or deletes.
void LogTable(const TableVersion& table, std::string_view what_happened);

}  // namespace hashrange
