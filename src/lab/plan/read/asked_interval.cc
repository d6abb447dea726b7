#include "lab/plan/read/asked_interval.h"

#include <algorithm>
#include <string_view>

#include "base/text/time_text.h"
#include "lab/language/lab_facts.h"
#include "lab/plan/read/equal_keys.h"

namespace hashrange {
namespace {

using Form = LabTemplatePart::Form;
using Kind = KeyPiece::Kind;
using ObstacleKind = ReadObstacle::Kind;

// --- Coverage ---

LabType KeyType(const LabTable& table, const std::string& attribute) {
  const auto at = table.key_types.find(attribute);
  return at == table.key_types.end() ? LabType::kString : at->second;
}

// Returns the piece that stands for the number of the shard, where the placeholder is one whose
// attribute is unknown.
std::optional<KeyPiece> ShardPiece(const KeyPiece& piece) {
  if (piece.kind != Kind::kUnknown || piece.slot.part.shards == 0) return std::nullopt;
  return KeyPiece{.kind = Kind::kSlot,
                  .slot = {.source = RequestSlot::Source::kShard, .part = piece.slot.part}};
}

// Returns how far ahead of the call a time may be that the generator makes; nothing: any time.
std::optional<std::int64_t> AheadMs(const LabFile& file, const LabGenerator& generator) {
  switch (generator.kind) {
    case LabGenerator::Kind::kTime:
      if (generator.other.entity != kLabNone) return std::nullopt;
      return std::max<std::int64_t>(0, generator.latest_ms);
    case LabGenerator::Kind::kRef:
    case LabGenerator::Kind::kOfRef:
    case LabGenerator::Kind::kOfAncestor:
      // A copy is as old as what it is a copy of.
      return AheadMs(file, LabAttributeAt(file, generator.other).generator);
    default:
      return std::nullopt;
  }
}

// Returns the same for all that the attribute is ever set to.
std::optional<std::int64_t> AheadMs(const LabFile& file, LabAttributeRef attribute) {
  std::optional<std::int64_t> ahead = AheadMs(file, LabAttributeAt(file, attribute).generator);
  for (const LabPattern& pattern : file.patterns) {
    for (const LabWrite& write : pattern.writes) {
      for (const LabChange& change : write.changes) {
        const bool sets = write.entity == attribute.entity &&
                          change.attribute == attribute.attribute &&
                          change.kind == LabChange::Kind::kSet;
        if (!sets) continue;
        const std::optional<std::int64_t> other = AheadMs(file, change.generator);
        if (!ahead || !other) return std::nullopt;
        ahead = std::max(*ahead, *other);
      }
    }
  }
  return ahead;
}

// Returns the buckets of a placeholder whose attribute the caller knows a range of; nothing where
// the range has no end that is known, or the placeholder is no part of a time.
std::optional<TimeBuckets> BucketsOf(const ReadQuestion& question, const LabTemplatePart& part) {
  const LabRange& range = question.pattern.range;
  const bool is_asked = range.kind != LabRange::Kind::kNone && part.shards == 0 &&
                        IsTimeForm(part.form) &&
                        IsSameValue(question.file, range.attribute, part.attribute);
  if (!is_asked) return std::nullopt;
  TimeBuckets buckets = {.form = part.form};
  switch (range.kind) {
    case LabRange::Kind::kLast: {
      const std::optional<std::int64_t> ahead = AheadMs(question.file, part.attribute);
      if (!ahead) return std::nullopt;
      buckets.from_ms = -range.last_ms;
      buckets.to_ms = *ahead;
      return buckets;
    }
    case LabRange::Kind::kNext:
      buckets.to_ms = range.next_ms;
      return buckets;
    case LabRange::Kind::kBetween: {
      const auto from = ParseInstant(range.from.value_or(""));
      const auto to = ParseInstant(range.to.value_or(""));
      if (!from || !to || *from > *to) return std::nullopt;
      buckets = {part.form, false, *from, *to};
      return buckets;
    }
    case LabRange::Kind::kNone:
    case LabRange::Kind::kPrefix:
      break;
  }
  return std::nullopt;
}

// Returns whether values of the attribute are sorted as those of `other`: it is that attribute, or
// an ULID that has its time.
bool SortsBy(const LabFile& file, LabAttributeRef attribute, LabAttributeRef other) {
  return IsSameValue(file, attribute, other) || TimeOfUlid(file, attribute) == other;
}

// Returns the periods of a placeholder that may have data, from the oldest that a call may meet to
// the newest, where the caller asks for the first items by that time and knows no range of it.
std::optional<TimeBuckets> WalkedBuckets(const ReadQuestion& question,
                                         const LabTemplatePart& part) {
  const LabPattern& pattern = question.pattern;
  const bool has_range = pattern.range.kind != LabRange::Kind::kNone &&
                         IsSameValue(question.file, pattern.range.attribute, part.attribute);
  const bool is_asked =
      pattern.kind == LabPattern::Kind::kQuery && part.shards == 0 && IsTimeForm(part.form) &&
      !has_range &&
      (pattern.order.entity == kLabNone ? pattern.limit > 0
                                        : SortsBy(question.file, pattern.order, part.attribute));
  if (!is_asked) return std::nullopt;
  const std::optional<std::int64_t> ahead_ms = AheadMs(question.file, part.attribute);
  if (!ahead_ms) return std::nullopt;
  const LabAttributeRef root = RootOf(question.file, part.attribute);
  const LabGenerator& generator = LabAttributeAt(question.file, root).generator;
  // The oldest is that of the data with which the traffic begins; the last call comes at its end.
  return TimeBuckets{.form = part.form,
                     .from_ms = generator.earliest_ms - TrafficMs(question.file),
                     .to_ms = *ahead_ms,
                     .oldest_epoch_ms = question.file.start_epoch_ms + generator.earliest_ms};
}

// Makes a slot for the numbered period where the placeholder is a part of a time and the caller
// knows a range of that time. Returns why no slot can be made; nothing also where the placeholder
// is something else.
std::optional<ReadObstacle> CoverBuckets(const ReadQuestion& question, const LabItemKey& key,
                                         KeyPiece& piece, KeyCoverage& coverage) {
  if (piece.kind != Kind::kUnknown) return {};
  std::optional<TimeBuckets> buckets = BucketsOf(question, piece.slot.part);
  const bool is_walk = !buckets;
  if (is_walk) buckets = WalkedBuckets(question, piece.slot.part);
  if (!buckets || coverage.buckets) return {};
  const std::size_t most = MostBuckets(*buckets);
  if (!is_walk && most > kMostTimeBuckets) {
    return ReadObstacle{.kind = ObstacleKind::kTooManyPeriods,
                        .hash = {&key.text},
                        .period = buckets->form,
                        .periods = most};
  }
  coverage.buckets = buckets;
  coverage.is_walk = is_walk;
  piece.kind = Kind::kSlot;
  piece.slot.source = RequestSlot::Source::kBucket;
  piece.slot.role = question.role;
  piece.slot.buckets = *buckets;
  return {};
}

// Returns whether the caller knows a range of the time that the placeholder is a part of, but not
// which periods that touches.
bool IsRangeWithoutEnd(const ReadQuestion& question, const LabTemplatePart& part) {
  const LabRange& range = question.pattern.range;
  return range.kind != LabRange::Kind::kNone && IsTimeForm(part.form) &&
         IsSameValue(question.file, range.attribute, part.attribute) && !BucketsOf(question, part);
}

// Puts one attribute of the partition key into the coverage. Returns why the key does not serve.
std::optional<ReadObstacle> CoverHash(const ReadQuestion& question, const LabItemKey& key,
                                      KeyCoverage& coverage) {
  KeyText text = ResolveTemplate(question, key.text);
  for (KeyPiece& piece : text) {
    std::optional<KeyPiece> shard = ShardPiece(piece);
    std::optional<ReadObstacle> obstacle = CoverBuckets(question, key, piece, coverage);
    if (obstacle) return obstacle;
    if (shard && coverage.shards == 1) {
      coverage.shards = piece.slot.part.shards;
      piece = std::move(*shard);
    } else if (piece.kind == Kind::kUnknown) {
      const bool has_range = IsRangeWithoutEnd(question, piece.slot.part);
      return ReadObstacle{.kind = has_range ? ObstacleKind::kNeedsTwoEnds : ObstacleKind::kNeeds,
                          .attribute = piece.slot.part.attribute,
                          .hash = {&key.text}};
    }
  }
  const auto walked = std::ranges::find_if(text, [](const KeyPiece& piece) {
    return piece.slot.source == RequestSlot::Source::kBucket;
  });
  if (walked != text.end() && coverage.is_walk && question.pattern.limit == 0) {
    return ReadObstacle{.kind = ObstacleKind::kNeedsLimit,
                        .attribute = walked->slot.part.attribute,
                        .hash = {&key.text},
                        .period = walked->slot.part.form};
  }
  const LabTable& table = TableOf(question.layout, coverage.key);
  coverage.equal.push_back({.attribute = key.attribute,
                            .type = KeyType(table, key.attribute),
                            .value = std::move(text)});
  return {};
}

OpenSortKey OpenFrom(const LabTable& table, const LabItemKey& key, const KeyText& text) {
  OpenSortKey open = {
      .attribute = key.attribute, .type = KeyType(table, key.attribute), .text = &key.text};
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i].kind == Kind::kUnknown) {
      open.next = text[i].slot.part;
      open.is_last = i + 1 == text.size();
      if (!open.is_last && text[i + 1].kind == Kind::kLiteral) {
        open.behind = text[i + 1].text;
      }
      break;
    }
    open.prefix.push_back(text[i]);
  }
  return open;
}

