#include "lab/plan/read/plan_sentences.h"

#include <cstdio>

#include "lab/language/lab_facts.h"

namespace hashrange {
namespace {

std::string ConditionText(const LabFile& file, const LabCondition& condition) {
  static constexpr const char* kWords[] = {" is ",         " is not ",   " is below ",
                                           " is at most ", " is above ", " is at least ",
                                           " is one of "};
  std::string text = LabAttributeAt(file, condition.attribute).name +
                     kWords[static_cast<std::size_t>(condition.op)];
  return text + Enumeration(condition.values);
}

// "a, b, c"
std::string Listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// "0.5", "4", "12"
std::string UnitsText(double units) {
  char digits[32];
  std::snprintf(digits, sizeof digits, units < 10 ? "%.1f" : "%.0f", units);
  std::string text = digits;
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

// "0.5 read units", "1 read unit"
std::string ReadUnitsText(double units) {
  const std::string number = UnitsText(units);
  return number + (number == "1" ? " read unit" : " read units");
}

// Returns a number that is 1 or more: "1.8", "4", "12".
std::string CountText(double count) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", count);
  return text;
}

std::string ItemsText(double items) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f", items);
  return text + std::string(items < 1.5 ? " item" : " items");
}

// Returns the part of an item's key templates: "GSI1PK CUST#{customer_id}".
std::string KeyTextOf(const LabItem& item, const std::vector<std::string>& attributes) {
  std::string text;
  for (const std::string& attribute : attributes) {
    const LabItemKey* key = KeyOfItem(item, attribute);
    if (key == nullptr) continue;
    text += (text.empty() ? "" : " and ") + key->text.text;
  }
  return text;
}

// Returns a key's text for readers: known placeholders stand in braces.
std::string ReadableText(const LabFile& file, const KeyText& text) {
  RequestTemplate request;
  AppendKeyText(text, request.nodes);
  return ReadableRequest(file, request);
}

// "those whose status differs"
std::string LeftOutText(const ClientFilter& left) {
  if (left.kind == ClientFilter::Kind::kOtherItems) return "those that are other items";
  return "those " + (left.inside.empty() ? "" : "of " + left.inside + " ") + "whose " + left.name +
         (left.kind == ClientFilter::Kind::kDiffers ? " differs" : " is outside of the range");
}

// Collects the reasons of one candidate.
class ReasonWriter {
 public:
  ReasonWriter(const ReadQuestion& question, const ReadCandidate& candidate)
      : question_(question),
        candidate_(candidate),
        label_(KeyLabel(question.layout, candidate.interval.key)) {}

  std::vector<std::string> Write() {
    if (candidate_.is_scan) {
      SayScan();
    } else {
      SayHash();
      SayRange();
    }
    SayTogether();
    SayParts();
    SayOthers();
    SayFilters();
    SayFetch();
    SayOrder();
    return std::move(reasons_);
  }

 private:
  void Say(std::string sentence) { reasons_.push_back(std::move(sentence)); }

  const LabItem& Lead() const { return *candidate_.interval.items.front(); }
  std::string LeadName() const { return EntityAt(question_.file, Lead().entity).name; }

  void SayScan() {
    const bool is_index = candidate_.interval.key.index != kLabNone;
    const char* const why =
        candidate_.beats_keys ? "A key serves, but costs more than twice as much as a Scan: all of "
                              : "No key serves: all of ";
    Say(why + label_ + " is read" +
        (is_index ? ", which holds every " + LeadName() +
                        " that is asked for and is less to read than the table"
                  : ""));
  }

  void SayHash() {
    const std::string hash = KeyTextOf(Lead(), HashOf(question_.layout, candidate_.interval.key));
    if (candidate_.is_get) {
      const std::string range =
          KeyTextOf(Lead(), RangeOf(question_.layout, candidate_.interval.key));
      return Say(label_ + ": the caller knows the whole key " + hash +
                 (range.empty() ? "" : ", " + range));
    }
    if (candidate_.walk) return SayWalk(hash);
    if (candidate_.interval.buckets) return SayBuckets(hash);
    if (candidate_.interval.shards > 1) {
      return Say(label_ + ": the partition key " + hash +
                 " is known but for the shard, so there are " +
                 std::to_string(candidate_.interval.shards) +
                 " requests, whose answers the client merges");
    }
    Say(label_ + ": the caller knows the partition key " + hash);
  }

