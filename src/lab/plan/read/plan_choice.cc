#include "lab/plan/read/plan_choice.h"

#include <algorithm>
#include <cmath>

#include "lab/language/data/population.h"
#include "lab/language/lab_facts.h"
#include "lab/plan/read/plan_sentences.h"

namespace hashrange {

namespace {

constexpr double kUnitBytes = 4096;
constexpr double kPageBytes = 1024 * 1024;
constexpr double kKeysOfBatch = 100;
constexpr double kTolerance = 1e-9;

std::int64_t LimitOf(const LabPattern& pattern) {
  return pattern.kind == LabPattern::Kind::kGet ? 1 : pattern.limit;
}

// Finds the ways of one question, and what they cost.
class ReadChooser {
 public:
  ReadChooser(const ReadQuestion& question, const std::vector<AskedHost>& hosts)
      : question_(question),
        hosts_(hosts),
        estimate_(question.file, question.layout, question.pattern.constants) {}

  ReadChoice Choose() {
    for (const LabKey key : KeysOf(question_.layout)) TryKey(key);
    if (!choice_.taken && hosts_.size() == 1) TryScans();
    return std::move(choice_);
  }

 private:
  // Returns how far the key is covered for each item of the host in the key's table.
  std::vector<KeyCoverage> Coverages(const AskedHost& host, LabKey key) const {
    std::vector<KeyCoverage> found;
    for (const LabItem& item : question_.layout.items) {
      if (item.entity == host.entity && item.table == key.table) {
        found.push_back(CoverKey(question_, item, key));
      }
    }
    return found;
  }

  void TryKey(LabKey key) {
    std::string obstacle;
    std::optional<ReadCandidate> best;
    for (const KeyCoverage& lead : Coverages(hosts_.front(), key)) {
      if (!lead.obstacle.empty()) {
        NoteObstacle(lead.obstacle, obstacle);
        continue;
      }
      std::vector<KeyCoverage> coverages = {lead};
      if (!AddOthers(key, coverages, obstacle)) continue;
      ReadCandidate candidate = CandidateOf(coverages);
      if (!candidate.rest.obstacle.empty()) {
        NoteObstacle(candidate.rest.obstacle, obstacle);
      } else if (!best || IsCheaper(candidate, *best)) {
        best = std::move(candidate);
      }
    }
    if (best) return Take(std::move(*best));
    if (!HoldsInTable(key.table)) return;
    if (obstacle.empty()) {
      obstacle = "it holds no items of " + EntityAt(question_.file, hosts_.front().entity).name;
    }
    choice_.rejected.push_back(KeyLabel(question_.layout, key) + ": " + obstacle);
  }

  // Returns whether the table has items that are asked for; of others nothing has to be said.
  bool HoldsInTable(int table) const {
    const std::vector<LabItem>& items = question_.layout.items;
    return std::any_of(items.begin(), items.end(), [&](const LabItem& item) {
      return item.table == table && item.entity == hosts_.front().entity;
    });
  }

  // The first obstacle belongs to the main item. That an index holds nothing says less than why
  // another item is not found.
  static void NoteObstacle(const std::string& found, std::string& obstacle) {
    if (obstacle.empty() || obstacle.starts_with("it holds no")) obstacle = found;
  }

  // Adds the items of the other hosts that have the same partition key.
  bool AddOthers(LabKey key, std::vector<KeyCoverage>& coverages, std::string& obstacle) const {
    for (std::size_t i = 1; i < hosts_.size(); ++i) {
      bool is_found = false;
      for (KeyCoverage& other : Coverages(hosts_[i], key)) {
        if (is_found || !other.obstacle.empty() || !HaveSameHash(coverages.front(), other))
          continue;
        coverages.push_back(std::move(other));
        is_found = true;
      }
      if (is_found) continue;
      NoteObstacle("it does not hold " + EntityAt(question_.file, hosts_[i].entity).name +
                       " under the partition key of " +
                       EntityAt(question_.file, hosts_.front().entity).name,
                   obstacle);
      return false;
    }
    return true;
  }

