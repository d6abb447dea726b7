// The rules that reads and writes in transactions share (docs/service/10-transactions.md, sections
// 3 and 5): no item is named twice, the gate admits all accesses or none, and a transaction that is
// cancelled answers with a reason for each of its parts. Two transactions never conflict, because
// Commit locks all their partitions; only a gate gives a TransactionConflict, when a test asks for
// it (simulation/holds.h). Called by the request's thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/engine.h"
#include "operation/call/context.h"
#include "wire/error_body.h"

namespace hashrange {

// Collects the reasons that the parts of a transaction give to cancel it.
class CancellationReasons {
 public:
  explicit CancellationReasons(std::size_t parts) : reasons_(parts) {}

  void Add(std::size_t i, std::string_view code, std::string message);
  // Adds a ValidationError, unless there is a reason already: when several keys do not fit their
  // schema, only the first of these is reported (section 5, rule 1).
  void AddFirst(std::size_t i, std::string message);
  // Errors: TransactionCanceledException  a reason was added
  Status Finish() &&;

 private:
  std::vector<CancellationReason> reasons_;
  bool is_cancelled_ = false;
};

// Checks that no two addresses are of one item.
// Errors: ValidationException "Transaction request cannot include multiple operations on one item"
Status CheckNoItemTwice(std::span<const ItemAddress> addresses, Arena& arena);

// Asks the gate to admit every access. Returns nullopt when the gate admits all of them, otherwise
// the error of the transaction.
// Errors: TransactionCanceledException  every refusal has the code of a cancellation reason
//         any other error of the gate
std::optional<Error> EnterAll(const Context& context, std::span<const Access> accesses);

}  // namespace hashrange
