// MergeAlikeEntities: entities of a measurement that only look different become one.
#include "lab/import/import_steps.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "measure/key_templates.h"

namespace hashrange {
namespace {

constexpr std::string_view kPlaceholder = "{…}";
constexpr double kAlikeShare = 0.6;  // of the attributes of both
// Each pair of entities is compared.
constexpr std::size_t kMostEntities = 500;

// A place in keys where a placeholder stands: the token of that number behind these tokens.
using GeneralPlace = std::tuple<std::string, std::size_t>;

bool IsLiteral(std::string_view token) { return token.find('{') == token.npos; }

class AlikeEntities {
 public:
  explicit AlikeEntities(Measurement& measurement)
      : measurement_(measurement), separators_(measurement.settings.separators) {}

  void Merge() {
    if (measurement_.entities.size() > kMostEntities) return;
    for (const EntityMeasure& a : measurement_.entities) {
      for (const EntityMeasure& b : measurement_.entities) {
        if (&a < &b && AreAlike(a, b)) Learn(a, b);
      }
    }
    if (places_.empty()) return;
    ReplaceTexts();
    MergeEntities();
    MergePatterns();
  }

 private:
  // Returns the tokens that differ, where both texts have the same number of tokens and begin with
  // the same literal; nothing for others.
  std::optional<std::vector<std::size_t>> Differences(std::string_view a, std::string_view b) const;
  bool AreAlike(const EntityMeasure& a, const EntityMeasure& b) const;
  void Learn(const EntityMeasure& a, const EntityMeasure& b);
  void LearnText(std::string_view a, std::string_view b);
  std::string Replaced(std::string_view text) const;
  void ReplaceTexts();
  void MergeEntities();
  void MergePatterns();

