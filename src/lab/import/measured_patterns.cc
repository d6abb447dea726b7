// The access patterns of a measurement: which entities a call is about, by which of their keys.
#include "lab/import/import_steps.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "lab/import/imported_model.h"
#include "lab/import/imported_template.h"
#include "measure/key_templates.h"
#include "measure/number_text.h"

namespace hashrange {
namespace {

using Verb = ImportedPattern::Verb;
using Range = ImportedPattern::Range;

// Each is compared with each entity.
constexpr std::size_t kMostMeasuredPatterns = 2000;
constexpr double kHotFactor = 10;  // a key that takes so many times its share is hot

Verb VerbOf(const PatternMember& member) {
  static const std::map<std::string_view, Verb> kVerbs = {
      {"get", Verb::kGet},    {"query", Verb::kQuery},   {"scan", Verb::kQuery},
      {"put", Verb::kCreate}, {"update", Verb::kUpdate}, {"delete", Verb::kDelete},
  };
  const auto found = kVerbs.find(member.kind);
  return found == kVerbs.end() ? Verb::kNone : found->second;
}

class PatternReader {
 public:
  PatternReader(const Measurement& measurement, const std::vector<MeasuredEntity>& entities,
                ImportedModel& model)
      : measurement_(measurement), entities_(entities), model_(model) {}

  void Read(const PatternMeasure& measured);

 private:
  // Returns the entities whose keys the member's condition allows.
  std::vector<std::string> EntitiesOf(const PatternMember& member) const;
  bool Allows(const PatternMember& member, const EntityMeasure& entity) const;
  ImportedPattern PatternOf(const PatternMeasure& measured, const PatternMember& member) const;
  void ReadKey(const PatternMember& member, ImportedPattern& pattern) const;
  void ReadFilter(const PatternMember& member, ImportedPattern& pattern) const;
  void ReadWrite(const PatternMeasure& measured, const PatternMember& member,
                 ImportedPattern& pattern) const;
  ImportedPattern JoinedWrites(std::vector<ImportedPattern> writes) const;
  bool IsHot(const PatternMember& member) const;