  void Take(ReadCandidate candidate) {
    if (choice_.taken && !IsCheaper(candidate, *choice_.taken)) {
      choice_.dearer.push_back(std::move(candidate));
      return;
    }
    if (choice_.taken) choice_.dearer.push_back(std::move(*choice_.taken));
    choice_.taken = std::move(candidate);
  }

  static bool IsCheaper(const ReadCandidate& one, const ReadCandidate& other) {
    if (std::abs(one.read_units - other.read_units) > kTolerance) {
      return one.read_units < other.read_units;
    }
    if (std::abs(one.examined - other.examined) > kTolerance) return one.examined < other.examined;
    if (std::abs(one.requests - other.requests) > kTolerance) return one.requests < other.requests;
    return !one.sorts_at_client && other.sorts_at_client;
  }

  ReadCandidate CandidateOf(const std::vector<KeyCoverage>& coverages) const {
    ReadCandidate candidate = {.hosts = hosts_, .interval = IntervalOf(question_, coverages)};
    // What is asked may be a part of the items only, whose order no key has.
    const LabAttributeRef order = question_.pattern.order;
    if (order.entity != kLabNone && IsPart(order.entity)) candidate.interval.has_order = false;
    candidate.is_get = candidate.interval.is_full && candidate.interval.key.index == kLabNone;
    candidate.rest = RestOf(question_, hosts_, candidate.interval, false);
    if (question_.pattern.batch > 1 && candidate.interval.shards > 1) {
      candidate.rest.obstacle = "each instance of a batch would be asked of each shard";
    }
    DecideEnd(candidate);
    EstimateCost(candidate);
    return candidate;
  }

  bool IsPart(int entity) const {
    return std::any_of(hosts_.begin(), hosts_.end(), [&](const AskedHost& host) {
      return std::find(host.parts.begin(), host.parts.end(), entity) != host.parts.end();
    });
  }

  // Decides after how many items reading ends, and whether the client sorts or fetches.
  void DecideEnd(ReadCandidate& candidate) const {
    const ReadRest& rest = candidate.rest;
    const LabPattern& pattern = question_.pattern;
    const LabIndex* index = IndexOf(question_.layout, candidate.interval.key);
    candidate.fetches = !rest.lacking.empty() && index != nullptr && !index->is_local;
    if (candidate.is_get) {
      candidate.sorts_at_client = pattern.order.entity != kLabNone && !hosts_[0].parts.empty();
      return;
    }
    const bool is_ordered = candidate.interval.has_order;
    candidate.sorts_at_client =
        pattern.order.entity != kLabNone && (!is_ordered || candidate.interval.shards > 1);
    // Parts are not items, and what the client leaves out does not count.
    const bool counts_items = hosts_[0].parts.empty() || !hosts_[0].is_asked;
    if (!is_ordered || !rest.client_filters.empty() || !counts_items) return;
    candidate.items = LimitOf(pattern);
    candidate.has_limit = candidate.items > 0 && rest.filters.empty();
  }

  // Returns how many of the instances are asked for: those with all that the caller knows.
  double ItemsAsked(const LabItem& item, const AskedInterval& interval) const {
    std::vector<LabTemplatePart> known = KnownPlaceholders(question_, item, interval);
    const auto add = [&](LabAttributeRef ref) {
      const bool is_there =
          std::any_of(known.begin(), known.end(), [&](const LabTemplatePart& part) {
            return IsSameValue(question_.file, part.attribute, ref);
          });
      if (!is_there) known.push_back({.attribute = ref});
    };
    for (const LabAttributeRef ref : question_.pattern.by) add(ref);
    for (const LabCondition& constant : question_.pattern.constants) add(constant.attribute);
    const double share = estimate_.ShareOfRange(question_.pattern.range);
    return std::max(1.0, estimate_.Matching(item.entity, known) * share);
  }

  // Returns how many instances of the item are inside of the interval.
  double ItemsInside(const LabItem& item, const AskedInterval& interval) const {
    const std::vector<LabTemplatePart> known = KnownPlaceholders(question_, item, interval);
    return estimate_.Matching(item.entity, known) * estimate_.ShareInKey(item, interval.key, known);
  }

