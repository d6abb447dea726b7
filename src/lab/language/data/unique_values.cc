#include "lab/language/data/unique_values.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "lab/language/data/population.h"
#include "lab/language/data/value_text.h"
#include "lab/language/lab_document.h"
#include "lab/language/lab_facts.h"

namespace hashrange {
namespace {

// An attribute of which no two instances, or no two children of one parent, have the same value.
struct UniqueAttribute {
  LabAttributeRef attribute = {};
  bool is_of_one_parent = false;
};

std::vector<UniqueAttribute> AttributesToCompare(const LabFile& file) {
  std::vector<UniqueAttribute> compared;
  for (int entity = 0; entity < static_cast<int>(file.entities.size()); ++entity) {
    const LabEntity& described = EntityAt(file, entity);
    for (int i = 0; i < static_cast<int>(described.attributes.size()); ++i) {
      const LabAttributeRef attribute = {entity, i};
      if (IsAlwaysAnother(file, attribute)) continue;
      const bool is_unique = IsUnique(file, attribute);
      if (is_unique || described.distinct == i) compared.push_back({attribute, !is_unique});
    }
  }
  return compared;
}

// Returns the identity of an instance, as a sentence has it: "00000012".
std::string NameOf(const Population& population, InstanceId id) {
  std::string name;
  for (const LabAttributeRef part : IdentityOf(population.file(), id.entity)) {
    name += (name.empty() ? "" : " ") + population.Value(id, part);
  }
  return name;
}

std::string RepeatedValue(const Population& population, const UniqueAttribute& unique,
                          InstanceId one, InstanceId other) {
  const LabFile& file = population.file();
  const LabEntity& entity = EntityAt(file, one.entity);
  const LabAttribute& attribute = LabAttributeAt(file, unique.attribute);
  const std::string value = "\"" + population.Value(one, unique.attribute) + "\"; ";
  const std::string what = "\"" + attribute.name + "\" is to be ";
  if (unique.is_of_one_parent) {
    const InstanceId parent = population.ParentOf(one);
    return what + "`distinct`, and two of " + entity.name + " of " +
           EntityAt(file, parent.entity).name + " " + NameOf(population, parent) + " have " +
           value + "let its generator have more values";
  }
  return what + "`unique`, and " + entity.name + " " + NameOf(population, one) + " and " +
         NameOf(population, other) + " both have " + value +
         EnoughValuesText(file, one.entity,
                          static_cast<double>(population.InitialCount(one.entity)));
}

// Returns a sentence about two instances with the same value; nothing where there are none.
std::optional<std::string> FindRepeated(const Population& population, const UniqueAttribute& unique,
                                        const std::atomic<bool>* stop) {
  const int entity = unique.attribute.entity;
  absl::flat_hash_map<std::uint64_t, std::uint64_t> values;  // the hash: the instance's number
  InstanceId parent;
  std::string value;
  const std::uint64_t count = std::min(population.InitialCount(entity), kMostComparedInstances);
  for (std::uint64_t number = 0; number < count; ++number) {
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) return std::nullopt;
    const InstanceId id = {.entity = entity, .number = number};
    if (unique.is_of_one_parent && population.ParentOf(id) != parent) {
      parent = population.ParentOf(id);  // the children of one parent follow each other
      values.clear();
    }
    if (!population.Has(id, unique.attribute)) continue;
    value.clear();
    population.AppendValue(id, unique.attribute, value);
    const auto [found, is_new] = values.try_emplace(TextHash(value), number);
    if (!is_new) return RepeatedValue(population, unique, {entity, found->second}, id);
  }
  return std::nullopt;
}

}  // namespace

Status CheckUniqueValues(const LabFile& file, std::uint64_t scale, const std::atomic<bool>* stop) {
  const std::vector<UniqueAttribute> compared = AttributesToCompare(file);
  if (compared.empty()) return {};
  const Population population(file, scale, stop);
  HR_RETURN_IF_ERROR(population.Check());
  for (const UniqueAttribute& unique : compared) {
    const auto sentence = FindRepeated(population, unique, stop);
    if (!sentence) continue;
    return LabErrorAt(file.name, LabAttributeAt(file, unique.attribute).place, *sentence);
  }
  return {};
}

}  // namespace hashrange
