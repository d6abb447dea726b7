// NextToken: the place where a SELECT continues. The client sends it back with the same statement
// (docs/service/11-partiql.md, section 4). To the client it is opaque; it is the Base 64 of
//
//   16 bytes  a digest of the table, the statement and its parameters
//   then the key attributes of the last item read, the table's before the index's, each as
//   its length (2 bytes, big-endian) and its bytes (a number as text)
//
// No token is trusted: each value is checked against the table's schema. Pure functions; any
// thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/idempotency_tokens.h"
#include "operation/call/context.h"
#include "operation/statement/prepared_statement.h"
#include "value/item.h"

namespace hashrange {

// Returns the digest with which the tokens of this statement begin.
RequestDigest StatementDigest(std::string_view text, std::span<const ValueView> parameters,
                              const TableVersion& table);

// Returns the token for a page that ended with the item `last`.
std::string MakeNextToken(const RequestDigest& digest, ItemView last, const IndexVersion* index);

// Returns the position after which the read continues. It is stored in the arena.
// Errors: ValidationException "Invalid NextToken"  the text is not a token
//         "NextToken does not match request"  the token was made for another statement
Result<Position> ReadNextToken(std::string_view token, const RequestDigest& digest,
                               const LocatedStatement& located, Arena& arena);

// Returns ValidationException "Invalid NextToken".
Error InvalidNextToken();

}  // namespace hashrange