void CoverRange(const ReadQuestion& question, KeyCoverage& coverage) {
  const LabTable& table = TableOf(question.layout, coverage.key);
  for (const std::string& attribute : RangeOf(question.layout, coverage.key)) {
    const LabItemKey& key = *KeyOfItem(*coverage.item, attribute);
    KeyText text = ResolveTemplate(question, key.text);
    if (!IsKnown(text)) {
      coverage.open = OpenFrom(table, key, text);
      return;
    }
    coverage.equal.push_back(
        {.attribute = attribute, .type = KeyType(table, attribute), .value = std::move(text)});
  }
}

// Returns why one attribute of the key is not there for all of the instances that the caller may
// ask for; nothing: it is.
std::optional<ReadObstacle> GapOfAttribute(const ReadQuestion& question, const LabItemKey& key) {
  if (!AreImplied(question, key.when)) {
    return ReadObstacle{.kind = ObstacleKind::kHoldsOnlyWhere, .conditions = key.when};
  }
  for (const LabTemplatePart& part : key.text.parts) {
    if (part.attribute.entity == kLabNone || KnownValue(question, part)) continue;
    // Of instances without the attribute, none is in a range of its values.
    if (part.attribute == question.pattern.range.attribute) continue;
    if (CanBeAbsent(question.file, part.attribute)) {
      return ReadObstacle{.kind = ObstacleKind::kHoldsOnlyWith, .attribute = part.attribute};
    }
  }
  return {};
}

