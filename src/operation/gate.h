// Gate: the one place where something may stand between an operation and the engine.
// An operation calls Enter once for each item access, after every check against the
// schema and before the verb. Each access that is let in is let out by one Leave when the
// verb is done. Without a gate (null) nothing is simulated and nothing is called.
//
// A refused member of a batch comes back unprocessed; the batch fails when all of them
// are. A refused action of a transaction cancels it (transaction_gate.h).
#pragma once

#include <optional>

#include "base/error.h"
#include "engine/table_version.h"
#include "value/key.h"

namespace hashrange {

struct Access {
  enum class Kind { kRead, kWrite, kConditionCheck, kQuery, kScan };

  Kind kind = Kind::kRead;
  const TableVersion* table = nullptr;
  const IndexVersion* index = nullptr;  // null: the table itself
  Position key;                         // of a Query or Scan: where it begins
};

// Thread-safe.
class Gate {
 public:
  virtual ~Gate() = default;
  // An error refuses this one access.
  virtual std::optional<Error> Enter(const Access& access) = 0;
  // What the access consumed, in capacity units, indexes included; 0 when nothing came of
  // it and it is not charged.
  virtual void Leave(const Access& access, double units) = 0;
};

}  // namespace hashrange
