// ImportedObject reads an object of a model. A member that nobody asks for is named in a remark,
// and so is one of another type than it has to have: nothing is dropped silently, and a model is
// not refused for a member that is new. Used by one thread.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wire/object_reader.h"

namespace hashrange {

inline constexpr ObjectRules kModelRules = {
    .quote = "",
    .whole = "",
    .no_object = "has to be an object",
    .no_text = "has to be a text",
    .no_number = "has to be a number of 0 to 1e12",
    .no_flag = "",
    .no_list = "has to be a list",
    .no_texts = "has to be a list of texts; another element was left out",
    .unknown = "is not known here",
    .lists_known = false,
    .left_out = " and was left out",
    .greatest_number = 1e12,  // no number of items, bytes or units is greater; it fits into 64 bits
    .reads_number_texts = true,
    .most_entries = std::numeric_limits<std::size_t>::max()};

class ImportedObject : public ObjectReader {
 public:
  ImportedObject(const JsonValue& json, std::string place, std::vector<std::string>& remarks)
      : ObjectReader(json, std::move(place), kModelRules, &remarks), remarks_(remarks) {}

  // Calls `read` with each element of the list.
  template <typename Read>
  void Each(std::string_view name, Read read) {
    const auto elements = List(name);
    for (std::size_t at = 0; at < elements.size(); ++at) {
      ImportedObject element(elements[at], PlaceOf(name, at), remarks_);
      read(element);
    }
  }
  // Calls `read` with the member if there is one, and remarks its members that are not known.
  template <typename Read>
  void With(std::string_view name, Read read) {
    const JsonValue* const member = Member(name);
    if (!member) return;
    ImportedObject object(*member, PlaceOf(name), remarks_);
    read(object);
    object.NameUnknown();
  }
  // Returns the member, which is a text or a list of texts.
  std::vector<std::string> OneOrSeveralTexts(std::string_view name) {
    const JsonValue* const member = Member(name);
    if (member && member->type == JsonValue::Type::kArray) return Texts(name);
    const std::string text = Text(name);
    return text.empty() ? std::vector<std::string>() : std::vector<std::string>{text};
  }

 private:
  std::vector<std::string>& remarks_;
};

}  // namespace hashrange