bool IsNumber(const LabFile& file, LabAttributeRef ref) {
  return LabAttributeAt(file, ref).type == LabType::kNumber;
}

// Returns how numbers sort that are written with zeros in front, or from the greatest to the least.
SortableForm FormOfNumber(const LabFile& file, const OpenSortKey& open) {
  const LabTemplatePart& part = open.next;
  const LabNumberBounds bounds = BoundsOfNumber(file, part.attribute);
  if (WhyFormDoesNotSort(bounds, part.form, part.width) != nullptr) return SortableForm::kNot;
  // 12 comes before 12.5 only where what is behind it comes before the point.
  const bool may_follow = open.is_last || (!open.behind.empty() && open.behind.front() < '.');
  if (bounds.has_decimals && !may_follow) return SortableForm::kNot;
  return part.form == Form::kPadded ? SortableForm::kForward : SortableForm::kBackward;
}

}  // namespace

std::optional<ReadObstacle> GapOfKey(const ReadQuestion& question, const LabItem& item,
                                     LabKey key) {
  std::vector<std::string> attributes = HashOf(question.layout, key);
  const std::vector<std::string>& range = RangeOf(question.layout, key);
  attributes.insert(attributes.end(), range.begin(), range.end());
  for (const std::string& attribute : attributes) {
    if (KeyOfItem(item, attribute) == nullptr) {
      return ReadObstacle{.kind = ObstacleKind::kHoldsNone, .entity = item.entity};
    }
  }
  if (!AreImplied(question, item.when)) {
    return ReadObstacle{.kind = ObstacleKind::kHoldsOnlyWhere, .conditions = item.when};
  }
  for (const std::string& attribute : attributes) {
    std::optional<ReadObstacle> gap = GapOfAttribute(question, *KeyOfItem(item, attribute));
    if (gap) return gap;
  }
  return std::nullopt;
}

KeyCoverage CoverKey(const ReadQuestion& question, const LabItem& item, LabKey key) {
  KeyCoverage coverage = {.item = &item, .key = key};
  coverage.obstacle = GapOfKey(question, item, key);
  if (coverage.obstacle) return coverage;
  for (const std::string& attribute : HashOf(question.layout, key)) {
    coverage.obstacle = CoverHash(question, *KeyOfItem(item, attribute), coverage);
    if (coverage.obstacle) return coverage;
  }
  coverage.hash_count = coverage.equal.size();
  const LabIndex* index = IndexOf(question.layout, key);
  if (question.pattern.is_consistent && index != nullptr && !index->is_local) {
    coverage.obstacle = ReadObstacle{.kind = ObstacleKind::kNotConsistent};
    return coverage;
  }
  CoverRange(question, coverage);
  return coverage;
}