  void SayWalk(const std::string& hash) {
    const AskedInterval& interval = candidate_.interval;
    const PeriodWalk& walk = *candidate_.walk;
    const std::string name = BucketName(interval.buckets->form);
    const std::string shards =
        interval.shards > 1 ? ", all " + std::to_string(interval.shards) + " shards of it at once,"
                            : "";
    Say(label_ + ": the partition key " + hash + " is known but for the " + name +
        (interval.shards > 1 ? " and the shard" : "") + ", so the " +
        (walk.is_backward ? "newest " : "oldest ") + name + " is asked first" + shards +
        (question_.IsForEach() ? " for all instances," : "") + " and then the one " +
        (walk.is_backward ? "before" : "after") + ", until " + std::to_string(walk.items) +
        (walk.items == 1 ? " item was returned" : " items were returned") +
        (question_.IsForEach() ? " of all of them together" : ""));
    const std::string mean = CountText(walk.mean_periods);
    Say("A call asks " + mean + " " + name + (mean == "1" ? "" : "s") + " on average, and " +
        CountText(walk.p99_periods) + " at the 99th percentile");
    if (MostBuckets(*interval.buckets) > kMostTimeBuckets) {
      Say("The walk ends after " + std::to_string(kMostTimeBuckets) + " " + name +
          "s, so the answer may lack items");
    }
  }

  void SayBuckets(const std::string& hash) {
    const AskedInterval& interval = candidate_.interval;
    const std::string number = std::to_string(FanOutOf(interval));
    const std::string name = BucketName(interval.buckets->form);
    const bool has_shards = interval.shards > 1;
    Say(label_ + ": the partition key " + hash + " is known but for the " + name +
        (has_shards ? " and the shard, and the range says which " + name + "s there are"
                    : ", and the range says which there are") +
        ", so there is a request for each" +
        (has_shards ? " of the " + std::to_string(interval.shards) + " shards of each " + name
                    : "") +
        ", " + number + " at most, whose answers the client merges");
  }

  void SayRange() {
    if (candidate_.is_get) return;
    const AskedInterval& interval = candidate_.interval;
    for (std::size_t i = interval.hash_count; i < interval.terms.size(); ++i) {
      std::string sentence = "The sort key " + TermText(interval.terms[i]);
      // The range is the last of the terms.
      if (interval.has_range && i + 1 == interval.terms.size()) {
        const std::string caveat = CaveatOf(question_.pattern.range.attribute);
        if (!caveat.empty()) sentence += ", which finds all " + caveat;
      }
      if (interval.leaves_out_others && i + 1 == interval.terms.size()) {
        sentence += ", where every " + LeadName() + " is and no other item";
      }
      Say(std::move(sentence));
    }
  }

  std::string TermText(const AskedTerm& term) const {
    const std::string value = ReadableText(question_.file, term.value);
    switch (term.op) {
      case AskedTerm::Op::kEqual:
        return "is " + value;
      case AskedTerm::Op::kBeginsWith:
        return "begins with " + value;
      case AskedTerm::Op::kBetween:
        return "is between " + value + " and " + ReadableText(question_.file, term.end);
      case AskedTerm::Op::kAtLeast:
        return "is at least " + value;
      case AskedTerm::Op::kAtMost:
        return "is at most " + value;
    }
    return {};
  }

