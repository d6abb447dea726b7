// FaultAction says what a fault rule does to a call at which it fires, and gives the error for it,
// with the text that the service uses.
//
//   kNone           nothing but latency
//   kThrottle       a throttling error for reads or for writes, as its reason says
//   kError          any error of errors.def
//   kStatus         HTTP 500 or 503
//   kDropBefore     the connection is closed and nothing is done
//   kDropAfter      the operation is done, then the connection is closed
//   kUnprocessed    members of a batch are returned unprocessed
//   kConflict       a transaction is under way on the item
//   kInProgress     the transaction with this client token is under way
//   kCollectionFull the item collection is over 10 GB
//
// An action acts either on items or on the whole call. An action on items refuses an access: in a
// transaction this becomes a cancellation reason, in a batch the member is unprocessed. An action
// on the call ends the call, whichever access it fires at.
//
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "operation/call/gate.h"
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
  std::optional<ErrorCode> code;     // kError; kThrottle: in place of the usual code
  std::string message;               // kError and kThrottle; empty: the usual message
  std::vector<std::string> reasons;  // kError: the codes of the cancellation reasons
  int http_status = 500;             // kStatus: 500 or 503
  std::int64_t unprocessed = 0;      // kUnprocessed: how many members
  std::int64_t latency_ms = 0;       // the least latency
  std::int64_t max_latency_ms = 0;   // the most; if below `latency_ms`, the latency is exact
};

// Returns whether the action acts on items and not on the whole call.
bool ActsOnItems(const FaultAction& action);
// Returns whether the action, which acts on items, acts on one item only. A rule about whole calls
// then refuses only the first access of a call. Otherwise it refuses every access.
bool ActsOnOneItem(const FaultAction& action, const Access& access);

// Returns whether the action is possible at that access: an operation never gets an answer that the
// service never gives to it.
bool CanHappenAtAccess(const FaultAction& action, const Call& call, const Access& access);
// Returns whether the action is possible for a whole call. This is asked for actions on the call,
// and for every action when the operation has no accesses.
bool CanHappenToCall(const FaultAction& action, const Call& call);

// Returns the error of an action on items at that access. If an index is throttled, the error names
// the index of the access; without one, `index`; if that is empty, the table's first global index.
Error ErrorAtAccess(const FaultAction& action, const Call& call, const Access& access,
                    std::string_view index);
// Returns the error with which an action on the call ends it; nullopt when the call goes on.
// `table` is the name of the table the call is about; empty where that is not known.
std::optional<Error> ErrorEndingCall(const FaultAction& action, const Call& call,
                                     std::string_view table);

}  // namespace hashrange
