// One statement of BatchExecuteStatement, and the capacity that all of them report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "operation/parameter/consumed_capacity.h"
#include "operation/statement/prepared_statement.h"
#include "operation/statement/statement_write.h"

namespace hashrange {

struct BatchMember {
  BatchMember(const RequestObject& request, std::size_t place)
      : json(request),
        ordinal(static_cast<std::uint32_t>(place)),
        consistent(request.Boolean("ConsistentRead").value_or(false)) {}

  RequestObject json;
  std::uint32_t ordinal;  // Access::member
  bool consistent;
  PreparedStatement prepared;  // without a statement when the text or a parameter is invalid
  LocatedStatement located;    // a write has no index
  Position position;
  std::optional<Error> error;
  bool names_table = false;  // the answer gives TableName: the member ran, or found no table
  ItemRef item;              // what a read found
  SingleWriteOutcome write;
  std::optional<std::size_t> charged_bytes;  // set for a write that the commit has run

  bool is_read() const { return prepared.statement->is_read(); }
};

// Writes ConsumedCapacity: one entry for each table on which a member succeeded, in the order of
// the members; nothing if there is none, or if `capacity` is kNone.
void WriteBatchCapacity(std::span<const BatchMember> members, ReturnConsumedCapacity capacity,
                        Arena& arena, JsonWriter& answer);

}  // namespace hashrange
