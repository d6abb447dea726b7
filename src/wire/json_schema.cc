#include "wire/json_schema.h"

#include <rapidjson/document.h>
#include <rapidjson/pointer.h>
#include <rapidjson/schema.h>
#include <rapidjson/stringbuffer.h>

namespace hashrange {
namespace {

using rapidjson::Document;
using rapidjson::Pointer;
using rapidjson::Value;

std::string TextOf(const Value& value) { return {value.GetString(), value.GetStringLength()}; }

template <typename AnyPointer>
std::string TextOfPointer(const AnyPointer& pointer) {
  rapidjson::StringBuffer text;
  pointer.Stringify(text);
  return {text.GetString(), text.GetSize()};
}

// Returns the schema to which a `$ref` leads; null when it leads nowhere.
const Value* Target(const Document& document, const Value& reference) {
  const std::string text = TextOf(reference);
  if (!text.starts_with('#')) return nullptr;
  const Pointer pointer(text.c_str() + 1, text.size() - 1);
  const Value* const target = pointer.IsValid() ? pointer.Get(document) : nullptr;
  return target != nullptr && target->IsObject() && !target->HasMember("$ref") ? target : nullptr;
}

// Checks what RapidJSON's validator takes in silence: a reference that leads nowhere, which it
// would follow through a null pointer, and a regular expression that it cannot read, which it
// ignores.
Status CheckSchema(const Document& document, const Value& value) {
  if (value.IsArray()) {
    for (const Value& element : value.GetArray()) {
      HR_RETURN_IF_ERROR(CheckSchema(document, element));
    }
  }
  if (!value.IsObject()) return {};
  for (const auto& member : value.GetObject()) {
    const std::string name = TextOf(member.name);
    if (name == "$ref" && member.value.IsString() && Target(document, member.value) == nullptr) {
      return ValidationError("the reference " + TextOf(member.value) + " leads to no schema");
    }
    if (name == "pattern" && member.value.IsString()) {
      const rapidjson::internal::GenericRegex<rapidjson::UTF8<>> regex(member.value.GetString());
      if (!regex.IsValid()) {
        return ValidationError("the pattern " + TextOf(member.value) + " cannot be read");
      }
    }
    HR_RETURN_IF_ERROR(CheckSchema(document, member.value));
  }
  return {};
}

// Makes the schema at the pointer the root; it keeps the definitions of the document. Returns the
// pointer of that schema, after a reference was followed.
Result<std::string> MakeRoot(Document& document, std::string_view at) {
  std::string where(at);
  const Value* found = Pointer(where.c_str(), where.size()).Get(document);
  if (found != nullptr && found->IsObject() && found->HasMember("$ref")) {
    where = TextOf((*found)["$ref"]).substr(1);
    found = Target(document, (*found)["$ref"]);
  }
  if (found == nullptr || !found->IsObject()) return ValidationError("no schema at " + where);
  auto& allocator = document.GetAllocator();
  Value root(*found, allocator);
  if (document.HasMember("definitions")) {
    Value definitions(document["definitions"], allocator);
    root.AddMember("definitions", definitions, allocator);
  }
  static_cast<Value&>(document) = root;
  return where;
}

}  // namespace

struct JsonSchema::Compiled {
  Compiled(const Document& document, std::string pointer)
      : schema(document), at(std::move(pointer)) {}

  rapidjson::SchemaDocument schema;
  std::string at;  // the pointer of the root in the whole text
};

JsonSchema::JsonSchema(std::unique_ptr<Compiled> compiled) : compiled_(std::move(compiled)) {}
JsonSchema::JsonSchema(JsonSchema&&) noexcept = default;
JsonSchema& JsonSchema::operator=(JsonSchema&&) noexcept = default;
JsonSchema::~JsonSchema() = default;

Result<JsonSchema> JsonSchema::Read(std::string_view text, std::string_view at) {
  Document document;
  document.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());
  if (document.HasParseError() || !document.IsObject()) {
    return ValidationError("the schema is not a JSON object");
  }
  HR_RETURN_IF_ERROR(CheckSchema(document, document));
  std::string where;
  if (!at.empty()) {
    HR_ASSIGN(where, MakeRoot(document, at));
  }
  return JsonSchema(std::make_unique<Compiled>(document, std::move(where)));
}

Result<std::optional<SchemaViolation>> JsonSchema::FirstViolation(std::string_view json) const {
  Document document;
  document.Parse<rapidjson::kParseIterativeFlag>(json.data(), json.size());
  if (document.HasParseError()) return ValidationError("this is not JSON");
  rapidjson::SchemaValidator validator(compiled_->schema);
  if (document.Accept(validator)) return std::optional<SchemaViolation>{};
  SchemaViolation violation;
  violation.document_pointer = TextOfPointer(validator.GetInvalidDocumentPointer());
  violation.keyword = validator.GetInvalidSchemaKeyword();
  violation.schema_pointer = TextOfPointer(validator.GetInvalidSchemaPointer());
  if (!violation.schema_pointer.starts_with("/definitions/")) {
    violation.schema_pointer = compiled_->at + violation.schema_pointer;
  }
  return std::optional(std::move(violation));
}

}  // namespace hashrange