  Measurement& measurement_;
  const std::string separators_;
  std::set<GeneralPlace> places_;
};

std::optional<std::vector<std::size_t>> AlikeEntities::Differences(std::string_view a,
                                                                   std::string_view b) const {
  std::vector<std::size_t> different;
  if (a == b) return different;
  const auto of_a = TemplateTokens(a, separators_);
  const auto of_b = TemplateTokens(b, separators_);
  if (of_a.size() != of_b.size() || of_a.size() < 2 || of_a[0] != of_b[0]) return std::nullopt;
  for (std::size_t at = 1; at < of_a.size(); ++at) {
    if (of_a[at] != of_b[at]) different.push_back(at);
  }
  return different;
}

bool AlikeEntities::AreAlike(const EntityMeasure& a, const EntityMeasure& b) const {
  if (a.table != b.table || a.type != b.type) return false;
  if (!Differences(a.partition_key, b.partition_key) || !Differences(a.sort_key, b.sort_key)) {
    return false;
  }
  std::set<std::string_view> of_a;
  std::set<std::string_view> all;
  std::size_t both = 0;
  for (const AttributeMeasure& attribute : a.attributes) of_a.insert(attribute.name);
  all = of_a;
  for (const AttributeMeasure& attribute : b.attributes) {
    both += of_a.contains(attribute.name) ? 1 : 0;
    all.insert(attribute.name);
  }
  return static_cast<double>(both) >= kAlikeShare * static_cast<double>(all.size());
}

// Returns what precedes a token.
std::string Before(const std::vector<std::string_view>& tokens, std::size_t number) {
  std::string text;
  for (std::size_t at = 0; at < number; ++at) {
    text += IsLiteral(tokens[at]) ? std::string(tokens[at]) : std::string(kPlaceholder);
  }
  return text;
}

void AlikeEntities::LearnText(std::string_view a, std::string_view b) {
  const auto different = Differences(a, b);
  if (!different) return;
  const auto tokens = TemplateTokens(a, separators_);
  for (const std::size_t at : *different) {
    // What differs behind a token that differs has that one as a placeholder before it.
    std::vector<std::string_view> before = tokens;
    for (const std::size_t earlier : *different) before[earlier] = kPlaceholder;
    places_.insert({Before(before, at), at});
  }
}

void AlikeEntities::Learn(const EntityMeasure& a, const EntityMeasure& b) {
  LearnText(a.partition_key, b.partition_key);
  LearnText(a.sort_key, b.sort_key);
  for (const EntityIndex& of_a : a.indexes) {
    for (const EntityIndex& of_b : b.indexes) {
      if (of_a.index != of_b.index) continue;
      LearnText(of_a.partition_key, of_b.partition_key);
      LearnText(of_a.sort_key, of_b.sort_key);
    }
  }
}

std::string AlikeEntities::Replaced(std::string_view text) const {
  const auto tokens = TemplateTokens(text, separators_);
  std::vector<std::string_view> replaced = tokens;
  std::string result;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const bool is_place = IsLiteral(tokens[at]) && places_.contains({Before(replaced, at), at});
    if (!is_place) {
      result += tokens[at];
      continue;
    }
    replaced[at] = kPlaceholder;
    result += kPlaceholder;
    if (separators_.find(tokens[at].back()) != separators_.npos) result += tokens[at].back();
  }
  return result;
}

void AlikeEntities::ReplaceTexts() {
  const auto replace = [this](std::string& text) { text = Replaced(text); };
  for (EntityMeasure& entity : measurement_.entities) {
    replace(entity.partition_key);
    replace(entity.sort_key);
    for (EntityIndex& index : entity.indexes) {
      replace(index.partition_key);
      replace(index.sort_key);
    }
  }
  for (PatternMeasure& pattern : measurement_.patterns) {
    for (PatternMember& member : pattern.members) {
      for (KeyTerm& term : member.key) {
        // A beginning may end within a value.
        replace(term.value);
        if (!term.upper.empty()) replace(term.upper);
      }
    }
  }
}

void AddAttributes(const EntityMeasure& from, EntityMeasure& to) {
  for (const AttributeMeasure& attribute : from.attributes) {
    const auto same = std::ranges::find(to.attributes, attribute.name, &AttributeMeasure::name);
    if (same == to.attributes.end()) {
      to.attributes.push_back(attribute);
      continue;
    }
    same->count += attribute.count;
    same->size_bytes += attribute.size_bytes;
    same->name_bytes += attribute.name_bytes;
  }
}

void AlikeEntities::MergeEntities() {
  std::vector<EntityMeasure> merged;
  for (EntityMeasure& entity : measurement_.entities) {
    const auto same = std::ranges::find_if(merged, [&](const EntityMeasure& other) {
      return other.table == entity.table && other.type == entity.type &&
             other.partition_key == entity.partition_key && other.sort_key == entity.sort_key;
    });
    if (same == merged.end()) {
      merged.push_back(std::move(entity));
      continue;
    }
    same->items += entity.items;
    AddAttributes(entity, *same);
    for (const EntityIndex& index : entity.indexes) {
      const auto of = std::ranges::find(same->indexes, index.index, &EntityIndex::index);
      if (of == same->indexes.end()) {
        same->indexes.push_back(index);
        continue;
      }
      of->items += index.items;
      of->has_other_partition_keys |= of->partition_key != index.partition_key;
      of->has_other_sort_keys |= of->sort_key != index.sort_key;
    }
  }
  measurement_.entities = std::move(merged);
}

// Returns what tells patterns apart.
std::string TellingText(const PatternMeasure& pattern) {
  std::string text = pattern.name + "\n" + pattern.operation;
  for (const PatternMember& member : pattern.members) {
    text += "\n" + member.kind + " " + member.table + " " + member.index + " " + member.condition +
            " " + member.projection + " " + member.update + " " + std::to_string(member.limit) +
            (member.backward ? " backward" : "") + (member.consistent ? " consistent" : "");
    for (const KeyTerm& term : member.key) {
      text += " " + term.attribute + term.op + term.value + " " + term.upper;
    }
  }
  return text;
}

void AlikeEntities::MergePatterns() {
  std::vector<PatternMeasure> merged;
  std::vector<std::string> texts;
  for (PatternMeasure& pattern : measurement_.patterns) {
    const std::string text = TellingText(pattern);
    const auto same = std::ranges::find(texts, text);
    if (same == texts.end()) {
      texts.push_back(text);
      merged.push_back(std::move(pattern));
      continue;
    }
    PatternMeasure& into = merged[static_cast<std::size_t>(same - texts.begin())];
    into.calls += pattern.calls;
    into.inserted += pattern.inserted;
    into.changed += pattern.changed;
    into.members_a_call.Add(pattern.members_a_call);
  }
  measurement_.patterns = std::move(merged);
}

}  // namespace

void MergeAlikeEntities(Measurement& measurement) { AlikeEntities(measurement).Merge(); }

}  // namespace hashrange