SortableForm FormOfOrder(const LabFile& file, const OpenSortKey& open) {
  const LabTemplatePart& part = open.next;
  if (part.shards > 0) return SortableForm::kNot;
  switch (part.form) {
    case Form::kPadded:
    case Form::kDescend:
      return FormOfNumber(file, open);
    case Form::kYear:
    case Form::kMonth:
    case Form::kDay:
    case Form::kHour:
    case Form::kMinute:
    case Form::kPrefix:
      return SortableForm::kCoarse;
    case Form::kLower:
    case Form::kUpper:
      return SortableForm::kNot;
    case Form::kAsIs:
    case Form::kUlidTime:
      break;
  }
  // Numbers in text sort as numbers only where all have as many digits, as times have.
  const bool is_time =
      LabAttributeAt(file, part.attribute).generator.kind == LabGenerator::Kind::kTime;
  const bool is_text_of_number = IsNumber(file, part.attribute) && open.type == LabType::kString;
  return is_text_of_number && !is_time ? SortableForm::kNot : SortableForm::kForward;
}

namespace {

// --- Interval ---

// Stands behind all characters that keys have.
constexpr std::string_view kAfterAll = "~";

bool IsSameSlot(const KeyPiece& one, const KeyPiece& other) {
  const LabTemplatePart& a = one.slot.part;
  const LabTemplatePart& b = other.slot.part;
  return one.kind == other.kind && one.slot.source == other.slot.source &&
         a.attribute == b.attribute && a.form == b.form && a.width == b.width &&
         a.shards == b.shards;
}

// Shards of one unknown attribute of each entity are the same fan-out when their number is the
// same.
bool IsSameShard(const KeyPiece& one, const KeyPiece& other) {
  return one.kind == Kind::kSlot && other.kind == Kind::kSlot &&
         one.slot.source == RequestSlot::Source::kShard && other.slot.source == one.slot.source &&
         one.slot.part.shards == other.slot.part.shards;
}

bool IsSamePiece(const KeyPiece& one, const KeyPiece& other) {
  if (one.kind == Kind::kLiteral) return other.kind == Kind::kLiteral && one.text == other.text;
  return one.kind != Kind::kUnknown && (IsSameSlot(one, other) || IsSameShard(one, other));
}

bool IsSameText(const KeyText& one, const KeyText& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(), IsSamePiece);
}

KeyText CommonPrefix(const KeyText& one, const KeyText& other) {
  KeyText common;
  for (std::size_t i = 0; i < one.size() && i < other.size(); ++i) {
    if (IsSamePiece(one[i], other[i])) {
      common.push_back(one[i]);
      continue;
    }
    if (one[i].kind == Kind::kLiteral && other[i].kind == Kind::kLiteral) {
      const auto end = std::mismatch(one[i].text.begin(), one[i].text.end(), other[i].text.begin(),
                                     other[i].text.end());
      AppendLiteral(std::string_view(one[i].text.begin(), end.first), common);
    }
    break;
  }
  return common;
}

KeyText WithPiece(KeyText text, KeyPiece piece) {
  AppendPiece(std::move(piece), text);
  return text;
}

KeyText WithLiteral(KeyText text, std::string_view literal) {
  AppendLiteral(literal, text);
  return text;
}

// Returns whether the form writes the number as all others: a whole number of 0 or more, with no
// more digits than the form has.
bool FitsForm(const LabTemplatePart& part, const std::string& value) {
  return !IsFormOfNumber(part) || (value.size() <= static_cast<std::size_t>(part.width) &&
                                   value.find_first_not_of("0123456789") == std::string::npos);
}

// Returns a bound of the range that the file says, in the form of the key's placeholder; nothing
// where the form cannot say it, so that a filter has to.
std::optional<KeyText> BoundOf(const OpenSortKey& open, const std::optional<std::string>& value) {
  if (!value || !FitsForm(open.next, *value)) return std::nullopt;
  KeyPiece bound;
  AppendFormed(open.next, *value, bound.text);
  return WithPiece(open.prefix, std::move(bound));
}

AskedTerm TermOf(const OpenSortKey& open, AskedTerm::Op op, KeyText value, KeyText end = {}) {
  return {.attribute = open.attribute,
          .type = open.type,
          .op = op,
          .value = std::move(value),
          .end = std::move(end)};
}

// Returns the condition of values from `from` on, and of those to `to`; either may be empty.
std::optional<AskedTerm> BoundedTerm(const OpenSortKey& open, std::optional<KeyText> from,
                                     std::optional<KeyText> to) {
  // What follows the placeholder is behind the bound.
  if (to && !open.is_last) to = WithLiteral(std::move(*to), kAfterAll);
  if (from && to) return TermOf(open, AskedTerm::Op::kBetween, std::move(*from), std::move(*to));
  if (!open.prefix.empty()) {
    if (!from) from = open.prefix;
    if (!to) to = WithLiteral(open.prefix, kAfterAll);
    return TermOf(open, AskedTerm::Op::kBetween, std::move(*from), std::move(*to));
  }
  if (from) return TermOf(open, AskedTerm::Op::kAtLeast, std::move(*from));
  if (to) return TermOf(open, AskedTerm::Op::kAtMost, std::move(*to));
  return std::nullopt;
}