  const Measurement& measurement_;
  const std::vector<MeasuredEntity>& entities_;
  ImportedModel& model_;
};

// The templates of an entity's key in the table or an index.
struct KeyTexts {
  std::string_view partition = {};
  std::string_view sort = {};
};

std::optional<KeyTexts> KeyTextsOf(const EntityMeasure& entity, std::string_view index) {
  if (index.empty()) return KeyTexts{entity.partition_key, entity.sort_key};
  for (const EntityIndex& of : entity.indexes) {
    if (of.index == index) return KeyTexts{of.partition_key, of.sort_key};
  }
  return std::nullopt;
}

bool PatternReader::Allows(const PatternMember& member, const EntityMeasure& entity) const {
  if (entity.table != member.table) return false;
  const auto texts = KeyTextsOf(entity, member.index);
  if (!texts) return false;
  const std::string& separators = measurement_.settings.separators;
  if (member.key.empty()) return true;
  if (!CanBeEqual(texts->partition, member.key.front().value, separators)) return false;
  if (member.key.size() < 2) return true;
  const KeyTerm& sort = member.key[1];
  if (sort.op == "=") return CanBeEqual(texts->sort, sort.value, separators);
  if (sort.op == "begins_with") return CanBeginWith(texts->sort, sort.value, separators);
  return CanBeginWith(texts->sort, LiteralBeginning(sort.value), separators);
}

std::vector<std::string> PatternReader::EntitiesOf(const PatternMember& member) const {
  std::vector<const MeasuredEntity*> found;
  for (const MeasuredEntity& entity : entities_) {
    if (Allows(member, *entity.measured)) found.push_back(&entity);
  }
  // Templates that are the same as the member's, and not only able to be, are what is meant.
  const auto is_same = [&](const MeasuredEntity* entity) {
    const auto texts = KeyTextsOf(*entity->measured, member.index);
    return member.key.size() > 1 && texts->partition == member.key.front().value &&
           texts->sort == member.key[1].value;
  };
  if (std::ranges::any_of(found, is_same)) {
    std::erase_if(found, [&](const MeasuredEntity* entity) { return !is_same(entity); });
  }
  // The head of an item collection leads; of others, the one with the most items.
  std::ranges::stable_sort(found, [&](const MeasuredEntity* a, const MeasuredEntity* b) {
    const bool a_is_head = IsConstantTemplate(KeyTextsOf(*a->measured, member.index)->sort);
    const bool b_is_head = IsConstantTemplate(KeyTextsOf(*b->measured, member.index)->sort);
    if (a_is_head != b_is_head) return a_is_head;
    return a->measured->items > b->measured->items;
  });
  std::vector<std::string> names;
  for (const MeasuredEntity* entity : found) names.push_back(entity->name);
  return names;
}

void PatternReader::ReadKey(const PatternMember& member, ImportedPattern& pattern) const {
  const ImportedEntity& entity = *FindImportedEntity(model_, pattern.entities.front());
  const ImportedKeyPair keys = KeyPairOf(model_, entity, member.index);
  if (member.key.empty()) return;
  pattern.by = AttributesIn(keys.partition);
  const std::vector<std::string> of_sort = AttributesIn(keys.sort);
  std::size_t known = 0;
  if (member.key.size() > 1) {
    const KeyTerm& term = member.key[1];
    const auto value = ParseImportedTemplate(term.value, TemplateStyle::kBraces);
    known = value ? std::min(AttributesIn(*value).size(), of_sort.size()) : 0;
    if (term.op == "=") known = of_sort.size();
    const bool is_range = term.op != "=" && (term.op != "begins_with" || known > 0);
    if (is_range && !of_sort.empty()) {
      if (known > 0) --known;
      pattern.range_attribute = of_sort[known];
      pattern.range = term.op == "begins_with"   ? Range::kPrefix
                      : term.op == "BETWEEN"     ? Range::kBetween
                      : term.op.starts_with('<') ? Range::kTo
                                                 : Range::kFrom;
      // A whole token that is no time is known as it is.
      const ImportedAttribute* const attribute = FindImportedAttribute(entity, of_sort[known]);
      const bool is_time = attribute != nullptr && !attribute->time_form.empty();
      if (pattern.range == Range::kPrefix && !is_time) {
        pattern.range = Range::kNone;
        ++known;
      }
    }
  }
  pattern.by.insert(pattern.by.end(), of_sort.begin(),
                    of_sort.begin() + static_cast<std::ptrdiff_t>(known));
  if (pattern.verb != Verb::kQuery || known >= of_sort.size()) return;
  if (!member.backward && member.limit == 0) return;
  pattern.order = of_sort[known];
  pattern.is_descending = member.backward;
}

// A filter that compares attributes with values is what the caller knows.
void PatternReader::ReadFilter(const PatternMember& member, ImportedPattern& pattern) const {
  std::string_view rest = member.condition;
  if (rest.empty()) return;
  const ImportedEntity& entity = *FindImportedEntity(model_, pattern.entities.front());
  std::vector<std::string> names;
  while (!rest.empty()) {
    const std::size_t end = rest.find(" AND ");
    const std::string_view term = rest.substr(0, end);
    rest = end == rest.npos ? std::string_view() : rest.substr(end + 5);
    const bool is_equality = term.ends_with(" = ?");
    const std::string name = PlainName(term.substr(0, term.size() - (is_equality ? 4 : 0)));
    if (!is_equality || FindImportedAttribute(entity, name) == nullptr) {
      pattern.notes.push_back("a filter that is not turned over: " + member.condition);
      return;
    }
    names.push_back(name);
  }
  pattern.by.insert(pattern.by.end(), names.begin(), names.end());
}

void PatternReader::ReadWrite(const PatternMeasure& measured, const PatternMember& member,
                              ImportedPattern& pattern) const {
  const bool replaces =
      pattern.verb == Verb::kCreate && measured.inserted == 0 && measured.changed > 0;
  if (replaces) {
    pattern.verb = Verb::kUpdate;
    pattern.notes.push_back("each Put replaced a whole item; fill in what it changes");
  }
  if (pattern.verb == Verb::kUpdate && member.kind == "update") {
    for (const std::string& name : member.updated_attributes)
      pattern.set.push_back(PlainName(name));
    if (measured.inserted > 0) pattern.notes.push_back("some of the updates made new items");
  }
  const bool is_usual = member.condition.starts_with("attribute_not_exists(") ||
                        member.condition.starts_with("attribute_exists(");
  if (!member.condition.empty() && !is_usual) {
    pattern.notes.push_back("a condition, to be filled in as `if`: " + member.condition);
  }
}

ImportedPattern PatternReader::PatternOf(const PatternMeasure& measured,
                                         const PatternMember& member) const {
  ImportedPattern pattern;
  pattern.verb = VerbOf(member);
  pattern.entities = EntitiesOf(member);
  if (pattern.verb == Verb::kNone)
    pattern.notes.push_back("a " + member.kind + " is not turned over");
  if (pattern.entities.empty()) {
    pattern.notes.push_back("no stored item has such a key");
    pattern.verb = Verb::kNone;
  }
  if (pattern.verb == Verb::kNone) return pattern;
  const bool is_scan = member.kind == "scan";
  if (is_scan) {
    // The first entity that has what is compared.
    const auto lacks = [&](const std::string& name) {
      const ImportedEntity& entity = *FindImportedEntity(model_, name);
      return std::ranges::any_of(member.condition_attributes, [&](const std::string& attribute) {
        return FindImportedAttribute(entity, PlainName(attribute)) == nullptr;
      });
    };
    std::ranges::stable_partition(pattern.entities,
                                  [&](const std::string& name) { return !lacks(name); });
  }
  if (pattern.verb != Verb::kQuery || is_scan) pattern.entities.resize(1);
  ReadKey(member, pattern);
  pattern.is_consistent = member.consistent;
  pattern.limit = member.limit;
  if (member.counts_only) pattern.notes.push_back("only counted: Select COUNT");
  if (pattern.verb == Verb::kQuery || pattern.verb == Verb::kGet) {
    ReadFilter(member, pattern);
    for (const std::string& name : member.projected_attributes) {
      const ImportedEntity& entity = *FindImportedEntity(model_, pattern.entities.front());
      if (FindImportedAttribute(entity, PlainName(name)) != nullptr) {
        pattern.returns.push_back(PlainName(name));
      }
    }
  } else {
    ReadWrite(measured, member, pattern);
  }
  return pattern;
}

// Joins the writes of one call: what is created first, its children, and then the others.
ImportedPattern PatternReader::JoinedWrites(std::vector<ImportedPattern> writes) const {
  const auto has_constant_sort = [&](const ImportedPattern& write) {
    const ImportedEntity& entity = *FindImportedEntity(model_, write.entities.front());
    return AttributesIn(KeyPairOf(model_, entity, "").sort).empty();
  };
  std::ranges::stable_sort(writes, [&](const ImportedPattern& a, const ImportedPattern& b) {
    const bool a_creates = a.verb == Verb::kCreate;
    const bool b_creates = b.verb == Verb::kCreate;
    if (a_creates != b_creates) return a_creates;
    return has_constant_sort(a) && !has_constant_sort(b);
  });
  ImportedPattern first = std::move(writes.front());
  for (std::size_t at = 1; at < writes.size(); ++at) {
    ImportedPattern& other = writes[at];
    first.notes.insert(first.notes.end(), other.notes.begin(), other.notes.end());
    const bool is_child = first.verb == Verb::kCreate && other.verb == Verb::kCreate;
    if (is_child && other.entities.front() != first.entities.front()) {
      first.with.push_back(other.entities.front());
    } else {
      first.also.push_back(std::move(other));
    }
  }
  return first;
}

bool PatternReader::IsHot(const PatternMember& member) const {
  for (const ResourceMeasure& resource : measurement_.resources) {
    if (resource.table != member.table || resource.index != member.index) continue;
    const bool reads = member.kind == "get" || member.kind == "query";
    const TopKeys& top = reads ? resource.read_keys : resource.written_keys;
    if (top.keys.empty() || top.total_units <= 0) return false;
    const double share = (top.keys.front().units - top.keys.front().error) / top.total_units;
    return share * std::max(resource.distinct_partition_keys, 1.0) > kHotFactor;
  }
  return false;
}

void PatternReader::Read(const PatternMeasure& measured) {
  if (measured.members.empty()) {
    model_.remarks.push_back("the calls \"" + measured.text + "\" were left out");
    return;
  }
  std::vector<ImportedPattern> members;
  for (const PatternMember& member : measured.members) {
    members.push_back(PatternOf(measured, member));
  }
  std::vector<std::string> notes = {measured.text};
  std::vector<ImportedPattern> expressed;
  for (ImportedPattern& member : members) {
    if (member.verb != Verb::kNone) {
      expressed.push_back(std::move(member));
    } else {
      notes.insert(notes.end(), member.notes.begin(), member.notes.end());
    }
  }
  ImportedPattern pattern;
  if (!expressed.empty()) pattern = JoinedWrites(std::move(expressed));
  pattern.notes.insert(pattern.notes.begin(), notes.begin(), notes.end());
  const double seconds =
      static_cast<double>(measurement_.ended_epoch_ms - measurement_.began_epoch_ms) / 1000;
  if (seconds > 0) pattern.calls_per_second = static_cast<double>(measured.calls) / seconds;
  if (measured.operation.starts_with("Batch") || measured.operation == "TransactGetItems") {
    pattern.batch = std::llround(measured.members_a_call.mean());
  }
  pattern.is_transaction = measured.operation.starts_with("Transact");
  pattern.picks_by_zipf = IsHot(measured.members.front());
  pattern.name = measured.name;
  if (pattern.name.empty() && pattern.verb != Verb::kNone) {
    pattern.name = std::string(VerbName(pattern.verb));
    for (const std::string& entity : pattern.entities) {
      pattern.name += (&entity == &pattern.entities.front() ? " " : " and ") + entity;
    }
    if (pattern.verb == Verb::kQuery) {
      for (const std::string& by : pattern.by) {
        pattern.name += (&by == &pattern.by.front() ? " by " : " and ") + by;
      }
    }
  }
  if (pattern.name.empty()) pattern.name = measured.operation;
  pattern.place = "patterns";
  model_.patterns.push_back(std::move(pattern));
}

}  // namespace

void AddMeasuredPatterns(const Measurement& measurement,
                         const std::vector<MeasuredEntity>& entities, ImportedModel& model) {
  PatternReader reader(measurement, entities, model);
  const std::size_t count = std::min(measurement.patterns.size(), kMostMeasuredPatterns);
  for (std::size_t at = 0; at < count; ++at) reader.Read(measurement.patterns[at]);
  if (count < measurement.patterns.size()) {
    model.remarks.push_back("only the first " + std::to_string(count) +
                            " patterns were turned over");
  }
  if (measurement.limits.other_patterns > 0) {
    model.remarks.push_back(CountedText(measurement.limits.other_patterns, "call is", "calls are") +
                            " of patterns that the measurement does not tell apart");
  }
}

}  // namespace hashrange
