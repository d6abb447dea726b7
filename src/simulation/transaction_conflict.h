// The error that refuses access to an item which a transaction has prepared
// (docs/service/10-transactions.md, section 6). Single writes and members of transactions may get
// it; other reads never do. Pure functions.
#pragma once

#include "base/error.h"
#include "operation/call/gate.h"

namespace hashrange {

// Returns whether the access can conflict with a transaction under way.
inline bool CanConflict(const Access& access) {
  return access.kind == Access::Kind::kWrite || access.in_transaction;
}

// Returns the TransactionConflictException. In a transaction it becomes a cancellation reason,
// whose text is documented with a full stop; the exception's own text was seen without one.
inline Error TransactionConflictError(const Access& access) {
  return Error{ErrorCode::kTransactionConflictException,
               access.in_transaction ? "Transaction is ongoing for the item."
                                     : "Transaction is ongoing for the item",
               nullptr};
}

}  // namespace hashrange
