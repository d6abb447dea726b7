#include "measure/rules/declared_key_load.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "measure/key_templates.h"
#include "measure/measured_tables.h"
#include "measure/pattern_sums.h"
#include "measure/rules/design_rules.h"

namespace hashrange {
namespace {

// Which of the accesses of a pattern can be of the key.
enum class KeyUse : std::uint8_t { kNone, kSome, kAll, kUnknown };

// Returns what holds for two sets of accesses together.
KeyUse Joined(KeyUse one, KeyUse other) {
  if (one == other) return one;
  const bool is_unknown = one == KeyUse::kUnknown || other == KeyUse::kUnknown;
  return is_unknown ? KeyUse::kUnknown : KeyUse::kSome;
}

// The templates of the two parts of a key. Keys of several attributes are not compared.
struct KeyTemplates {
  std::string_view partition_key = {};
  std::string_view sort_key = {};  // empty: any
};

// Returns the parts of "PK=CUST#{id}, SK=META"; nothing when the text is not of that form.
std::optional<KeyTemplates> CutKey(std::string_view text, const KeyAttributes& attributes,
                                   bool is_item) {
  if (attributes.hash.size() != 1 || attributes.range.size() > 1) return std::nullopt;
  const std::string hash = attributes.hash[0] + "=";
  if (!text.starts_with(hash)) return std::nullopt;
  text.remove_prefix(hash.size());
  if (!is_item || attributes.range.empty()) return KeyTemplates{text, {}};
  const std::string range = ", " + attributes.range[0] + "=";
  const std::size_t at = text.rfind(range);
  if (at == text.npos) return std::nullopt;
  return KeyTemplates{text.substr(0, at), text.substr(at + range.size())};
}

class KeyPatterns {
 public:
  KeyPatterns(const Measurement& measurement, const ResourceMeasure& resource, const LoadedKey& key)
      : measurement_(measurement),
        resource_(resource),
        is_write_(key.direction == "write"),
        is_item_(key.is_item),
        key_(CutKey(key.text, KeyAttributesOf(measurement, resource.table, resource.index),
                    key.is_item)) {}

  // Returns the units that the pattern's calls took of the resource in the direction.
  double UnitsOfPattern(const PatternMeasure& pattern) const {
    double sum = 0;
    for (const ResourceUnits& units : pattern.units) {
      if (units.table != resource_.table || !IsCounted(units.index)) continue;
      sum += is_write_ ? units.write_units : units.read_units;
    }
    return sum;
  }

  // Whether the pattern reads the resource strongly consistent, or in transactions. All reads of a
  // table in one request are alike, except in a batch of statements, which counts as strong here.
  bool IsStrong(const PatternMeasure& pattern) const {
    return IsTransaction(pattern) ||
           std::ranges::any_of(pattern.members, [&](const PatternMember& member) {
             return member.table == resource_.table && member.consistent;
           });
  }

  // Whether the pattern's units of the resource are a scan's, which counts for no key.
  bool IsScan(const PatternMeasure& pattern) const {
    return !is_write_ && std::ranges::all_of(pattern.members, [](const PatternMember& member) {
      return member.kind == "scan";
    }) && !pattern.members.empty();
  }

  KeyUse MatchOf(const PatternMeasure& pattern) const {
    if (!key_) return KeyUse::kUnknown;
    std::optional<KeyUse> match;
    for (const PatternMember& member : pattern.members) {
      if (const auto each = MatchOfMember(member)) match = match ? Joined(*match, *each) : *each;
    }
    return match.value_or(KeyUse::kUnknown);
  }

 private:
  // Whether units of the index are units of the key. The entries of a partition key in a local
  // index are in the partition of the table's key; an item is one item of the table alone.
  bool IsCounted(std::string_view index) const {
    if (index == resource_.index) return true;
    if (is_item_ || !resource_.index.empty()) return false;
    const IndexMeasure* const found = FindIndex(measurement_, resource_.table, index);
    return found && found->is_local;
  }

