// FaultAction: what a fault rule does to a call that it fires at, and the errors that takes, with
// the texts the service has for them.
//
//   kNone           nothing but latency
//   kThrottle       a throttling error, of reads or of writes as its reason says
//   kError          any error of errors.def
//   kStatus         HTTP 500 or 503
//   kDropBefore     the connection is closed and nothing is done
//   kDropAfter      the connection is closed, what was asked for is done
//   kUnprocessed    members of a batch come back unprocessed
//   kConflict       a transaction is under way on the item
//   kInProgress     the transaction of this token is under way
//   kCollectionFull the item collection is over 10 GB
//
// An action is of items or of the call. What is of items happens to an access: in a transaction
// it is a reason of its cancellation, in a batch that member is unprocessed. What is of the call
// ends it, whatever access it is found at.
//
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "operation/gate.h"
#include "simulation/throttling.h"

namespace hashrange {

struct FaultAction {
  enum class Kind : std::uint8_t {
    kNone,
    kThrottle,
    kError,
    kStatus,
    kDropBefore,
    kDropAfter,
    kUnprocessed,
    kConflict,
    kInProgress,
    kCollectionFull,
  };

  Kind kind = Kind::kNone;
  ThrottlingReason throttling;       // kThrottle
  std::optional<ErrorCode> code;     // kError; kThrottle: instead of the usual one
  std::string message;               // of either; empty: the usual one
  std::vector<std::string> reasons;  // kError: the codes of a cancellation
  int http_status = 500;             // kStatus: or 503
  std::int64_t unprocessed = 0;      // how many members
  std::int64_t latency_ms = 0;       // from here …
  std::int64_t max_latency_ms = 0;   // … to here, if more
};

// Whether the action is of items.
bool ActsOnItems(const FaultAction& action);
// Of items, and of one of them: a whole call that it fires at meets it once, at its first access.
// Any other is met at each.
bool ActsOnOneItem(const FaultAction& action, const Access& access);

// Whether an access of such a call can meet the action: what the service never answers to an
// operation does not happen to it.
bool CanHappenAtAccess(const FaultAction& action, const Call& call, const Access& access);
// The same of a call of an operation without accesses, and of an action that is of the call.
bool CanHappenToCall(const FaultAction& action, const Call& call);

// The error of an action that is of items, at that access. `index`: by name, that of the rule's
// match; empty: the access says.
Error ErrorAtAccess(const FaultAction& action, const Call& call, const Access& access,
                    std::string_view index);
// The error that ends the call, of an action of the call; none of one that lets it go on. `table`:
// which the call is about; empty where that is not known.
std::optional<Error> ErrorEndingCall(const FaultAction& action, const Call& call,
                                     std::string_view table);

}  // namespace hashrange