  // What a request, or all requests of a fan-out together, would read to the end.
  struct ReadAmount {
    double asked = 0;  // items
    double inside = 0;
    double bytes = 0;  // of all inside
  };

  // Returns which share of what the keys have lies inside, by the pattern's range.
  double ShareInside(const AskedInterval& interval) const {
    LabRange range = question_.pattern.range;
    if (interval.has_range) return estimate_.ShareOfRange(range);
    if (!interval.buckets) return 1;
    range.kind = LabRange::Kind::kLast;
    range.last_ms = interval.shards * LongestBucketMs(interval.buckets->form);
    range.next_ms = 0;
    return estimate_.ShareOfRange(range);
  }

  ReadAmount AmountOf(const AskedInterval& interval) const {
    ReadAmount amount;
    const double range_share = ShareInside(interval);
    const auto add = [&](const LabItem& item, double count) {
      amount.inside += count;
      amount.bytes += count * estimate_.BytesInKey(item, interval.key);
    };
    for (const LabItem* item : interval.items) {
      amount.asked += ItemsAsked(*item, interval);
      add(*item, std::max(1.0, ItemsInside(*item, interval) * range_share));
    }
    for (const LabItem* item : interval.others) add(*item, ItemsInside(*item, interval));
    return amount;
  }

  // Returns which share of the amount is read until enough items were found.
  static double ShareRead(const ReadCandidate& candidate, const ReadAmount& amount) {
    if (candidate.items == 0) return 1;
    const double shards = candidate.interval.shards;
    const double share =
        std::min(1.0, static_cast<double>(candidate.items) * shards / amount.asked);
    if (candidate.has_limit) return share;
    // Without Limit, a page goes on to its end, however many of its items pass the filter.
    return std::max(share, std::min(1.0, kPageBytes * shards / amount.bytes));
  }

  void EstimateCost(ReadCandidate& candidate) const {
    const AskedInterval& interval = candidate.interval;
    const double unit = question_.pattern.is_consistent ? 1 : 0.5;
    const bool is_transaction = question_.pattern.is_transaction.value_or(false);
    if (candidate.is_get) {
      const double units = UnitsOf(estimate_.ItemBytes(*interval.items.front()));
      candidate.read_units = is_transaction ? units * 2 : units * unit;
      return;
    }
    const ReadAmount amount = AmountOf(interval);
    const double share = ShareRead(candidate, amount);
    const double shards = interval.shards;
    candidate.examined = amount.inside * share;
    candidate.read_units = shards * UnitsOf(amount.bytes * share / shards) * unit;
    candidate.requests = shards;
    if (candidate.rest.lacking.empty()) return;
    // Filters are applied before the rest is read, what the client leaves out is read.
    const double fetched =
        (candidate.rest.client_filters.empty() ? amount.asked : amount.inside) * share;
    if (candidate.fetches) candidate.requests += std::ceil(fetched / kKeysOfBatch);
    candidate.read_units += fetched * UnitsOf(estimate_.ItemBytes(*interval.items.front())) * unit;
  }

  static double UnitsOf(double bytes) { return std::max(1.0, std::ceil(bytes / kUnitBytes)); }

  // Takes the Scan that costs least, of all tables and indexes that hold the items.
  void TryScans() {
    for (const LabKey key : KeysOf(question_.layout)) {
      const LabIndex* const index = IndexOf(question_.layout, key);
      if (question_.pattern.is_consistent && index != nullptr && !index->is_local) continue;
      for (const LabItem& item : question_.layout.items) {
        if (item.entity == hosts_.front().entity && item.table == key.table) TryScan(item, key);
      }
    }
    if (choice_.taken) {
      choice_.impossible.clear();
    } else if (choice_.impossible.empty()) {
      choice_.impossible = "the layout stores " +
                           EntityAt(question_.file, hosts_.front().entity).name +
                           " only where a condition holds that the pattern does not have";
    }
  }

