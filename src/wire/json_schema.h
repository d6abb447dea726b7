// JsonSchema: a JSON Schema (draft 4) against which JSON is validated. `$ref` may point into the
// same document; a reference to a reference, or to another document, is refused.
// Used by one thread at a time: the regular expressions keep state.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace hashrange {

// The first place, in the order of the document, that does not follow the schema.
struct SchemaViolation {
  std::string document_pointer = {};  // RFC 6901; of an unknown member: with its name
  std::string keyword = {};           // "type", "enum", "additionalProperties", "anyOf", …
  std::string schema_pointer = {};    // of the schema that has the keyword
};

class JsonSchema {
 public:
  // Returns the schema of a text, or the schema inside it to which the pointer `at` leads.
  // Errors: ValidationException  no JSON, nothing at `at`, a reference that leads nowhere, a
  // pattern
  //         that the validator does not know
  // Cost: quadratic in the number of the objects in the text.
  static Result<JsonSchema> Read(std::string_view text, std::string_view at = "");

  JsonSchema(JsonSchema&&) noexcept;
  JsonSchema& operator=(JsonSchema&&) noexcept;
  ~JsonSchema();

  // Returns the first violation; nothing when the JSON follows the schema. Of `anyOf` and `oneOf`,
  // the violation is where they are, not inside of an alternative.
  // Errors: ValidationException  no JSON
  // Cost: recursion as deep as the JSON.
  Result<std::optional<SchemaViolation>> FirstViolation(std::string_view json) const;

 private:
  struct Compiled;
  explicit JsonSchema(std::unique_ptr<Compiled> compiled);

  std::unique_ptr<Compiled> compiled_;
};

}  // namespace hashrange
