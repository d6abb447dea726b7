#include "lab/run/small_file.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "lab/language/lab_facts.h"

namespace hashrange {
namespace {

constexpr double kLeastRoots = 20;  // so that there is something to choose from

}  // namespace

double AllInstancesOf(const LabFile& file) {
  double sum = 0;
  for (std::size_t i = 0; i < file.entities.size(); ++i) {
    sum += InstancesOf(file, static_cast<int>(i));
  }
  return sum;
}

LabFile WithFewerInstances(const LabFile& file, double most_instances) {
  LabFile fewer = file;
  // Entities that already have few instances keep them, so this takes several steps.
  constexpr int kMostSteps = 20;
  for (int step = 0; step < kMostSteps; ++step) {
    const double instances = AllInstancesOf(fewer);
    if (instances <= most_instances) break;
    for (LabEntity& entity : fewer.entities) {
      if (entity.parent != kLabNone) continue;
      const double count = MeanOf(entity.count);
      entity.count = {.first = std::max(std::min(count, kLeastRoots),
                                        std::floor(count * most_instances / instances))};
    }
  }
  return fewer;
}

}  // namespace hashrange