  void SayTogether() {
    if (candidate_.hosts.size() < 2) return;
    std::vector<std::string> names;
    for (const AskedHost& host : candidate_.hosts) {
      AddName(EntityAt(question_.file, host.entity).name, names);
    }
    const AskedInterval& interval = candidate_.interval;
    if (interval.beside == 0 || candidate_.items == 0) {
      return Say((names.size() == 1 ? "The items of " : "") + Enumeration(names) +
                 " have the same partition key, so one Query returns all");
    }
    const int host = HostOf(question_.layout, OrderedEntity(question_.file, question_.pattern));
    const std::string& sorted = EntityAt(question_.file, host).name;
    std::erase(names, sorted);
    const bool is_one = interval.beside == 1;
    Say("Read " + std::string(interval.is_backward ? "backward" : "forward") +
        (is_one ? ", the item of " : ", the items of ") + Enumeration(names) +
        (is_one ? " comes before all of " : " come before all of ") + sorted +
        ", so one Query returns " + (is_one ? "it" : "them") + " and the first " +
        std::to_string(question_.pattern.limit) + " of " + sorted);
  }

  void SayParts() {
    for (const AskedHost& host : candidate_.hosts) {
      for (const int part : host.parts) {
        const LabEmbedding& embedding = *EmbeddingOf(question_.layout, part);
        Say(EntityAt(question_.file, part).name + " is inside of " +
            EntityAt(question_.file, embedding.parent).name + ", in " + embedding.attribute);
      }
    }
  }

  void SayOthers() {
    if (candidate_.is_scan || candidate_.interval.others.empty()) return;
    std::vector<std::string> names;
    for (const LabItem* other : candidate_.interval.others) {
      const std::string range =
          KeyTextOf(*other, RangeOf(question_.layout, candidate_.interval.key));
      const std::string text =
          range.empty() ? KeyTextOf(*other, HashOf(question_.layout, candidate_.interval.key))
                        : range;
      names.push_back(EntityAt(question_.file, other->entity).name + " (" + text + ")");
    }
    Say("The same interval has items of " + Enumeration(names) + ", which are read, too");
  }

  void SayFilters() {
    const ReadRest& rest = candidate_.rest;
    std::vector<std::string> names;
    if (rest.filters_type) names.push_back("the entity's type");
    names.insert(names.end(), rest.filtered.begin(), rest.filtered.end());
    if (!names.empty()) {
      Say("A filter on " + Enumeration(names) +
          " drops other items only after they were read and charged");
    }
    for (const ClientFilter& left : rest.client_filters) {
      Say("The client leaves out " + LeftOutText(left) + ": no filter can");
    }
    SayFromKeys();
  }

  // Whole items that are fetched have their attributes by name.
  void SayFromKeys() {
    if (!candidate_.rest.lacking.empty()) return;
    std::vector<std::string> keys;
    for (const ReadFromKey& one : candidate_.rest.from_keys) AddName(one.key, keys);
    for (const std::string& key : keys) {
      std::vector<std::string> names;
      for (const ReadFromKey& one : candidate_.rest.from_keys) {
        if (one.key == key) AddName(one.name, names);
      }
      Say("The client reads " + Enumeration(names) + " out of " + key + ", which has " +
          (names.size() > 1 ? "their whole values" : "the whole value"));
    }
  }

  void SayFetch() {
    if (candidate_.rest.lacking.empty()) return;
    const std::string lacking = label_ + " does not hold " + Enumeration(candidate_.rest.lacking);
    const std::string& table = TableOf(question_.layout, candidate_.interval.key).name;
    const std::string first =
        candidate_.fetched_items > 0 ? std::to_string(candidate_.fetched_items) + " at most" : "";
    Say(candidate_.fetches ? lacking + ": the items" + (first.empty() ? "" : ", " + first + ",") +
                                 " are fetched from " + table + " by their keys"
                           : lacking + ": the service reads it from " + table + " for each item");
  }

  void SayOrder() {
    const LabPattern& pattern = question_.pattern;
    if (pattern.order.entity != kLabNone && !candidate_.is_get) SayOrderOf(pattern);
    if (candidate_.is_get || pattern.limit == 0) return;
    const std::string limit = std::to_string(pattern.limit);
    if (candidate_.has_limit && candidate_.walk) {
      return Say("The first requests have Limit " + limit + ", later ones what is still missing");
    }
    if (candidate_.has_limit) {
      return Say("The request has Limit " + std::to_string(candidate_.items));
    }
    if (candidate_.walk && candidate_.items == 0) {
      return Say("Each " + std::string(BucketName(candidate_.interval.buckets->form)) +
                 " that is asked is read to its end");
    }
    if (candidate_.items > 0) {
      return Say("Pages are read until " + std::to_string(candidate_.items) +
                 (candidate_.items == 1 ? " item" : " items") +
                 " passed the filter, so there is no Limit");
    }
    Say("Everything is read before the client takes " + limit);
  }