std::optional<AskedTerm> PrefixRangeTerm(const ReadQuestion& question, const OpenSortKey& open) {
  if (open.next.form != Form::kAsIs || open.type != LabType::kString) {
    return std::nullopt;
  }
  KeyPiece start = {.kind = Kind::kSlot,
                    .slot = {.source = RequestSlot::Source::kStart,
                             .role = question.role,
                             .part = {.attribute = question.pattern.range.attribute,
                                      .width = question.pattern.range.prefix}}};
  return TermOf(open, AskedTerm::Op::kBeginsWith, WithPiece(open.prefix, std::move(start)));
}

// Returns the time of the call and so much, in the form of the key's placeholder.
KeyText TimeBoundOf(const ReadQuestion& question, const OpenSortKey& open, std::int64_t offset_ms) {
  return WithPiece(open.prefix, {.kind = Kind::kSlot,
                                 .slot = {.source = RequestSlot::Source::kNow,
                                          .role = question.role,
                                          .part = open.next,
                                          .offset_ms = offset_ms}});
}

// Returns what a range of a time is asked by, where the sort key goes on with an ULID of that time:
// the time with which the ULID begins.
OpenSortKey AskedByTime(const ReadQuestion& question, OpenSortKey open) {
  const LabAttributeRef time = question.pattern.range.attribute;
  const bool is_ulid = open.next.form == Form::kAsIs && open.next.shards == 0 &&
                       open.type == LabType::kString && time.entity != kLabNone &&
                       TimeOfUlid(question.file, open.next.attribute) == time;
  // The ULIDs of a second begin in a thousand ways.
  if (!is_ulid ||
      LabAttributeAt(question.file, time).generator.time_form == LabGenerator::TimeForm::kSeconds) {
    return open;
  }
  open.next.attribute = time;
  open.next.form = Form::kUlidTime;
  open.is_last = false;
  return open;
}

// Returns the pattern's range as a condition of the sort key; nothing where it cannot be one.
std::optional<AskedTerm> RangeTerm(const ReadQuestion& question, const OpenSortKey& sort_key) {
  const OpenSortKey open = AskedByTime(question, sort_key);
  const LabRange& range = question.pattern.range;
  if (range.kind == LabRange::Kind::kNone ||
      !IsSameValue(question.file, range.attribute, open.next.attribute)) {
    return std::nullopt;
  }
  if (range.kind == LabRange::Kind::kPrefix) return PrefixRangeTerm(question, open);
  const SortableForm form = FormOfOrder(question.file, open);
  if (form == SortableForm::kNot || open.next.form == Form::kPrefix) {
    return std::nullopt;
  }
  std::optional<KeyText> from;
  std::optional<KeyText> to;
  if (range.kind == LabRange::Kind::kLast) {
    from = TimeBoundOf(question, open, -range.last_ms);
  } else if (range.kind == LabRange::Kind::kNext) {
    from = TimeBoundOf(question, open, 0);
    to = TimeBoundOf(question, open, range.next_ms);
  } else {
    from = BoundOf(open, range.from);
    to = BoundOf(open, range.to);
  }
  if (form == SortableForm::kBackward) std::swap(from, to);
  return BoundedTerm(open, std::move(from), std::move(to));
}

// Returns whether the condition of the sort key leaves nothing of the range to filter.
bool IsExactRange(const ReadQuestion& question, const OpenSortKey& open) {
  if (FormOfOrder(question.file, open) == SortableForm::kCoarse) return false;
  if (!IsFormOfNumber(open.next)) return true;
  const LabRange& range = question.pattern.range;
  const bool fits =
      FitsForm(open.next, range.from.value_or("0")) && FitsForm(open.next, range.to.value_or("0"));
  // With something behind them, 12 and 12.5 are both before "012~". What is added to may have grown
  // to 1000, which is between "100" and "101".
  const LabNumberBounds bounds = BoundsOfNumber(question.file, open.next.attribute);
  return fits && !bounds.is_added_to && (open.is_last || !bounds.has_decimals);
}

// Puts the condition of the sort key from the attribute on that is not known into the interval.
void AddOpenTerm(const ReadQuestion& question, const OpenSortKey& open, AskedInterval& interval) {
  std::optional<AskedTerm> range = RangeTerm(question, open);
  if (range) {
    interval.has_range = true;
    interval.has_exact_range = IsExactRange(question, open);
    interval.terms.push_back(std::move(*range));
  } else if (!open.prefix.empty() && open.type == LabType::kString) {
    interval.terms.push_back(TermOf(open, AskedTerm::Op::kBeginsWith, open.prefix));
  }
}

