// How the values of an attribute come about where a model does not say it: by the attribute's name,
// type and size. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "lab/import/imported_model.h"

namespace hashrange {

struct UsualGenerator {
  std::string yaml = {};
  std::string note = {};  // a comment; empty: none
};

// Returns whether a name such as "created_at" or "orderDate" names a time.
bool IsNameOfTime(std::string_view name);

// Returns whether a name such as "status" names an attribute with few values.
bool IsNameOfChoice(std::string_view name);

// Returns the generator of an attribute that identifies nothing.
UsualGenerator GeneratorOf(const ImportedAttribute& attribute);

// Returns the generator of an identity. `time` is the name of an attribute with a time in ISO 8601,
// which a ULID needs; empty: there is none.
UsualGenerator IdentityGeneratorOf(const ImportedAttribute& identity, std::string_view time);

}  // namespace hashrange
