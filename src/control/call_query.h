// The query string of a control call, checked like the members of a body: a parameter that has no
// name of its own is refused. Pure; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/result.h"

namespace hashrange {

class CallQuery {
 public:
  // What the parameter says; empty when it is not there.
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

// "account=111122223333&table=app", percent-encoded. What it gives are views of the arena.
// Errors: ValidationException  a parameter that is not in `names`, or stands there twice
Result<CallQuery> ReadCallQuery(std::string_view query, std::span<const std::string_view> names,
                                Arena& arena);

}  // namespace hashrange
