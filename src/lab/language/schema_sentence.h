// Sentences about values that do not follow the schema of lab files: what is there, and what is
// allowed. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "lab/language/lab_document.h"
#include "wire/json.h"

namespace hashrange {

// Returns what the schema allows, by its title, its values or its types: "a rate, such as 400/s".
std::string AllowedText(const JsonValue& schema);

// Returns the sentence for a node that does not follow the keyword of the schema.
std::string ViolationSentence(const LabNode& node, const JsonValue& schema,
                              std::string_view keyword);

// Returns the sentence for a name that the map's schema does not know.
std::string UnknownMemberSentence(std::string_view name, const JsonValue& schema);

// Returns the sentence for a map that has the names by which two of the schema's alternatives are
// told apart; empty where `name` is none.
std::string ExclusiveMembersSentence(std::string_view name, std::string_view other,
                                     const JsonValue& schema);

// Returns the sentence for a node that fits none of the alternatives of the schema.
std::string NoAlternativeSentence(const LabNode& node, const JsonValue& schema);

}  // namespace hashrange
