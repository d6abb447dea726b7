#include "lab/plan/key_coverage.h"

#include <algorithm>

#include "lab/language/lab_facts.h"
#include "lab/plan/plan_sentences.h"

namespace hashrange {
namespace {

using Form = LabTemplatePart::Form;

LabType KeyType(const LabTable& table, const std::string& attribute) {
  const auto at = table.key_types.find(attribute);
  return at == table.key_types.end() ? LabType::kString : at->second;
}

// Returns the piece that stands for the number of the shard, where the placeholder is one whose
// attribute is unknown.
std::optional<KeyPiece> ShardPiece(const KeyPiece& piece) {
  if (piece.kind != KeyPiece::Kind::kUnknown || piece.slot.part.shards == 0) return std::nullopt;
  return KeyPiece{.kind = KeyPiece::Kind::kSlot,
                  .slot = {.source = RequestSlot::Source::kShard, .part = piece.slot.part}};
}

// Makes a slot for the numbered period where the placeholder is a part of a time and the caller
// knows a range of that time. Returns why no slot can be made; empty also where the placeholder is
// something else.
std::string CoverBuckets(const ReadQuestion& question, const LabItemKey& key, KeyPiece& piece,
                         KeyCoverage& coverage) {
  if (piece.kind != KeyPiece::Kind::kUnknown || coverage.shards > 1) return {};
  const std::optional<TimeBuckets> buckets = BucketsOf(question, piece.slot.part);
  if (!buckets || coverage.buckets) return {};
  const std::size_t most = MostBuckets(*buckets);
  if (most > kMostTimeBuckets) {
    return "its partition key " + key.text.text + " would take " + std::to_string(most) +
           " requests, one for each " + BucketName(buckets->form) + ", which is too many";
  }
  coverage.shards = static_cast<int>(most);
  coverage.buckets = buckets;
  piece.kind = KeyPiece::Kind::kSlot;
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
std::string CoverHash(const ReadQuestion& question, const LabItemKey& key, KeyCoverage& coverage) {
  KeyText text = ResolveTemplate(question, key.text);
  for (KeyPiece& piece : text) {
    std::optional<KeyPiece> shard = ShardPiece(piece);
    std::string obstacle = CoverBuckets(question, key, piece, coverage);
    if (!obstacle.empty()) return obstacle;
    if (shard && coverage.shards == 1 && !coverage.buckets) {
      coverage.shards = piece.slot.part.shards;
      piece = std::move(*shard);
    } else if (piece.kind == KeyPiece::Kind::kUnknown) {
      if (IsRangeWithoutEnd(question, piece.slot.part)) {
        return "its partition key " + key.text.text + " needs " +
               LabAttributeAt(question.file, piece.slot.part.attribute).name +
               ", and the range has no two ends that are known";
      }
      return NeedsSentence(question.file, key.text, piece.slot.part.attribute);
    }
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
    if (text[i].kind == KeyPiece::Kind::kUnknown) {
      open.next = text[i].slot.part;
      open.is_last = i + 1 == text.size();
      if (!open.is_last && text[i + 1].kind == KeyPiece::Kind::kLiteral) {
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
// ask for; empty: it is.
std::string GapOfAttribute(const ReadQuestion& question, const LabItemKey& key) {
  if (!AreImplied(question, key.when)) return HoldsOnlySentence(question.file, key.when);
  for (const LabTemplatePart& part : key.text.parts) {
    if (part.attribute.entity == kLabNone || KnownValue(question, part)) continue;
    if (CanBeAbsent(question.file, part.attribute)) {
      return "it holds only items that have " + LabAttributeAt(question.file, part.attribute).name;
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

const LabTable& TableOf(const LabLayout& layout, LabKey key) {
  return layout.tables[static_cast<std::size_t>(key.table)];
}

const LabIndex* IndexOf(const LabLayout& layout, LabKey key) {
  if (key.index == kLabNone) return nullptr;
  return &TableOf(layout, key).indexes[static_cast<std::size_t>(key.index)];
}

const std::vector<std::string>& HashOf(const LabLayout& layout, LabKey key) {
  const LabIndex* index = IndexOf(layout, key);
  return index != nullptr ? index->hash : TableOf(layout, key).hash;
}

const std::vector<std::string>& RangeOf(const LabLayout& layout, LabKey key) {
  const LabIndex* index = IndexOf(layout, key);
  return index != nullptr ? index->range : TableOf(layout, key).range;
}

std::vector<LabKey> KeysOf(const LabLayout& layout) {
  std::vector<LabKey> keys;
  for (std::size_t table = 0; table < layout.tables.size(); ++table) {
    keys.push_back({.table = static_cast<int>(table)});
    for (std::size_t index = 0; index < layout.tables[table].indexes.size(); ++index) {
      keys.push_back({.table = static_cast<int>(table), .index = static_cast<int>(index)});
    }
  }
  return keys;
}

const LabItemKey* KeyOfItem(const LabItem& item, const std::string& attribute) {
  for (const LabItemKey& key : item.keys) {
    if (key.attribute == attribute) return &key;
  }
  return nullptr;
}

std::string GapOfKey(const ReadQuestion& question, const LabItem& item, LabKey key) {
  const std::string& entity = EntityAt(question.file, item.entity).name;
  std::vector<std::string> attributes = HashOf(question.layout, key);
  const std::vector<std::string>& range = RangeOf(question.layout, key);
  attributes.insert(attributes.end(), range.begin(), range.end());
  for (const std::string& attribute : attributes) {
    if (KeyOfItem(item, attribute) == nullptr) return "it holds no items of " + entity;
  }
  if (!AreImplied(question, item.when)) return HoldsOnlySentence(question.file, item.when);
  for (const std::string& attribute : attributes) {
    std::string gap = GapOfAttribute(question, *KeyOfItem(item, attribute));
    if (!gap.empty()) return gap;
  }
  return {};
}

KeyCoverage CoverKey(const ReadQuestion& question, const LabItem& item, LabKey key) {
  KeyCoverage coverage = {.item = &item, .key = key};
  coverage.obstacle = GapOfKey(question, item, key);
  if (!coverage.obstacle.empty()) return coverage;
  for (const std::string& attribute : HashOf(question.layout, key)) {
    coverage.obstacle = CoverHash(question, *KeyOfItem(item, attribute), coverage);
    if (!coverage.obstacle.empty()) return coverage;
  }
  coverage.hash_count = coverage.equal.size();
  const LabIndex* index = IndexOf(question.layout, key);
  if (question.pattern.is_consistent && index != nullptr && !index->is_local) {
    coverage.obstacle = "a global index has no consistent reads";
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
      break;
  }
  // Numbers in text sort as numbers only where all have as many digits, as times have.
  const bool is_time =
      LabAttributeAt(file, part.attribute).generator.kind == LabGenerator::Kind::kTime;
  const bool is_text_of_number = IsNumber(file, part.attribute) && open.type == LabType::kString;
  return is_text_of_number && !is_time ? SortableForm::kNot : SortableForm::kForward;
}

}  // namespace hashrange
