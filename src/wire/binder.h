// The binder checks a request against its shape: the types of the members first, then their
// constraints, all of which are reported in one message. A request that has passed can be
// read without further checks through RequestObject. Pure functions; any thread.
//
//   binder.cc             JSON types, docs/service/01-wire-protocol.md, section 6
//   member_constraints.cc bounds, enums, required members, sections 7 to 10 there
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/result.h"
#include "wire/json.h"
#include "wire/shape.h"

namespace hashrange {

// Checks that `body` is a request of the operation as its shape describes it. Sets `*layer` to the
// layer that handles this request: the operation's own layer, or the older layer for an UpdateItem
// without Key and for a Put-, Update- or DeleteItem with a value nested beyond
// kMaxCurrentLayerLevels (docs/service/01-wire-protocol.md, section 8). After a
// SerializationException `*layer` is not set.
// Errors: SerializationException  a member has another JSON type (docs/service/01-wire-protocol.md,
//                                 section 6); without a message when the body is no object
//         ValidationException     member constraints, combined (docs/service/01-wire-protocol.md,
//                                 sections 7 to 10)
// Cost: one walk of the body and one of its shape; without an error no allocation.
Status BindRequest(const OperationShape& operation, const JsonValue& body,
                   ValidationLayer* layer = nullptr);

// The most levels of an attribute value that the current layer handles; the value itself is
// level 1.
inline constexpr int kMaxCurrentLayerLevels = 62;

// Returns the Boolean that a value means: true and the strings "true", "1" and "yes"; false and the
// strings "false", "0" and "no". Letters may be in upper or lower case. None for any other value.
std::optional<bool> BooleanOf(const JsonValue& value);

// A structure of a request that has passed the binder: its members by name. For a member that is
// absent, Find returns null and the typed functions return none.
class RequestObject {
 public:
  explicit RequestObject(const JsonValue& json) : json_(&json) {}

  bool Has(std::string_view name) const { return json_->Find(name) != nullptr; }
  const JsonValue* Find(std::string_view name) const { return json_->Find(name); }
  std::optional<std::string_view> String(std::string_view name) const;
  std::optional<std::int64_t> Integer(std::string_view name) const;  // a decimal is floored
  std::optional<double> Double(std::string_view name) const;
  std::optional<bool> Boolean(std::string_view name) const;  // as BooleanOf
  std::optional<RequestObject> Object(std::string_view name) const;
  // The elements of a list; empty when it is absent. Only a list of attribute values may have
  // elements that are JSON null.
  std::span<const JsonValue> List(std::string_view name) const;
  const JsonValue& json() const { return *json_; }

 private:
  const JsonValue* json_;
};

}  // namespace hashrange
