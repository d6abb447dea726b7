// ReadQuestion: what a get or a query asks of one layout, and what its caller knows. Pure
// functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/language/lab_facts.h"
#include "lab/language/lab_file.h"
#include "lab/plan/cost/file_model.h"
#include "lab/plan/cost/key_matches.h"
#include "lab/plan/cost/layout_model.h"
#include "lab/plan/request/item_template.h"
#include "lab/plan/request/pattern_plan.h"
#include "lab/plan/request/request_template.h"

namespace hashrange {

// Items of another entity, to which those that are asked for refer, and which are fetched by what
// the answer holds of them.
struct ReferredItems {
  int of = kLabNone;               // the entity that is asked
  LabAttributeRef reference = {};  // its attribute that refers to the other; of an ancestor, the
                                   // identity of that
  const LabItem* item = nullptr;   // of the other entity
  LabKey table = {};
  PlanStep fetch = {};
};

struct ReadQuestion {
  const LayoutModel& model;
  const LabFile& file = model.file_model().file();
  const LabLayout& layout = model.layout();
  const LabPattern& pattern;  // a get or a query
  CallSubject subject;        // whose values the caller knows, in numbers
  int role = 0;               // whose instance has the values that the caller knows
  int role_entity = kLabNone;
  bool is_look_up = false;  // what is read is for a write
  // What holds of the instance wherever the answer is of use, and is not asked for: the conditions
  // of the write that a look-up is for.
  std::vector<LabCondition> assumed = {};
  std::vector<ReferredItems> referred = {};
  // Attributes that the answer must have as they are, and not in another form as a part of a key.
  std::vector<LabAttributeRef> by_name = {};
  // Not empty: it is asked for each instance of the role, of which there are so many in a call.
  std::vector<CountCase> repeats = {};

  // Returns whether one call asks for several instances, and for how many, on average.
  bool IsForEach() const { return !repeats.empty(); }
  bool IsRepeated() const { return IsForEach() || pattern.batch > 1; }
  double Repeats() const;
  // Returns what the same caller asks by another pattern, which outlives the question. What is
  // fetched besides (`referred`, `by_name`) is not asked for.
  ReadQuestion Asking(const LabPattern& other) const;
  ReadQuestion Asking(LabPattern&& other) const = delete;
};

// A piece of the text of a key, as a caller sees it.
struct KeyPiece {
  enum class Kind : std::uint8_t {
    kLiteral,  // `text`
    kSlot,     // what the call puts in
    kUnknown,  // a placeholder, `slot.part`, that the caller does not know
  };
  Kind kind = Kind::kLiteral;
  std::string text = {};
  RequestSlot slot = {};
};
// No two literals stand behind one another.
using KeyText = std::vector<KeyPiece>;

// Entities that are stored in the items of one entity: `host` itself, `parts` inside of it.
struct AskedHost {
  int entity = kLabNone;
  bool is_asked = false;        // the host is one of the entities that are asked
  std::vector<int> parts = {};  // entities that are asked and embedded in it
  // Where several items of the host together hold what is asked: one of them. Null: any item.
  const LabItem* item = nullptr;

  bool MayBeIn(const LabItem& one) const {
    return one.entity == entity && (item == nullptr || item == &one);
  }
};

// Returns the hosts of the entities that the pattern asks, in the pattern's order.
std::vector<AskedHost> AskedHosts(const ReadQuestion& question);

// Returns the hosts, where an entity of which no item holds all that is asked stands once for each
// of the items that hold it together. Nothing where there is no such entity, or the call asks for
// several instances.
std::optional<std::vector<AskedHost>> HostsByItem(const ReadQuestion& question,
                                                  const std::vector<AskedHost>& hosts);

// Returns which of the pattern's entities `order` and `limit` are about; kLabNone: any order is
// asked.
int OrderedEntity(const LabFile& file, const LabPattern& pattern);

// Returns whether the attribute is nothing but the placeholder, as due_day: "{due:day}" is of
// {due:day}.
bool IsPlaceholder(const LabFile& file, LabAttributeRef attribute, const LabTemplatePart& part);

// Returns the value of an attribute that the caller knows, in the form of `part`; nothing when the
// caller does not know it.
std::optional<KeyPiece> KnownValue(const ReadQuestion& question, const LabTemplatePart& part);
// Returns the text of a template with all that the caller knows. Placeholders from the first that
// is unknown on are kUnknown or known, in their order.
KeyText ResolveTemplate(const ReadQuestion& question, const LabTemplate& text);
bool IsKnown(const KeyText& text);

void AppendLiteral(std::string_view literal, KeyText& text);
void AppendPiece(KeyPiece piece, KeyText& text);
// Appends the text within a JSON string. Precondition: IsKnown.
void AppendKeyText(const KeyText& text, RequestNodes& nodes);

// Returns whether what has the pattern's constants satisfies all conditions, too.
bool AreImplied(const ReadQuestion& question, const std::vector<LabCondition>& conditions);

}  // namespace hashrange
