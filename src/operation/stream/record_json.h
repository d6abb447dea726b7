// What the records of streams and of Kinesis destinations have in common: the key and the images of
// an item that changed (docs/service/12-streams-and-ttl.md, section A). Pure functions; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "engine/stream/stream_record.h"
#include "value/item.h"
#include "value/key.h"
#include "wire/json_writer.h"

namespace hashrange {

struct ShownImages {
  bool old_image = true;
  bool new_image = true;
};

// A record as it is shown. The key schema and the items outlive it.
class RecordView {
 public:
  // At least one of `before` and `after` exists; the key is taken from it.
  RecordView(const KeySchema& key, ItemView before, ItemView after, ShownImages shown);

  std::span<const Attribute> key() const { return {key_.data(), keys_}; }
  ItemView old_image() const { return old_; }
  ItemView new_image() const { return new_; }
  // The member SizeBytes: the sizes of the key and of the images.
  std::size_t size_bytes() const;

 private:
  std::array<Attribute, kMaxTableKeyParts> key_;
  std::size_t keys_ = 0;
  ItemView old_;
  ItemView new_;
};

// Returns the member eventName.
std::string_view EventName(StreamEvent event);

// Writes the members Keys, NewImage and OldImage. An image that does not exist has no member.
void WriteKeyAndImages(const RecordView& view, JsonWriter& writer);

// Writes the member userIdentity of a deletion by time to live (section C2).
void WriteTimeToLiveIdentity(JsonWriter& writer);

}  // namespace hashrange