// Returns whether the time of which the key has a part is behind it as a whole, so that the key
// sorts by it: {at:day}#{at}.
bool GoesOnFinely(const ReadQuestion& question, const OpenSortKey& open) {
  const std::vector<LabTemplatePart>& parts = open.text->parts;
  const auto is_next = [&](const LabTemplatePart& part) {
    return part.attribute == open.next.attribute && part.form == open.next.form;
  };
  auto part = std::ranges::find_if(parts, is_next);
  while (part != parts.end() && part->attribute == open.next.attribute && part->shards == 0 &&
         IsTimeForm(part->form)) {
    ++part;
  }
  return part != parts.end() && part->attribute.entity != kLabNone && part->shards == 0 &&
         part->form == Form::kAsIs && SortsBy(question.file, part->attribute, open.next.attribute);
}

void DecideOrder(const ReadQuestion& question, const std::optional<OpenSortKey>& open,
                 AskedInterval& interval) {
  if (question.pattern.order.entity == kLabNone) {
    interval.has_order = true;
    return;
  }
  if (!open || !SortsBy(question.file, open->next.attribute, question.pattern.order)) return;
  SortableForm form = FormOfOrder(question.file, *open);
  if (form == SortableForm::kCoarse && GoesOnFinely(question, *open)) form = SortableForm::kForward;
  interval.has_order = form == SortableForm::kForward || form == SortableForm::kBackward;
  if (interval.has_order) interval.order_attribute = open->attribute;
  interval.is_backward =
      interval.has_order && question.pattern.is_descending != (form == SortableForm::kBackward);
}

// Returns the text of one attribute of the key, as far as the caller knows it; null: it stands
// behind what is known.
const KeyText* KnownText(const KeyCoverage& coverage, const std::string& attribute) {
  for (const AskedTerm& term : coverage.equal) {
    if (term.attribute == attribute) return &term.value;
  }
  return coverage.open && coverage.open->attribute == attribute ? &coverage.open->prefix : nullptr;
}

bool IsEqualTerm(const KeyCoverage& coverage, const std::string& attribute) {
  return !coverage.open || coverage.open->attribute != attribute;
}

// Puts what is common to the sort keys of several entities into the interval.
void AddCommonTerms(const ReadQuestion& question, const std::vector<KeyCoverage>& coverages,
                    AskedInterval& interval) {
  const KeyCoverage& first = coverages.front();
  for (const std::string& attribute : RangeOf(question.layout, first.key)) {
    const KeyText* start = KnownText(first, attribute);
    if (start == nullptr) return;
    KeyText common = *start;
    bool is_equal = IsEqualTerm(first, attribute);
    for (const KeyCoverage& other : coverages) {
      const KeyText* text = KnownText(other, attribute);
      if (text == nullptr) return;
      is_equal = is_equal && IsEqualTerm(other, attribute) && IsSameText(*text, *start);
      common = CommonPrefix(common, *text);
    }
    const auto type = TableOf(question.layout, first.key).key_types.find(attribute);
    const bool is_text = type == TableOf(question.layout, first.key).key_types.end() ||
                         type->second == LabType::kString;
    if (!common.empty() && (is_equal || is_text)) {
      interval.terms.push_back({.attribute = attribute,
                                .type = is_text ? LabType::kString : LabType::kNumber,
                                .op = is_equal ? AskedTerm::Op::kEqual : AskedTerm::Op::kBeginsWith,
                                .value = std::move(common)});
    }
    if (!is_equal) return;
  }
}

// Returns whether the one text sorts before the other. What both begin with is the same.
bool IsBefore(const LabFile& file, KeyText one, KeyText other) {
  while (!one.empty() && !other.empty() && IsSamePiece(one.front(), other.front())) {
    one.erase(one.begin());
    other.erase(other.begin());
  }
  return IsAlwaysBefore(file, one, other);
}

// Returns the text that is read first of one item of each entity but `sorted`; nothing where they
// do not all stand before the sorted items in the direction of reading.
std::optional<KeyText> FirstBeside(const ReadQuestion& question,
                                   const std::vector<KeyCoverage>& coverages,
                                   const KeyCoverage& sorted, bool is_backward) {
  const LabFile& file = question.file;
  const auto is_first = [&](const KeyText& one, const KeyText& other) {
    return is_backward ? IsBefore(file, other, one) : IsBefore(file, one, other);
  };
  const KeyText items =
      ResolveTemplate(question, KeyOfItem(*sorted.item, sorted.open->attribute)->text);
  std::optional<KeyText> first;
  for (const KeyCoverage& coverage : coverages) {
    if (&coverage == &sorted) continue;
    if (coverage.open) return std::nullopt;
    const KeyText& text = coverage.equal.back().value;
    if (!is_first(text, items)) return std::nullopt;
    if (first && !is_first(*first, text) && !is_first(text, *first)) return std::nullopt;
    if (!first || is_first(text, *first)) first = text;
  }
  return first;
}

