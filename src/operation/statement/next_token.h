// NextToken: where a SELECT goes on, for the client to hand back with the same statement
// (docs/service/11-partiql.md, section 4). Opaque: Base 64 of
//
//   16 bytes  a digest of the table, the statement and its parameters
//   then the key attributes of the last item read, the table's before the index's, each as
//   its length (2 bytes, big-endian) and its bytes (of a number its text)
//
// Nothing of it is trusted: it is read against the table's schema.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/idempotency_tokens.h"
#include "operation/context.h"
#include "operation/statement/prepared_statement.h"
#include "value/item.h"

namespace hashrange {

RequestDigest StatementDigest(std::string_view text, std::span<const ValueView> parameters,
                              const TableVersion& table);

// `last` is what the page ended with.
std::string MakeNextToken(const RequestDigest& digest, ItemView last, const IndexVersion* index);

// The position behind which the read goes on.
// Errors: ValidationException "Invalid NextToken"  it is none
//         "NextToken does not match request"  it is one of another statement
Result<Position> ReadNextToken(std::string_view token, const RequestDigest& digest,
                               const LocatedStatement& located, Arena& arena);

// "Invalid NextToken".
Error InvalidNextToken();

}  // namespace hashrange