  // Returns the placeholder of the sort key that writes the attribute, a number, as text; null:
  // there is none.
  const LabTemplatePart* FormOfNumber(LabAttributeRef attribute) const {
    for (const std::string& name : RangeOf(question_.layout, candidate_.interval.key)) {
      const LabItemKey* const key = KeyOfItem(Lead(), name);
      if (key == nullptr) continue;
      for (const LabTemplatePart& part : key->text.parts) {
        const bool is_number = part.form == LabTemplatePart::Form::kPadded ||
                               part.form == LabTemplatePart::Form::kDescend;
        if (is_number && IsSameValue(question_.file, part.attribute, attribute)) return &part;
      }
    }
    return nullptr;
  }

  // Returns how long a sort key with the attribute sorts by it, where that may end; else empty.
  std::string CaveatOf(LabAttributeRef attribute) const {
    const LabTemplatePart* const part = FormOfNumber(attribute);
    if (part == nullptr || !BoundsOfNumber(question_.file, part->attribute).is_added_to) return {};
    return "while " + LabAttributeAt(question_.file, attribute).name + " is from 0 to " +
           std::string(static_cast<std::size_t>(part->width), '9');
  }

  void SayNoOrder(const std::string& order) {
    if (candidate_.is_scan) return Say("The client sorts by " + order);
    const LabTemplatePart* const part = FormOfNumber(question_.pattern.order);
    const char* const why =
        part == nullptr ? nullptr
                        : WhyFormDoesNotSort(BoundsOfNumber(question_.file, part->attribute),
                                             part->form, part->width);
    const bool is_of_several = candidate_.interval.items.size() > 1;
    Say((is_of_several ? "The sort keys of these entities do not all go on with "
                       : "The sort key does not go on with ") +
        order + " in a form that sorts, so the client sorts" +
        (why == nullptr ? std::string() : ": " + order + " " + why));
  }

  void SayOrderOf(const LabPattern& pattern) {
    const std::string& order = LabAttributeAt(question_.file, pattern.order).name;
    if (!candidate_.interval.has_order) return SayNoOrder(order);
    std::string sentence = "The sort key goes on with " + order + ", so items come in that order";
    if (candidate_.interval.buckets && (!candidate_.walk || candidate_.interval.shards > 1)) {
      sentence += " from each request";
    } else if (candidate_.interval.shards > 1) {
      sentence += " from each shard";
    }
    const std::string caveat = CaveatOf(pattern.order);
    Say(caveat.empty() ? sentence : sentence + ", " + caveat);
  }

  const ReadQuestion& question_;
  const ReadCandidate& candidate_;
  const std::string label_;
  std::vector<std::string> reasons_;
};

}  // namespace

std::string KeyLabel(const LabLayout& layout, LabKey key) {
  const LabTable& table = TableOf(layout, key);
  const LabIndex* index = IndexOf(layout, key);
  if (index == nullptr) return table.name;
  return layout.tables.size() == 1 ? index->name : table.name + " / " + index->name;
}

