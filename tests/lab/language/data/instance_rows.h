// All values of an instance as texts, for tests of populations.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lab/language/data/population.h"

namespace hashrange::lab_data_test {

inline std::string ValueOf(const Population& population, InstanceId id, LabAttributeRef attribute) {
  return population.Has(id, attribute) ? population.Value(id, attribute) : "absent";
}

inline int AttributesOf(const LabFile& file, int entity) {
  return static_cast<int>(file.entities[static_cast<std::size_t>(entity)].attributes.size());
}

inline std::vector<std::string> Row(const Population& population, InstanceId id) {
  std::vector<std::string> row;
  for (int attribute = 0; attribute < AttributesOf(population.file(), id.entity); ++attribute) {
    row.push_back(ValueOf(population, id, {id.entity, attribute}));
  }
  return row;
}

}  // namespace hashrange::lab_data_test
