// The values of the records that no other folder encodes: counters, and the images of stream
// records. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/stored_item.h"
#include "value/item.h"

namespace hashrange {

// The numbers of the counters (StoreKey::OfCounter).
inline constexpr std::uint8_t kClockCounter = 0;     // the latest time, in ms since 1970
inline constexpr std::uint8_t kTableIdCounter = 1;   // the greatest id that a table has had
inline constexpr std::uint8_t kStreamIdCounter = 2;  // the greatest id that a stream has had

std::string EncodeCounter(std::uint64_t value);
// Errors: InternalServerError  the bytes are no counter
Result<std::uint64_t> DecodeCounter(std::string_view bytes);

// Returns an item with its place: hash (8, big-endian), length of the key (2, big-endian), key,
// stored form (store/stored_item.h). Empty for null.
std::string EncodeImage(const Item* item);
// Returns null for no bytes.
// Errors: InternalServerError  the bytes are no item that the reader's table could have
Result<ItemRef> DecodeImage(std::string_view bytes, StoredItemReader& reader);

}  // namespace hashrange