  // Returns nothing when the member takes no such units of the resource.
  std::optional<KeyUse> MatchOfMember(const PatternMember& member) const {
    if (member.table != resource_.table) return std::nullopt;
    const bool is_write = IsWrite(member) || member.kind == "check";
    if (is_write != is_write_) return std::nullopt;
    if (is_write && !resource_.index.empty()) return MatchOfIndexWrite(member);
    if (!IsCounted(member.index) || member.kind == "scan") return std::nullopt;
    if (is_item_ && member.kind == "query") return std::nullopt;  // counts for no item
    const KeyTerm* const sort_key = SortKeyTerm(measurement_, member);
    return MatchOfTemplates({PartitionKeyTemplate(measurement_, member),
                             sort_key ? std::string_view(sort_key->value) : std::string_view()});
  }

  KeyUse MatchOfIndexWrite(const PatternMember& member) const {
    std::optional<KeyUse> match;
    for (const EntityMeasure& entity : measurement_.entities) {
      const bool writes_it =
          UnitsOn(entity.units, resource_.table, resource_.index).write_units > 0 &&
          MayMeet(measurement_, member, entity);
      if (!writes_it) continue;
      const KeyUse each = MatchInIndex(FindEntityIndex(entity, resource_.index));
      match = match ? Joined(*match, each) : each;
    }
    return match.value_or(KeyUse::kUnknown);
  }

  KeyUse MatchInIndex(const EntityIndex* part) const {
    if (!part) return KeyUse::kUnknown;
    const KeyUse match = MatchOfTemplates({part->partition_key, part->sort_key});
    const bool has_others =
        part->has_other_partition_keys || (is_item_ && part->has_other_sort_keys);
    if (!has_others) return match;
    // The templates of the other items are not known.
    return match == KeyUse::kNone ? KeyUse::kUnknown : KeyUse::kSome;
  }

  KeyUse MatchOfTemplates(const KeyTemplates& asked) const {
    if (asked.partition_key.empty()) return KeyUse::kUnknown;
    const KeyUse match = MatchOfPart(asked.partition_key, key_->partition_key);
    const bool has_sort_key = is_item_ && !key_->sort_key.empty() && !asked.sort_key.empty();
    if (!has_sort_key || match == KeyUse::kNone) return match;
    const KeyUse of_sort_key = MatchOfPart(asked.sort_key, key_->sort_key);
    return of_sort_key == KeyUse::kNone ? of_sort_key : Joined(match, of_sort_key);
  }

  KeyUse MatchOfPart(std::string_view asked, std::string_view key) const {
    if (!CanBeEqual(asked, key, measurement_.settings.separators)) return KeyUse::kNone;
    return IsConstantTemplate(asked) ? KeyUse::kAll : KeyUse::kSome;
  }

