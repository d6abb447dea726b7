// A batch at the gate: when the gate refuses a member, the batch either answers that the member is
// unprocessed, or fails as a whole with the gate's error (docs/service/07-batch.md, sections 1 and
// 2; 10-transactions.md, section 6). Called by the request's thread.
#pragma once

#include "base/result.h"
#include "operation/call/context.h"

namespace hashrange {

// Returns what AdmitMember returns for a member that the gate has refused with this error: false
// when only the member is unprocessed, or the error when the whole batch fails. Only AdmitMember
// calls this function.
Result<bool> HandleRefusal(Error refusal, Status* first_throttled);

// Returns whether the gate admits a member of a batch; without a gate every member is admitted. A
// member that is not admitted was throttled, or is in conflict with a transaction; the answer lists
// the member as unprocessed. `*first_throttled` keeps the first throttling error: the batch fails
// with this error if no member was processed.
// Errors: any other error of the gate, which fails the whole batch
inline Result<bool> AdmitMember(const Context& context, const Access& access,
                                Status* first_throttled) {
  if (!context.gate) [[likely]]
    return true;
  std::optional<Error> refused = context.Enter(access);
  if (!refused) return true;
  return HandleRefusal(*std::move(refused), first_throttled);
}

}  // namespace hashrange
