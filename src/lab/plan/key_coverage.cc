#include "lab/plan/key_coverage.h"

#include <algorithm>

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

// Puts one attribute of the partition key into the coverage. Returns why it cannot be.
std::string CoverHash(const ReadQuestion& question, const LabItemKey& key, KeyCoverage& coverage) {
  KeyText text = ResolveTemplate(question, key.text);
  for (KeyPiece& piece : text) {
    std::optional<KeyPiece> shard = ShardPiece(piece);
    if (shard && coverage.shards == 1) {
      coverage.shards = piece.slot.part.shards;
      piece = std::move(*shard);
    } else if (piece.kind == KeyPiece::Kind::kUnknown) {
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

SortableForm FormOfOrder(const LabFile& file, const LabTemplatePart& part, LabType type) {
  if (part.shards > 0) return SortableForm::kNot;
  switch (part.form) {
    case Form::kPadded:
      return SortableForm::kForward;
    case Form::kDescend:
      return SortableForm::kBackward;
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
  const bool is_text_of_number = IsNumber(file, part.attribute) && type == LabType::kString;
  return is_text_of_number && !is_time ? SortableForm::kNot : SortableForm::kForward;
}

}  // namespace hashrange