  const Measurement& measurement_;
  const ResourceMeasure& resource_;
  const bool is_write_;
  const bool is_item_;
  const std::optional<KeyTemplates> key_;
};

// Units of the patterns that have one match.
struct MatchedUnits {
  double measured = 0;
  double declared = 0;  // a second
  double declared_strong = 0;
  std::size_t patterns = 0;
};

}  // namespace

std::optional<KeyLoad> DeclaredKeyLoad(const Measurement& measurement, const PatternRates& rates,
                                       const ResourceMeasure& resource, const LoadedKey& key) {
  if (rates.total == 0) return std::nullopt;
  const KeyPatterns patterns(measurement, resource, key);
  MatchedUnits by_match[4];
  for (std::size_t i = 0; i < measurement.patterns.size(); ++i) {
    const PatternMeasure& pattern = measurement.patterns[i];
    const double units = patterns.UnitsOfPattern(pattern);
    if (units == 0 || patterns.IsScan(pattern)) continue;
    MatchedUnits& sums = by_match[static_cast<std::size_t>(patterns.MatchOf(pattern))];
    sums.measured += units;
    const double declared = rates.calls_per_second[i] * units / CallsOf(pattern);
    sums.declared += declared;
    if (key.direction == "read" && patterns.IsStrong(pattern)) sums.declared_strong += declared;
    ++sums.patterns;
  }
  const auto& [none, some, all, unknown] = by_match;
  if (unknown.patterns > 0 && some.patterns + all.patterns + unknown.patterns > 1) {
    return std::nullopt;
  }
  const double measured = none.measured + some.measured + all.measured + unknown.measured;
  const double rest = std::max(0.0, key.share * measured - all.measured);
  const double partial = some.measured + unknown.measured;
  const double part = partial > 0 ? std::min(1.0, rest / partial) : 0;
  const KeyLoad load{all.declared + (some.declared + unknown.declared) * part,
                     all.declared_strong + (some.declared_strong + unknown.declared_strong) * part};
  if (load.units == 0) return std::nullopt;
  return load;
}

StrongShare StrongShareOfKey(const Measurement& measurement, const ResourceMeasure& resource,
                             const LoadedKey& key, double read_units) {
  const KeyPatterns patterns(measurement, resource, key);
  double strong = 0;
  double eventual = 0;
  for (const PatternMeasure& pattern : measurement.patterns) {
    const double units = patterns.UnitsOfPattern(pattern);
    const bool reads_key =
        units > 0 && !patterns.IsScan(pattern) && patterns.MatchOf(pattern) != KeyUse::kNone;
    if (reads_key) (patterns.IsStrong(pattern) ? strong : eventual) += units;
  }
  if (strong + eventual == 0) return {};
  // Units that no pattern counts may be of either kind.
  const double missing = std::max(0.0, read_units - strong - eventual);
  const auto share_of = [&](double units) {
    return units >= read_units ? (units > 0 ? 1.0 : 0.0) : units / read_units;
  };
  const double least = 1 - share_of(eventual + missing);
  return {least, std::max(least, share_of(strong + missing))};
}

namespace {

std::optional<KeyShare> ShareOf(const KeyCount& key, double total_units) {
  if (total_units < kLeastUnitsOfShares) return std::nullopt;
  const double least = std::max(0.0, key.units - key.error) / total_units;
  return KeyShare{key.key, key.shape.empty() ? key.key : key.shape, least,
                  std::min(1.0, key.units / total_units)};
}

}  // namespace

std::optional<KeyShare> FirstKeyShare(const TopKeys& keys) {
  if (keys.keys.empty()) return std::nullopt;
  return ShareOf(keys.keys[0], keys.total_units);
}

std::optional<KeyShare> GreatestKeyShare(const ResourceMeasure& resource,
                                         std::string_view direction) {
  std::optional<KeyShare> greatest =
      FirstKeyShare(direction == "read" ? resource.read_keys : resource.written_keys);
  for (const HotWindow& window : resource.hot_windows) {
    if (window.direction != direction) continue;
    const auto share = ShareOf(window.key, window.total_units);
    if (share && (!greatest || share->least > greatest->least)) greatest = share;
  }
  return greatest;
}

std::optional<DeclaredRange> DeclaredUnitsOfKey(const Measurement& measurement,
                                                const PatternRates& rates,
                                                const ResourceMeasure& resource,
                                                const KeyShare& share, LoadedKey key) {
  key.text = share.shape;
  key.share = share.most;
  const auto most = DeclaredKeyLoad(measurement, rates, resource, key);
  key.share = share.least;
  const auto least = DeclaredKeyLoad(measurement, rates, resource, key);
  if (!most) return std::nullopt;
  return DeclaredRange{least ? least->units : 0, most->units,
                       most->strong_read_units / most->units};
}

double DeclaredWriteUnits(const Measurement& measurement, const PatternRates& rates,
                          const ResourceMeasure& resource) {
  double units = 0;
  for (std::size_t i = 0; i < measurement.patterns.size(); ++i) {
    const PatternMeasure& pattern = measurement.patterns[i];
    const double calls = CallsOf(pattern);
    if (rates.total <= 0 || calls <= 0) continue;
    units += rates.calls_per_second[i] / calls *
             UnitsOn(pattern.units, resource.table, resource.index).write_units;
  }
  return units;
}

}  // namespace hashrange