// Puts a condition into the interval by which the items of one entity come in the pattern's order,
// behind one item of each other entity. Returns whether there is one.
//
//   SK: CUSTOMER, and #ORDER#{created_at}    order -created_at: from CUSTOMER backward to #ORDER#
//                                            order created_at: none, as CUSTOMER is behind
bool AddOrderedTerm(const ReadQuestion& question, const std::vector<KeyCoverage>& coverages,
                    AskedInterval& interval) {
  const LabPattern& pattern = question.pattern;
  const int host = HostOf(question.layout, OrderedEntity(question.file, pattern));
  const auto sorted = std::ranges::find_if(
      coverages, [&](const KeyCoverage& one) { return one.item->entity == host; });
  const bool is_asked =
      pattern.order.entity != kLabNone && pattern.limit > 0 && interval.shards == 1 &&
      !interval.buckets && RangeOf(question.layout, interval.key).size() == 1 &&
      sorted != coverages.end() && sorted->open && sorted->open->type == LabType::kString;
  if (!is_asked) return false;
  AskedInterval ordered = interval;
  DecideOrder(question, sorted->open, ordered);
  if (!ordered.has_order) return false;
  const std::optional<KeyText> first =
      FirstBeside(question, coverages, *sorted, ordered.is_backward);
  if (!first) return false;
  const OpenSortKey& open = *sorted->open;
  using Op = AskedTerm::Op;
  if (open.prefix.empty()) {
    ordered.terms.push_back(TermOf(open, ordered.is_backward ? Op::kAtMost : Op::kAtLeast, *first));
  } else if (ordered.is_backward) {
    ordered.terms.push_back(TermOf(open, Op::kBetween, open.prefix, *first));
  } else {
    ordered.terms.push_back(
        TermOf(open, Op::kBetween, *first, WithLiteral(open.prefix, kAfterAll)));
  }
  ordered.beside = static_cast<int>(coverages.size()) - 1;
  interval = std::move(ordered);
  return true;
}

// Returns what the interval asks of an attribute of its key, as a text with placeholders.
KeyText AskedText(const AskedInterval& interval, const std::string& attribute) {
  const KeyPiece any = {.kind = Kind::kUnknown};
  for (const AskedTerm& term : interval.terms) {
    if (term.attribute != attribute) continue;
    switch (term.op) {
      case AskedTerm::Op::kEqual:
        return term.value;
      case AskedTerm::Op::kBeginsWith:
        return WithPiece(term.value, any);
      case AskedTerm::Op::kBetween:
        return WithPiece(CommonPrefix(term.value, term.end), any);
      case AskedTerm::Op::kAtLeast:
      case AskedTerm::Op::kAtMost:
        break;
    }
  }
  return {any};
}

// Returns whether all values of the text are below or above what the interval asks of the
// attribute.
bool IsOutside(const LabFile& file, const KeyText& text, const std::string& attribute,
               const AskedInterval& interval) {
  using Op = AskedTerm::Op;
  for (const AskedTerm& term : interval.terms) {
    if (term.attribute != attribute || term.op == Op::kEqual || term.op == Op::kBeginsWith)
      continue;
    if (term.op != Op::kAtMost && IsBefore(file, text, term.value)) return true;
    const KeyText& most = term.op == Op::kBetween ? term.end : term.value;
    if (term.op != Op::kAtLeast && IsBefore(file, most, text)) return true;
  }
  return false;
}

bool MayLieInside(const ReadQuestion& question, const LabItem& item,
                  const AskedInterval& interval) {
  if (item.table != interval.key.table) return false;
  for (const auto* attributes :
       {&HashOf(question.layout, interval.key), &RangeOf(question.layout, interval.key)}) {
    for (const std::string& attribute : *attributes) {
      const LabItemKey* key = KeyOfItem(item, attribute);
      if (key == nullptr) return false;
      const KeyText text = ResolveTemplate(question, key->text);
      if (!CanBeEqual(question.file, AskedText(interval, attribute), text) ||
          IsOutside(question.file, text, attribute, interval)) {
        return false;
      }
    }
  }
  return true;
}

void FindOthers(const ReadQuestion& question, AskedInterval& interval) {
  for (const LabItem& item : question.layout.items) {
    const bool is_asked =
        std::find(interval.items.begin(), interval.items.end(), &item) != interval.items.end();
    if (!is_asked && MayLieInside(question, item, interval)) interval.others.push_back(&item);
  }
}

// Returns whether all values of the placeholder begin with a digit.
bool BeginsWithDigit(const LabFile& file, const LabTemplatePart& part) {
  if (part.shards > 0) return true;
  using GeneratorKind = LabGenerator::Kind;
  const GeneratorKind kind = LabAttributeAt(file, RootOf(file, part.attribute)).generator.kind;
  return (kind == GeneratorKind::kTime || kind == GeneratorKind::kUlid ||
          kind == GeneratorKind::kSequence) &&
         (part.form == Form::kAsIs || IsTimeForm(part.form));
}

