// ValueMaker: makes the values of instances from the generators of the lab file. A value is a pure
// function of (seed, entity, number, attribute), for what traffic created also of the time of its
// creation; so nothing is stored but what makes this fast.
//
// Values that derive from others (templates, `with`, `of`) derive from what was generated, also
// after traffic changed those others: an item keeps its copy until somebody writes it.
//
// Used by one thread at a time.
#pragma once

#include <absl/container/flat_hash_set.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lab/language/data/draws.h"
#include "lab/language/data/instances.h"
#include "lab/language/data/zipf.h"
#include "lab/language/lab_file.h"

namespace hashrange {

// Which draws gave the children of one parent different values. A child takes the
// first of its draws that no earlier sibling has, so its value depends on the values of earlier
// siblings. They are kept for the parents that were looked at last.
class SiblingDraws {
 public:
  struct Family {
    std::uint64_t parent = 0;
    std::vector<std::uint32_t> attempts = {};        // of each child, by its place
    absl::flat_hash_set<std::uint64_t> values = {};  // hashes of the values that are taken
  };

  // Returns what is known of the parent's children; the caller adds what is missing. The reference
  // is valid until the next call.
  Family& Of(std::uint64_t parent);

 private:
  static constexpr std::size_t kFamilies = 64;
  std::unique_ptr<std::array<Family, kFamilies>> families_ = {};
};

// What one value is drawn from.
struct ValueDraw {
  InstanceId id = {};
  std::uint64_t seed = 0;
  // After so many draws were taken by siblings: how many values farther the value is.
  std::uint64_t shift = 0;
  // The time that `past` means, where traffic makes the value.
  std::optional<std::int64_t> now_epoch_ms = {};
};

class ValueMaker {
 public:
  // Both outlive the maker.
  ValueMaker(const LabFile& file, const Instances& instances);

  // Returns whether the instance was generated with the attribute, which is of its own entity, as
  // in all functions below.
  bool Has(InstanceId id, int attribute) const;
  void Append(InstanceId id, int attribute, std::string& out) const;
  // Returns the instance to which a kRef or kOfRef refers; entity kLabNone: there is none.
  InstanceId ReferredBy(InstanceId id, int attribute) const;
  // Returns the time of a kTime, or of the time that the attribute is a copy of; else, the time
  // when the instance began.
  std::int64_t TimeOf(InstanceId id, int attribute) const;

  // Appends a value of any generator that does not need other values of the instance, which are all
  // but kTemplate, kOfRef and kOfAncestor.
  void AppendDrawn(const ValueDraw& draw, const LabGenerator& generator, std::string& out) const;

  // Returns the seed of the attribute's values.
  std::uint64_t AttributeSeed(int entity, int attribute) const {
    return seeds_[static_cast<std::size_t>(entity)][static_cast<std::size_t>(attribute)];
  }

 private:
  ValueDraw DrawOf(InstanceId id, int attribute) const;
  ValueDraw DrawOfAttempt(InstanceId id, int attribute, std::uint32_t attempt) const;
  std::uint32_t AttemptOf(InstanceId id) const;
  std::uint64_t HashOfAttempt(InstanceId id, int attribute, std::uint32_t attempt) const;
  std::uint32_t MostAttempts(const LabGenerator& generator) const;

  InstanceId Referred(const ValueDraw& draw, const LabGenerator& generator) const;
  std::int64_t DrawTime(const ValueDraw& draw, const LabGenerator& generator) const;
  double DrawNumber(const LabGenerator& generator, DrawSequence& draws) const;
  bool HasAll(InstanceId id, const LabTemplate& text) const;
  void AppendDerived(InstanceId id, const LabGenerator& generator, std::string& out) const;

  const LabFile& file_;
  const Instances& instances_;
  std::vector<std::vector<std::uint64_t>> seeds_ = {};  // by entity and attribute
  mutable std::vector<SiblingDraws> siblings_ = {};     // by entity
  mutable ZipfRankTable ranks_ = {};
  mutable ZipfSizeTable sizes_ = {};
};

}  // namespace hashrange