std::string Enumeration(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

namespace {

std::string PartitionKeyText(const ReadObstacle& obstacle) {
  std::string text;
  for (const LabTemplate* const one : obstacle.hash) {
    text += (text.empty() ? "" : " and ") + one->text;
  }
  return "its partition key " + text;
}

// The sentences about a key that has a part of a time, one of which is called `name`.
std::string PeriodSentence(const ReadObstacle& obstacle, const std::string& name) {
  const std::string walk =
      "one " + name + " after another is asked only where each item counts, and ";
  switch (obstacle.kind) {
    case ReadObstacle::Kind::kTooManyPeriods:
      return PartitionKeyText(obstacle) + " would take " + std::to_string(obstacle.periods) +
             " requests, one for each " + name + ", which is too many";
    case ReadObstacle::Kind::kWalkOfSeveral:
      return walk + "items of several entities are asked for";
    case ReadObstacle::Kind::kWalkOfParts:
      return walk + "what is asked for is inside of the items";
    case ReadObstacle::Kind::kWalkOfLeftOut:
      return walk + "the client leaves out " + LeftOutText(obstacle.left_out);
    default:
      break;
  }
  char share[32];
  const double percent = 100 * obstacle.share;
  std::snprintf(share, sizeof share, percent < 10 ? "%.1f %%" : "%.0f %%", percent);
  return PartitionKeyText(obstacle) + " would be asked for one " + name +
         " after another, and after " + std::to_string(kMostTimeBuckets) + " " + name +
         "s, where that ends, " + share + " of the calls would lack items";
}

std::string NeedsSentence(const LabFile& file, const ReadObstacle& obstacle) {
  const std::string needs =
      PartitionKeyText(obstacle) + " needs " + LabAttributeAt(file, obstacle.attribute).name;
  if (obstacle.kind == ReadObstacle::Kind::kNeedsTwoEnds) {
    return needs + ", and the range has no two ends that are known";
  }
  const std::string unknown = needs + ", which the caller does not know";
  return obstacle.kind == ReadObstacle::Kind::kNeeds
             ? unknown
             : unknown + "; with a `limit`, one " + BucketName(obstacle.period) +
                   " after another would be asked";
}

std::string HoldsOnlySentence(const LabFile& file, const std::vector<LabCondition>& conditions) {
  std::vector<std::string> texts;
  for (const LabCondition& condition : conditions) texts.push_back(ConditionText(file, condition));
  return "it holds only items whose " + Enumeration(texts);
}

// "shop: a Scan would take about 10 read units, GSI1 takes about 15, but the Scan …"
std::string CheaperScanSentence(const LabLayout& layout, const ReadCandidate& scan,
                                const ReadCandidate& taken) {
  return KeyLabel(layout, scan.interval.key) + ": a Scan of it would take about " +
         ReadUnitsText(scan.cost.ReadUnits()) + ", " + KeyLabel(layout, taken.interval.key) +
         " about " + UnitsText(taken.cost.ReadUnits()) +
         ", but a Scan takes more with everything that is added";
}

}  // namespace

std::string ObstacleSentence(const LabFile& file, const ReadObstacle& obstacle) {
  using Kind = ReadObstacle::Kind;
  const auto name = [&](int entity) { return EntityAt(file, entity).name; };
  switch (obstacle.kind) {
    case Kind::kHoldsNone:
      return "it holds no items of " + name(obstacle.entity);
    case Kind::kHoldsOnlyWhere:
      return HoldsOnlySentence(file, obstacle.conditions);
    case Kind::kHoldsOnlyWith:
      return "it holds only items that have " + LabAttributeAt(file, obstacle.attribute).name;
    case Kind::kHoldsApart:
      return "it does not hold " + name(obstacle.entity) + " under the partition key of " +
             name(obstacle.other);
    case Kind::kNotConsistent:
      return "a global index has no consistent reads";
    case Kind::kStoredWhere:
      return "the layout stores " + name(obstacle.entity) +
             " only where a condition holds that the pattern does not have";
    case Kind::kNotStored:
      return "the layout does not store " + name(obstacle.entity);
    case Kind::kNeeds:
    case Kind::kNeedsTwoEnds:
    case Kind::kNeedsLimit:
      return NeedsSentence(file, obstacle);
    case Kind::kTooManyPeriods:
    case Kind::kWalkOfSeveral:
    case Kind::kWalkOfParts:
    case Kind::kWalkOfLeftOut:
    case Kind::kWalkTooShort:
      return PeriodSentence(obstacle, BucketName(obstacle.period));
    case Kind::kBatchOfShards:
      return "each instance of a batch would be asked of each shard";
    case Kind::kHoldOnly:
      return "its items of " + name(obstacle.entity) + " hold only " + Listed(obstacle.names);
    case Kind::kHoldNot:
      return "its items of " + name(obstacle.entity) + " do not hold " +
             Enumeration(obstacle.names);
    case Kind::kHoldNoFilter:
      return name(obstacle.entity) + "'s items do not hold " + obstacle.names.front() +
             ", so nothing can be filtered by it";
    case Kind::kOthersNotStored:
      return "the layout does not store " + name(obstacle.other) + ", and has no copy of " +
             Enumeration(obstacle.names);
    case Kind::kOthersOfParts:
      return name(obstacle.entity) + " is inside of other items, and has no copy of " +
             Enumeration(obstacle.names);
    case Kind::kOthersNoKey:
      return "no item of " + name(obstacle.entity) + " has a copy of " +
             Enumeration(obstacle.names) + ", and what it has is not the key of the item of " +
             name(obstacle.other);
    case Kind::kNothingToFollow:
      return "the caller knows nothing to which each " + name(obstacle.entity) +
             " belongs or refers";
  }
  return {};
}

std::vector<std::string> RejectedSentences(const ReadQuestion& question, const ReadChoice& choice) {
  std::vector<std::string> sentences;
  for (const RejectedKey& one : choice.rejected) {
    sentences.push_back(KeyLabel(question.layout, one.key) + ": " +
                        ObstacleSentence(question.file, one.why));
  }
  if (choice.cheaper_scan) {
    sentences.push_back(CheaperScanSentence(question.layout, *choice.cheaper_scan, *choice.taken));
  }
  return sentences;
}

std::vector<std::string> ReasonsOf(const ReadQuestion& question, const ReadCandidate& candidate) {
  return ReasonWriter(question, candidate).Write();
}

std::string WaySentence(const ReadQuestion& question, const ReturnedWay& way) {
  using Kind = ReturnedWay::Kind;
  const std::string names = Enumeration(way.names);
  const std::string are = way.names.size() > 1 ? " are" : " is";
  const std::string& asked = EntityAt(question.file, way.asked).name;
  const std::string& other = EntityAt(question.file, way.other).name;
  switch (way.kind) {
    case Kind::kItself:
      return asked + " has " + names + " itself";
    case Kind::kCopy:
      return asked + " has a copy of " + names + ", in " +
             LabAttributeAt(question.file, way.copy).name;
    case Kind::kSameItem:
      return names + " is in the same item, inside of which " + asked + " is";
    case Kind::kKnown:
      return names + are + " read from the item of " + other + ", which the caller knows";
    case Kind::kFetched:
      return names + are + " fetched from " + TableOf(question.layout, way.table).name +
             ", once for each " + other + " to which the answer refers";
  }
  return {};
}

std::string ApartSentence(const std::string& names, double units_together) {
  return names + " are asked for by themselves: one Query of all of them would take about " +
         ReadUnitsText(units_together);
}

std::string DearerSentence(const LabLayout& layout, const ReadCandidate& dearer,
                           const ReadCandidate& taken) {
  const std::string label = KeyLabel(layout, dearer.interval.key) + ": ";
  const std::string what = dearer.fetches ? ", for it lacks " + Enumeration(dearer.rest.lacking)
                           : dearer.sorts_at_client && !taken.sorts_at_client
                               ? ", for it has another order"
                               : "";
  const std::string taken_label =
      (taken.is_scan ? "a Scan of " : "") + KeyLabel(layout, taken.interval.key);
  if (UnitsText(dearer.cost.ReadUnits()) != UnitsText(taken.cost.ReadUnits())) {
    return label + "it would take about " + ReadUnitsText(dearer.cost.ReadUnits()) + ", " +
           taken_label + " about " + UnitsText(taken.cost.ReadUnits()) + what;
  }
  if (ItemsText(dearer.cost.items) != ItemsText(taken.cost.items)) {
    return label + "it would take about as many read units, but read about " +
           ItemsText(dearer.cost.items) + ", " + taken_label + " about " +
           ItemsText(taken.cost.items) + what;
  }
  return label + "it would serve as well as " + taken_label + what;
}

}  // namespace hashrange