// Puts bounds into the interval where they leave out all other items.
//
//   SK: "{message_id}" beside ROOM and MEMBER#{member}    between "0" and "9~"
void AddBounds(const ReadQuestion& question, const OpenSortKey& open, AskedInterval& interval) {
  using Op = AskedTerm::Op;
  if (interval.others.empty() || open.type != LabType::kString ||
      !BeginsWithDigit(question.file, open.next)) {
    return;
  }
  AskedInterval bounded = interval;
  AskedTerm term = TermOf(open, Op::kBetween, WithLiteral(open.prefix, "0"),
                          WithLiteral(WithLiteral(open.prefix, "9"), kAfterAll));
  if (interval.has_range) {
    // The range has one end, and gets the other.
    const AskedTerm& range = interval.terms.back();
    if (range.op == Op::kAtLeast) {
      term.value = range.value;
    } else if (range.op == Op::kAtMost) {
      term.end = range.value;
    } else {
      return;
    }
  }
  const bool has_open_term = interval.has_range || !open.prefix.empty();
  if (has_open_term) bounded.terms.pop_back();
  bounded.terms.push_back(std::move(term));
  bounded.leaves_out_others = true;
  bounded.others.clear();
  FindOthers(question, bounded);
  if (bounded.others.empty()) interval = std::move(bounded);
}

}  // namespace

std::size_t FanOutOf(const AskedInterval& interval) {
  const auto shards = static_cast<std::size_t>(interval.shards);
  if (!interval.buckets) return shards;
  const std::size_t periods = MostBuckets(*interval.buckets);
  return shards * (interval.is_walk ? std::min(periods, kMostTimeBuckets) : periods);
}

bool WalksBackward(const LabPattern& pattern) {
  return pattern.order.entity == kLabNone || pattern.is_descending;
}

bool HaveSameHash(const KeyCoverage& one, const KeyCoverage& other) {
  for (std::size_t i = 0; i < one.hash_count; ++i) {
    if (!IsSameText(one.equal[i].value, other.equal[i].value)) return false;
  }
  return true;
}

AskedInterval IntervalOf(const ReadQuestion& question, const std::vector<KeyCoverage>& coverages) {
  const KeyCoverage& first = coverages.front();
  AskedInterval interval = {.key = first.key,
                            .shards = first.shards,
                            .buckets = first.buckets,
                            .is_walk = first.is_walk,
                            .hash_count = first.hash_count};
  for (const KeyCoverage& coverage : coverages) interval.items.push_back(coverage.item);
  if (coverages.size() == 1) {
    interval.terms = first.equal;
    interval.is_full = !first.open && first.shards == 1 && !first.buckets;
    if (first.open) AddOpenTerm(question, *first.open, interval);
    DecideOrder(question, first.open, interval);
  } else {
    interval.terms.assign(first.equal.begin(),
                          first.equal.begin() + static_cast<std::ptrdiff_t>(first.hash_count));
    if (!AddOrderedTerm(question, coverages, interval)) {
      AddCommonTerms(question, coverages, interval);
      interval.has_order = question.pattern.order.entity == kLabNone;
    }
  }
  const bool is_one_item = interval.is_full && interval.key.index == kLabNone;
  if (!is_one_item) FindOthers(question, interval);
  if (coverages.size() == 1 && first.open) AddBounds(question, *first.open, interval);
  return interval;
}

AskedInterval WholeOf(const ReadQuestion& question, const LabItem& item, LabKey key) {
  AskedInterval interval = {.key = key, .items = {&item}};
  interval.has_order = question.pattern.order.entity == kLabNone;
  FindOthers(question, interval);
  return interval;
}

std::vector<LabTemplatePart> KnownPlaceholders(const ReadQuestion& question, const LabItem& item,
                                               const AskedInterval& interval) {
  std::vector<LabTemplatePart> known;
  for (const AskedTerm& term : interval.terms) {
    const LabItemKey* key = KeyOfItem(item, term.attribute);
    if (key == nullptr) continue;
    // What is common to several entities may know less than the key of one of them.
    const bool is_prefix = term.op != AskedTerm::Op::kEqual && interval.items.size() > 1;
    std::size_t slots = 0;
    for (const KeyPiece& piece : term.value) slots += piece.kind == Kind::kSlot ? 1 : 0;
    for (const LabTemplatePart& part : key->text.parts) {
      if (part.attribute.entity == kLabNone) break;
      if (!KnownValue(question, part)) {
        const bool is_bucket = interval.buckets && interval.buckets->form == part.form;
        if (part.shards == 0 && !is_bucket) break;
        continue;
      }
      if (is_prefix && slots == 0) break;
      known.push_back(part);
      if (is_prefix && slots > 0) --slots;
    }
  }
  return known;
}

}  // namespace hashrange
