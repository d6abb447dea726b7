// The samples of one table, cut into the parts of their keys, and the groups of samples that are
// one entity each. The functions are pure; any thread.
//
//   samples of a table ─▶ groups of one shape of keys ─▶ groups whose words are the same, "profile"
//
// A part of a key is the text up to the next separator.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "measure/key_templates.h"
#include "measure/measurement.h"
#include "value/item.h"
#include "wire/json.h"

namespace hashrange {

using KeyParts = std::vector<KeyToken>;

// An item. The views are into its JSON.
struct Sample {
  std::map<std::string_view, std::string_view> texts = {};  // of the attributes of types S and N
  std::map<std::string_view, KeyParts> keys = {};           // by the attribute of the key
  std::set<std::string_view> own = {};                      // attributes, without those of keys
  std::string_view type = {};                               // empty: none
  std::span<const Attribute> attributes = {};
};
using Samples = std::vector<const Sample*>;

struct SampledTable {
  std::vector<std::string> keys = {};  // first those of the table, then those of the indexes
  std::size_t table_keys = 1;          // how many keys are the table's
  std::vector<Sample> samples = {};
  // Attributes that only say that they are keys, such as GSI1PK, and the one with the type.
  std::set<std::string> excluded = {};
  bool types_tell = false;  // the values of the type attribute tell entities apart
};

// Returns the samples. The type attribute of `table` is taken away where its values are ids.
// `arena` and `items` have to outlive the samples.
SampledTable ReadSampledTable(TableMeasure& table, std::string_view separators,
                              std::span<const JsonValue* const> items, Arena& arena);

// One entity, or what may be one.
struct SampleGroup {
  Samples samples = {};
  std::string question = {};  // whether this is an entity of its own; empty: the samples decide
};
// Returns the groups, those with the shortest keys first, and of these, the ones with the most
// samples.
std::vector<SampleGroup> GroupsOf(const SampledTable& table);

// A part of a key: the attribute of the key, and the number of the part.
struct KeyPlace {
  std::string_view attribute = {};
  std::size_t at = 0;
};
std::string_view BodyAt(const Sample& sample, KeyPlace place);

// Returns whether the part is hardly a word that a designer wrote.
bool IsValueLike(const KeyToken& token);
// Returns whether the name of an attribute says only that it is a key: "GSI1PK".
bool IsNameOfKey(std::string_view name);
// Returns the separators of the parts, a "." for none.
std::string SeparatorsIn(const KeyParts& parts);

// An attribute, and the form in which a key has its value.
struct KeyAgreement {
  bool IsExact() const { return form.empty() && before.empty(); }

  std::string_view attribute = {};
  std::string_view form = {};    // as in a template of a lab file; empty: the value itself
  std::string_view before = {};  // the same text before each value: "isbn_" of "isbn_7"
};
// Return the attributes whose values all samples have in that place, or in the whole key. Where the
// value itself is there, other forms do not count.
std::vector<KeyAgreement> AgreeingAt(const SampledTable& table, const Samples& samples,
                                     KeyPlace place);
std::vector<KeyAgreement> AgreeingWithKey(const SampledTable& table, const Samples& samples,
                                          std::string_view key);

// Returns the text in quotes, cut where it is long, for a question.
std::string QuotedPart(std::string_view text);

}  // namespace hashrange
