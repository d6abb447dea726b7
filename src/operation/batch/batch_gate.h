// A batch at the gate: a refused member comes back unprocessed, or its error is the whole
// batch's (docs/service/07-batch.md, sections 1 and 2; 10-transactions.md, section 6). Called by
// the request's thread.
#pragma once

#include "base/result.h"
#include "operation/context.h"

namespace hashrange {

// What AdmitMember makes of a gate's refusal.
// Errors: that of the refusal, when it is the whole batch's
Result<bool> HandleRefusal(Error refusal, Status* first_throttled);

// Whether the gate lets a member of a batch in; without a gate everything is. What is not let in
// was throttled, or is in conflict with a transaction: it comes back unprocessed.
// `*first_throttled` keeps the first throttle, as which a batch fails that processes nothing.
// Errors: any other refusal, which is the whole batch's
inline Result<bool> AdmitMember(const Context& context, const Access& access,
                                Status* first_throttled) {
  if (!context.gate) [[likely]]
    return true;
  std::optional<Error> refused = context.Enter(access);
  if (!refused) return true;
  return HandleRefusal(*std::move(refused), first_throttled);
}

}  // namespace hashrange
