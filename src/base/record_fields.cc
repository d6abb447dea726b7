#include "base/record_fields.h"

#include <algorithm>

namespace hashrange {
namespace {

constexpr std::uint64_t kBytesKind = 1;
constexpr std::uint64_t kMaxFieldNumber = 1 << 20;

void AppendVarint(std::uint64_t value, std::string* out) {
  for (; value >= 0x80; value >>= 7) out->push_back(static_cast<char>(value | 0x80));
  out->push_back(static_cast<char>(value));
}

}  // namespace

void StoredFieldWriter::PutNumber(int number, std::uint64_t value) {
  AppendVarint(2 * static_cast<std::uint64_t>(number), &out_);
  AppendVarint(value, &out_);
}

void StoredFieldWriter::PutBytes(int number, std::string_view bytes) {
  AppendVarint(2 * static_cast<std::uint64_t>(number) + kBytesKind, &out_);
  AppendVarint(bytes.size(), &out_);
  out_.append(bytes);
}

StoredFieldReader::StoredFieldReader(std::string_view bytes, int depth)
    : bytes_(bytes), depth_(depth) {
  if (depth > kMaxDepth) {
    SetProblem(0, "the records are nested too deep");
    return;
  }
  Place place;
  for (std::size_t at = 0; at < bytes_.size() && ok();) {
    if (ReadPlace(&at, &place)) places_.push_back(place);
  }
  if (!ok()) places_.clear();
}

void StoredFieldReader::SetProblem(int number, std::string_view problem) {
  if (!problem_.empty()) return;
  if (number == 0) {
    problem_ = problem;
    return;
  }
  problem_ = "field " + std::to_string(number);
  if (!problem.starts_with(':')) problem_.push_back(' ');
  problem_.append(problem);
}

bool StoredFieldReader::ReadNumber(std::size_t* at, std::uint64_t* value) const {
  *value = 0;
  for (int shift = 0; shift < 64 && *at < bytes_.size(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes_[(*at)++]);
    const std::uint64_t bits = byte & 0x7f;
    if (shift == 63 && bits > 1) return false;
    *value |= bits << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

bool StoredFieldReader::ReadPlace(std::size_t* at, Place* place) {
  const int before = places_.empty() ? 0 : places_.back().number;
  std::uint64_t tag;
  std::uint64_t value;
  if (!ReadNumber(at, &tag) || !ReadNumber(at, &value)) {
    SetProblem(0, "the bytes end inside a number");
    return false;
  }
  if (tag / 2 == 0 || tag / 2 > kMaxFieldNumber) {
    SetProblem(0, "a field has an impossible number");
    return false;
  }
  *place = {static_cast<int>(tag / 2), (tag & kBytesKind) != 0, value, {}};
  if (place->number < before) {
    SetProblem(place->number, "comes behind field " + std::to_string(before));
    return false;
  }
  if (!place->is_bytes) return true;
  if (value > bytes_.size() - *at) {
    SetProblem(place->number, "is longer than the record");
    return false;
  }
  place->bytes = bytes_.substr(*at, static_cast<std::size_t>(value));
  *at += static_cast<std::size_t>(value);
  return true;
}

std::span<const StoredFieldReader::Place> StoredFieldReader::FindAll(int number) const {
  const auto [first, last] = std::ranges::equal_range(places_, number, {}, &Place::number);
  return {first, last};
}

const StoredFieldReader::Place* StoredFieldReader::FindOnly(int number) {
  const std::span<const Place> places = FindAll(number);
  if (places.empty()) return nullptr;
  if (places.size() == 1) return &places[0];
  SetProblem(number, "is repeated");
  return nullptr;
}

}  // namespace hashrange
