#include "measure/meter/pattern_maker.h"

#include <algorithm>
#include <map>
#include <utility>

#include "measure/pattern_text.h"

namespace hashrange {
namespace {

// A pattern of the measurement while the stripes are added to it.
struct MadePattern {
  PatternMeasure described;  // the operation, the name and the members
  PatternCounters counters;  // whose units are by the numbers of MergedKeys
};

constexpr const char* kOtherOperation = "other";

// Weighs reads and writes by what they cost on demand, to order patterns by.
double WeightOf(double read_units, double write_units) {
  constexpr double kWriteWeight = 5;
  return read_units + kWriteWeight * write_units;
}

double WeightOf(const MadePattern& made) {
  double weight = 0;
  for (const UnitsOfResource& units : made.counters.units.all()) {
    weight += WeightOf(units.read_units, units.write_units);
  }
  return weight;
}

double WeightOf(const PatternMeasure& pattern) {
  double weight = 0;
  for (const ResourceUnits& units : pattern.units) {
    weight += WeightOf(units.read_units, units.write_units);
  }
  return weight;
}

class PatternMaker {
 public:
  PatternMaker(const MergedKeys& keys, const std::vector<StripeCounters>& stripes)
      : keys_(keys), stripes_(stripes) {}

  void Add(bool has_ended, Measurement* measurement);

 private:
  void AddStripe(std::size_t stripe);
  PatternMeasure Describe(std::size_t stripe, const PatternIdentity& identity) const;
  PatternMember DescribeMember(std::size_t stripe, const MemberIdentity& identity) const;
  void Finish(MadePattern made, Measurement* measurement) const;
  void AddSequences(bool has_ended, Measurement* measurement) const;
  void Limit();

