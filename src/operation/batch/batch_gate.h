// A batch at the gate: a member that the gate refuses is answered as unprocessed, or the error of
// its refusal is that of the whole batch (docs/service/07-batch.md, sections 1 and 2;
// 10-transactions.md, section 6). Called by the request's thread.
#pragma once

#include "base/result.h"
#include "operation/context.h"

namespace hashrange {

// AdmitMember for a member that the gate refused.
Result<bool> HandleRefusal(Error refusal, Status* first_throttled);

// Returns whether the gate admits a member of a batch; without a gate every member is admitted. A
// member that is not admitted was throttled, or is in conflict with a transaction: it is answered
// as unprocessed. `*first_throttled` keeps the first throttling error, with which a batch fails
// that processes no member.
// Errors: any other refusal; the whole batch fails with it
inline Result<bool> AdmitMember(const Context& context, const Access& access,
                                Status* first_throttled) {
  if (!context.gate) [[likely]]
    return true;
  std::optional<Error> refused = context.Enter(access);
  if (!refused) return true;
  return HandleRefusal(*std::move(refused), first_throttled);
}

}  // namespace hashrange