  void TryScan(const LabItem& item, LabKey key) {
    if (!GapOfKey(question_, item, key).empty()) return;
    ReadCandidate scan = {.hosts = hosts_, .is_scan = true};
    scan.interval = WholeOf(question_, item, key);
    scan.rest = RestOf(question_, hosts_, scan.interval, true);
    DecideEnd(scan);
    EstimateCost(scan);
    if (!scan.rest.obstacle.empty()) {
      if (choice_.impossible.empty()) choice_.impossible = scan.rest.obstacle;
    } else if (!choice_.taken || IsCheaper(scan, *choice_.taken)) {
      choice_.taken = std::move(scan);
    }
  }

  const ReadQuestion& question_;
  const std::vector<AskedHost>& hosts_;
  const SizeEstimate estimate_;
  ReadChoice choice_;
};

}  // namespace

ReadChoice ChooseRead(const ReadQuestion& question, const std::vector<AskedHost>& hosts) {
  return ReadChooser(question, hosts).Choose();
}

namespace {

using GeneratorKind = LabGenerator::Kind;
using Form = LabTemplatePart::Form;

constexpr double kDayMs = 86'400'000;
constexpr double kTimeBytes = 24;  // 2026-01-31T12:34:56.789Z
constexpr double kUlidBytes = 26;
constexpr double kUuidBytes = 36;
constexpr double kNumberBytes = 3;   // a few digits
constexpr double kListBytes = 3;     // of a list or map itself, and one more for each element
constexpr double kUsualShare = 0.3;  // of a range with fixed bounds

double MeanChoiceBytes(const std::vector<LabGenerator::Choice>& choices) {
  double bytes = 0;
  double weight = 0;
  for (const LabGenerator::Choice& choice : choices) {
    bytes += static_cast<double>(choice.value.size()) * choice.weight;
    weight += choice.weight;
  }
  return weight > 0 ? bytes / weight : 0;
}

// Returns how long the times are alike that a form does not distinguish; 0: it distinguishes all.
double AlikeMs(Form form) {
  switch (form) {
    case Form::kYear:
      return 365 * kDayMs;
    case Form::kMonth:
      return 30 * kDayMs;
    case Form::kDay:
      return kDayMs;
    case Form::kHour:
      return kDayMs / 24;
    case Form::kMinute:
      return kDayMs / 24 / 60;
    default:
      return 0;
  }
}

}  // namespace

double SizeEstimate::Instances(int entity) const {
  return std::max(InstancesOf(file_, entity), 1.0);
}

double SizeEstimate::ValueBytes(LabAttributeRef ref) const {
  const LabAttribute& attribute = LabAttributeAt(file_, ref);
  const LabGenerator& generator = attribute.generator;
  switch (generator.kind) {
    case GeneratorKind::kConstant:
      return static_cast<double>(generator.text.size());
    case GeneratorKind::kSequence:
      return generator.width;
    case GeneratorKind::kUlid:
      return kUlidBytes;
    case GeneratorKind::kUuid:
      return kUuidBytes;
    case GeneratorKind::kTemplate:
      return TemplateBytes(generator.text_template);
    case GeneratorKind::kTime:
      return attribute.type == LabType::kNumber ? 2 * kNumberBytes : kTimeBytes;
    case GeneratorKind::kChoice:
      return MeanChoiceBytes(generator.choices);
    case GeneratorKind::kText:
      return MeanOf(generator.distribution);
    case GeneratorKind::kNumber:
      return kNumberBytes;
    case GeneratorKind::kFlag:
      return 1;
    case GeneratorKind::kRef:
    case GeneratorKind::kOfRef:
    case GeneratorKind::kOfAncestor:
      return ValueBytes(generator.other);
  }
  return 0;
}

double SizeEstimate::TemplateBytes(const LabTemplate& text) const {
  double bytes = 0;
  for (const LabTemplatePart& part : text.parts) {
    bytes += static_cast<double>(part.literal.size());
    if (part.attribute.entity == kLabNone) continue;
    bytes += part.shards > 0 ? 1 : part.width > 0 ? part.width : ValueBytes(part.attribute);
  }
  return bytes;
}

double SizeEstimate::AttributeBytes(LabAttributeRef ref) const {
  const LabAttribute& attribute = LabAttributeAt(file_, ref);
  return attribute.present * (static_cast<double>(attribute.name.size()) + ValueBytes(ref));
}

double SizeEstimate::KeyBytes(const LabItem& item,
                              const std::vector<std::string>& attributes) const {
  double bytes = 0;
  for (const std::string& attribute : attributes) {
    const LabItemKey* key = KeyOfItem(item, attribute);
    if (key == nullptr) continue;
    bytes += static_cast<double>(attribute.size()) + TemplateBytes(key->text);
  }
  return bytes;
}

double SizeEstimate::EmbeddedBytes(int entity) const {
  double bytes = 0;
  for (const LabEmbedding& embedding : layout_.embeddings) {
    if (embedding.parent != entity) continue;
    double each = 1 + EmbeddedBytes(embedding.entity);
    const auto count = static_cast<int>(EntityAt(file_, embedding.entity).attributes.size());
    for (int i = 0; i < count; ++i) each += AttributeBytes({embedding.entity, i});
    bytes += static_cast<double>(embedding.attribute.size()) + kListBytes +
             each * MeanOf(EntityAt(file_, embedding.entity).count);
  }
  return bytes;
}

double SizeEstimate::ItemBytes(const LabItem& item) const {
  const LabTable& table = layout_.tables[static_cast<std::size_t>(item.table)];
  double bytes = 0;
  for (const LabItemKey& key : item.keys) bytes += KeyBytes(item, {key.attribute});
  for (const LabAttributeRef ref : HeldAttributes({file_, layout_}, item)) {
    if (KeyOfItem(item, LabAttributeAt(file_, ref).name) == nullptr) bytes += AttributeBytes(ref);
  }
  if (!table.type_attribute.empty()) {
    bytes +=
        static_cast<double>(table.type_attribute.size() + EntityAt(file_, item.entity).name.size());
  }
  return item.attributes ? bytes : bytes + EmbeddedBytes(item.entity);
}

double SizeEstimate::BytesInKey(const LabItem& item, LabKey key) const {
  const LabIndex* index = IndexOf(layout_, key);
  if (index == nullptr || index->projection == LabIndex::Projection::kAll) return ItemBytes(item);
  const LabTable& table = TableOf(layout_, key);
  std::vector<std::string> keys;
  for (const auto* const names : {&table.hash, &table.range, &index->hash, &index->range}) {
    for (const std::string& name : *names) {
      if (std::find(keys.begin(), keys.end(), name) == keys.end()) keys.push_back(name);
    }
  }
  double bytes = KeyBytes(item, keys);
  for (const LabAttributeRef ref : HeldAttributes({file_, layout_}, item)) {
    const std::string& name = LabAttributeAt(file_, ref).name;
    const auto& included = index->included;
    if (std::find(included.begin(), included.end(), name) != included.end()) {
      bytes += AttributeBytes(ref);
    }
  }
  return bytes;
}

double SizeEstimate::SpanMs(LabAttributeRef ref) const {
  const LabGenerator& generator = LabAttributeAt(file_, ref).generator;
  if (generator.kind != GeneratorKind::kTime) return 0;
  return static_cast<double>(generator.latest_ms - generator.earliest_ms);
}

std::optional<double> SizeEstimate::ShareOfCondition(const LabCondition& condition) const {
  const LabAttribute& attribute = LabAttributeAt(file_, condition.attribute);
  const LabGenerator& generator = attribute.generator;
  const auto holds = [&](const std::string& value) {
    return ConditionHolds(condition, attribute.type, value);
  };
  switch (generator.kind) {
    case GeneratorKind::kConstant:
      return holds(generator.text) ? attribute.present : 0;
    case GeneratorKind::kFlag:
      return attribute.present * ((holds("true") ? generator.probability : 0) +
                                  (holds("false") ? 1 - generator.probability : 0));
    case GeneratorKind::kChoice: {
      double chosen = 0;
      double all = 0;
      for (const LabGenerator::Choice& choice : generator.choices) {
        all += choice.weight;
        if (holds(choice.value)) chosen += choice.weight;
      }
      if (all > 0) return attribute.present * chosen / all;
      return std::nullopt;
    }
    default:
      break;
  }
  using Op = LabCondition::Op;
  if (condition.op == Op::kEqual || condition.op == Op::kIn) return std::nullopt;
  return attribute.present * (condition.op == Op::kNotEqual ? 1 : kUsualShare);
}

double SizeEstimate::ShareOf(int entity, const LabTemplatePart& part) const {
  const LabAttributeRef ref = part.attribute;
  const double all = Instances(entity);
  for (const LabCondition& constant : constants_) {
    if (constant.attribute != ref) continue;
    if (const std::optional<double> share = ShareOfCondition(constant)) return *share;
  }
  if (part.form == Form::kPrefix || part.shards > 0) return std::max(0.02, 1 / all);
  if (const double alike = AlikeMs(part.form); alike > 0) {
    const double span = SpanMs(ref);
    return span > alike ? alike / span : 1;
  }
  const LabGenerator& generator = LabAttributeAt(file_, ref).generator;
  if (generator.kind == GeneratorKind::kRef) return 1 / Instances(generator.other.entity);
  if (ref.attribute == 0) return 1 / Instances(ref.entity);
  switch (generator.kind) {
    case GeneratorKind::kConstant:
      return 1;
    case GeneratorKind::kChoice:
      return 1 / static_cast<double>(std::max<std::size_t>(1, generator.choices.size()));
    case GeneratorKind::kFlag:
      return 0.5;
    case GeneratorKind::kOfRef:
    case GeneratorKind::kOfAncestor:
      return 1 / Instances(generator.other.entity);
    default:
      return 1 / Instances(ref.entity);
  }
}

double SizeEstimate::Matching(int entity, const std::vector<LabTemplatePart>& placeholders) const {
  // Identities of the entity and its ancestors imply each other, so the strongest counts.
  double identity = 1;
  double others = 1;
  for (const LabTemplatePart& part : placeholders) {
    const double share = ShareOf(entity, part);
    const bool is_reference =
        LabAttributeAt(file_, part.attribute).generator.kind == GeneratorKind::kRef;
    if (part.attribute.attribute == 0 && !is_reference) {
      identity = std::min(identity, share);
    } else {
      others *= share;
    }
  }
  return std::max(1.0, Instances(entity) * identity * others);
}

double SizeEstimate::ShareInKey(const LabItem& item, LabKey key,
                                const std::vector<LabTemplatePart>& placeholders) const {
  std::vector<LabAttributeRef> counted;
  for (const LabTemplatePart& part : placeholders) counted.push_back(part.attribute);
  const auto is_new = [&](LabAttributeRef ref) {
    if (std::find(counted.begin(), counted.end(), ref) != counted.end()) return false;
    counted.push_back(ref);
    return true;
  };
  std::vector<LabCondition> conditions = item.when;
  std::vector<LabAttributeRef> attributes;
  for (const auto* const names : {&HashOf(layout_, key), &RangeOf(layout_, key)}) {
    for (const std::string& name : *names) {
      const LabItemKey* const own = KeyOfItem(item, name);
      if (own == nullptr) continue;
      conditions.insert(conditions.end(), own->when.begin(), own->when.end());
      for (const LabTemplatePart& part : own->text.parts) {
        if (part.attribute.entity != kLabNone) attributes.push_back(part.attribute);
      }
    }
  }
  double share = 1;
  for (const LabCondition& condition : conditions) {
    if (!is_new(condition.attribute)) continue;
    share *= ShareOfCondition(condition).value_or(
        ShareOf(item.entity, {.attribute = condition.attribute}));
  }
  for (const LabAttributeRef ref : attributes) {
    if (is_new(ref)) share *= LabAttributeAt(file_, ref).present;
  }
  return share;
}

double SizeEstimate::ShareOfRange(const LabRange& range) const {
  switch (range.kind) {
    case LabRange::Kind::kNone:
      return 1;
    case LabRange::Kind::kLast:
    case LabRange::Kind::kNext: {
      const double span = SpanMs(range.attribute);
      const auto asked = static_cast<double>(range.last_ms + range.next_ms);  // one of them is 0
      return span > 0 ? std::min(1.0, asked / span) : kUsualShare;
    }
    case LabRange::Kind::kBetween:
      return kUsualShare;
    case LabRange::Kind::kPrefix:
      return 0.02;
  }
  return 1;
}

}  // namespace hashrange
