#include "operation/stream/record_json.h"

#include "wire/attribute_json.h"

namespace hashrange {
namespace {

void WriteImage(std::string_view name, ItemView image, JsonWriter& writer) {
  if (!image.exists()) return;
  writer.Name(name);
  WriteItem(image, writer);
}

}  // namespace

RecordView::RecordView(const KeySchema& key, ItemView before, ItemView after, ShownImages shown)
    : keys_(key.parts()) {
  const ItemView any = after.exists() ? after : before;
  for (std::size_t i = 0; i < keys_; ++i) key_[i] = {key.part(i).name, any.KeyValue(i)};
  if (shown.old_image) old_ = before;
  if (shown.new_image) new_ = after;
}

std::size_t RecordView::size_bytes() const {
  return ItemSizeBytes(key()) + old_.size_bytes() + new_.size_bytes();
}

std::string_view EventName(StreamEvent event) {
  static constexpr std::string_view kNames[] = {"INSERT", "MODIFY", "REMOVE"};
  return kNames[static_cast<int>(event)];
}

void WriteKeyAndImages(const RecordView& view, JsonWriter& writer) {
  writer.Name("Keys");
  WriteAttributes(view.key(), writer);
  WriteImage("NewImage", view.new_image(), writer);
  WriteImage("OldImage", view.old_image(), writer);
}

void WriteTimeToLiveIdentity(JsonWriter& writer) {
  writer.BeginObject("userIdentity");
  writer.StringMember("PrincipalId", "dynamodb.amazonaws.com");
  writer.StringMember("Type", "Service");
  writer.EndObject();
}

}  // namespace hashrange
