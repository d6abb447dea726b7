// What the target of a control call says: the name in its path, and its query string, CallQuery.
// The query is checked like the members of a body: an unknown parameter is refused. Any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/result.h"

namespace hashrange {

class CallQuery {
 public:
  // Returns the value of the parameter; empty when the query does not have it.
  std::string_view Find(std::string_view name) const;

 private:
  friend Result<CallQuery> ReadCallQuery(std::string_view query,
                                         std::span<const std::string_view> names, Arena& arena);
  struct Parameter {
    std::string_view name;
    std::string_view value;
  };

  std::span<const Parameter> parameters_;
};

// Returns the name in a path with its percent-encoded characters decoded. The result is a view of
// the arena.
std::string_view DecodedPathName(std::string_view name, Arena& arena);

// Reads a percent-encoded query such as "account=111122223333&table=app"; '+' is a space. The
// result has views of the arena.
// Errors: ValidationException  a parameter is not in `names`, or occurs twice
Result<CallQuery> ReadCallQuery(std::string_view query, std::span<const std::string_view> names,
                                Arena& arena);

}  // namespace hashrange
