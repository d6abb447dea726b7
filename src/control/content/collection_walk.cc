#include "control/content/collection_walk.h"

#include <span>

namespace hashrange {

std::string_view EncodedHashParts(const KeySchema& key, bool is_of_index, ItemView item,
                                  Arena& arena) {
  if (!is_of_index) {  // a table has one HASH part
    const std::string_view bytes = item.item()->key();
    return bytes.substr(0, EncodedPartEnd(bytes, 0, key.hash[0].type));
  }
  ValueView values[kMaxKeyParts];
  for (std::size_t i = 0; i < key.hash.size(); ++i) values[i] = *item.Find(key.hash[i].name);
  return EncodeParts(std::span(values, key.hash.size()), arena);
}

CollectionWalk::CollectionWalk(const Engine& engine, const TableVersion& table,
                               const IndexVersion* index, const Position& begin)
    : engine_(engine), table_(table), index_(index) {
  Seek(begin.hash, begin.bytes);
}

void CollectionWalk::Seek(std::uint64_t hash, std::string_view bytes) {
  begin_ = bytes;
  reader_.emplace(engine_.Range(table_, index_, {.begin = {hash, begin_}, .end = {}}, true));
  first_ = reader_->Next();
}

Collection CollectionWalk::Next() {
  const auto parts_of = [this](const Item* item) {
    arena_.Reset();
    return EncodedHashParts(key(), index_ != nullptr, ItemView(table_.key, item), arena_);
  };
  Collection collection;
  collection.hash = index_ ? IndexHash(key(), ItemView(table_.key, first_)) : first_->hash();
  collection.hash_parts = parts_of(first_);
  do {
    if (++collection.items > kMaxCounted) {
      collection.items = kMaxCounted;
      collection.has_more_items = true;
      arena_.Reset();
      Seek(collection.hash, PrefixEnd(collection.hash_parts, arena_));
      return collection;
    }
    first_ = reader_->Next();
  } while (first_ && parts_of(first_) == collection.hash_parts);
  return collection;
}

}  // namespace hashrange
