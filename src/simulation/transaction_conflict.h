// TransactionConflict: what refuses access to an item that a transaction has prepared
// (docs/service/10-transactions.md, section 6). Single writes and the members of transactions meet
// it; other reads never do.
#pragma once

#include "base/error.h"
#include "operation/gate.h"

namespace hashrange {

// Whether the access can meet a transaction under way.
inline bool CanConflict(const Access& access) {
  return access.kind == Access::Kind::kWrite || access.in_transaction;
}

// TransactionConflictException; in a transaction it becomes a reason of its cancellation, whose
// text is documented with a full stop where that of the exception was seen without.
inline Error TransactionConflictError(const Access& access) {
  return Error{ErrorCode::kTransactionConflictException,
               access.in_transaction ? "Transaction is ongoing for the item."
                                     : "Transaction is ongoing for the item",
               nullptr};
}

}  // namespace hashrange