  const MergedKeys& keys_;
  const std::vector<StripeCounters>& stripes_;
  std::map<std::string, MadePattern> made_;                // by name and text
  std::vector<std::vector<std::string>> keys_of_numbers_;  // of `made_`, by stripe and number
};

PatternMember PatternMaker::DescribeMember(std::size_t stripe,
                                           const MemberIdentity& identity) const {
  const AccessShape& shape = stripes_[stripe].shapes.find(identity.shape)->second;
  PatternMember member = shape.member;
  const MergedKeys::Resource& resource = keys_.At(keys_.NumberOf(stripe, identity.resource));
  member.table = resource.name.table;
  member.index = resource.name.index;
  std::size_t node = 0;
  const auto next = [&](std::size_t part) {
    return resource.trees[part].TemplateOf(
        keys_.NodeOf(stripe, identity.resource, part, identity.nodes[node++]));
  };
  for (std::size_t i = 0; i < member.key.size(); ++i) {
    member.key[i].value = next(shape.parts[i]);
    if (member.key[i].op == "BETWEEN") member.key[i].upper = next(shape.parts[i]);
  }
  return member;
}

PatternMeasure PatternMaker::Describe(std::size_t stripe, const PatternIdentity& identity) const {
  PatternMeasure pattern;
  pattern.operation = identity.operation;
  pattern.name = identity.name;
  std::map<std::string, PatternMember> members;  // equal members once, in the order of their texts
  for (const MemberIdentity& each : identity.members) {
    PatternMeasure alone;
    alone.members = {DescribeMember(stripe, each)};
    std::string text = alone.members[0].kind + PatternText(alone);
    members.emplace(std::move(text), std::move(alone.members[0]));
  }
  for (auto& [text, member] : members) pattern.members.push_back(std::move(member));
  return pattern;
}

void PatternMaker::AddStripe(std::size_t stripe) {
  const StripeCounters& counters = stripes_[stripe];
  std::vector<std::string>& names = keys_of_numbers_.emplace_back();
  for (const PatternTable::Pattern& pattern : counters.patterns.all()) {
    PatternMeasure described = Describe(stripe, pattern.identity);
    names.push_back(described.name + '\n' + PatternText(described));
    if (pattern.counters.counts.requests == 0) continue;
    MadePattern& made = made_[names.back()];
    made.described = std::move(described);
    PatternCounters moved = pattern.counters;
    moved.units = {};
    for (const UnitsOfResource& units : pattern.counters.units.all()) {
      const auto number = static_cast<std::uint32_t>(keys_.NumberOf(stripe, units.resource));
      UnitsOfResource& there = moved.units.At(number);
      there.read_units += units.read_units;
      there.write_units += units.write_units;
      there.moved += units.moved;
    }
    made.counters.Add(moved);
  }
}

// The sizes of calls are those of the pages, where pages that belong together are replaced by their
// sum.
CallSizes SizesOfCalls(const PatternCounters& counters) {
  CallSizes sizes = counters.pages;
  AddSizes(counters.wholes, &sizes);
  sizes.read_units.Subtract(counters.parts.read_units);
  sizes.write_units.Subtract(counters.parts.write_units);
  sizes.items_examined.Subtract(counters.parts.items_examined);
  sizes.items_returned.Subtract(counters.parts.items_returned);
  sizes.bytes_examined.Subtract(counters.parts.bytes_examined);
  sizes.bytes_returned.Subtract(counters.parts.bytes_returned);
  return sizes;
}

void PatternMaker::Finish(MadePattern made, Measurement* measurement) const {
  PatternMeasure pattern = std::move(made.counters.counts);
  pattern.operation = std::move(made.described.operation);
  pattern.name = std::move(made.described.name);
  pattern.members = std::move(made.described.members);
  pattern.text = PatternText(pattern);
  pattern.id = PatternId(pattern);
  pattern.call = SizesOfCalls(made.counters);
  if (made.counters.wholes.read_units.count() > 0) {
    pattern.page = made.counters.pages;
    pattern.pages_a_call.Add(1, made.counters.pages.read_units.count());
    pattern.pages_a_call.Add(made.counters.whole_pages);
    pattern.pages_a_call.Subtract(made.counters.part_pages);
  }
  for (const UnitsOfResource& units : made.counters.units.all()) {
    const ResourceName& name = keys_.At(units.resource).name;
    if (units.read_units != 0 || units.write_units != 0) {
      pattern.units.push_back({name.table, name.index, units.read_units, units.write_units});
    }
    if (units.moved > 0) pattern.index_moves.push_back({name.table, name.index, units.moved});
  }
  std::ranges::sort(pattern.units, {}, [](const ResourceUnits& units) {
    return std::pair(std::string_view(units.table), std::string_view(units.index));
  });
  measurement->server_time.push_back({pattern.id, std::move(made.counters.microseconds)});
  measurement->patterns.push_back(std::move(pattern));
}

void PatternMaker::AddSequences(bool has_ended, Measurement* measurement) const {
  std::map<std::string, std::string> ids;  // by the key of `made_`
  const auto id_of = [&](const std::string& key) {
    std::string& id = ids[key];
    const auto found = made_.find(key);
    if (id.empty() && found != made_.end()) id = PatternId(found->second.described);
    return id;
  };
  std::map<std::array<std::string, 3>, SequenceMeasure> sequences;
  std::map<std::string, std::uint64_t> abandoned;
  for (std::size_t stripe = 0; stripe < stripes_.size(); ++stripe) {
    const auto& names = keys_of_numbers_[stripe];
    for (const auto& [id, counts] : stripes_[stripe].sequences.counts()) {
      const std::string kind(SequenceKindName(id.kind));
      const std::string first = id_of(names[id.first]), second = id_of(names[id.second]);
      SequenceMeasure& sequence = sequences[{kind, first, second}];
      sequence.kind = kind;
      sequence.first = first;
      sequence.second = second;
      sequence.count += counts.count;
      sequence.calls += counts.calls;
      sequence.largest = std::max(sequence.largest, counts.largest);
    }
    for (const auto& [number, count] :
         stripes_[stripe].sequences.Abandoned(measurement->ended_epoch_ms, has_ended)) {
      abandoned[id_of(names[number])] += count;
    }
  }
  for (auto& [key, sequence] : sequences) {
    // Patterns that became one are no pair any more.
    const bool is_pair = sequence.kind != SequenceKindName(SequenceKind::kTogether) ||
                         sequence.first != sequence.second;
    if (is_pair) measurement->sequences.push_back(std::move(sequence));
  }
  std::ranges::stable_sort(measurement->sequences, std::ranges::greater(), &SequenceMeasure::count);
  for (PatternMeasure& pattern : measurement->patterns) {
    if (const auto found = abandoned.find(pattern.id); found != abandoned.end()) {
      pattern.abandoned_unprocessed = found->second;
    }
  }
}

// Keeps the most expensive patterns; the others become a part of the pattern "other".
void PatternMaker::Limit() {
  if (made_.size() <= kMaxReportedPatterns) return;
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [key, made] : made_) {
    if (made.described.operation != kOtherOperation) order.emplace_back(WeightOf(made), key);
  }
  std::ranges::stable_sort(order, std::ranges::greater(), &std::pair<double, std::string>::first);
  MadePattern other;
  other.described.operation = kOtherOperation;
  for (std::size_t i = kMaxReportedPatterns - 1; i < order.size(); ++i) {
    other.counters.Add(made_[order[i].second].counters);
    made_.erase(order[i].second);
  }
  const std::string key = '\n' + PatternText(other.described);
  other.counters.Add(made_[key].counters);
  made_[key] = std::move(other);
}

void PatternMaker::Add(bool has_ended, Measurement* measurement) {
  for (std::size_t stripe = 0; stripe < stripes_.size(); ++stripe) AddStripe(stripe);
  Limit();
  for (const auto& [key, made] : made_) {
    if (made.described.operation == kOtherOperation) {
      measurement->limits.other_patterns = made.counters.counts.requests;
    }
    Finish(made, measurement);
  }
  AddSequences(has_ended, measurement);
  const auto weight = [](const PatternMeasure& pattern) { return WeightOf(pattern); };
  std::ranges::stable_sort(measurement->patterns, std::ranges::greater(), weight);
}

}  // namespace

void AddPatterns(const MergedKeys& keys, const std::vector<StripeCounters>& stripes, bool has_ended,
                 Measurement* measurement) {
  PatternMaker(keys, stripes).Add(has_ended, measurement);
}

}  // namespace hashrange
