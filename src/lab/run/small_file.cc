#include "lab/run/small_file.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace hashrange {
namespace {

constexpr double kLeastRoots = 20;  // so that there is something to choose from

double MeanOf(const LabDistribution& distribution) {
  using Kind = LabDistribution::Kind;
  double mean = distribution.first;  // of what is fixed, Poisson and normal
  switch (distribution.kind) {
    case Kind::kUniform:
      mean = (distribution.first + distribution.second) / 2;
      break;
    case Kind::kZipf:
      mean = distribution.second;
      break;
    case Kind::kLognormal:
      mean = std::exp(distribution.first + distribution.second * distribution.second / 2);
      break;
    default:
      break;
  }
  return std::clamp(mean, distribution.least, std::max(distribution.least, distribution.greatest));
}

// Returns about how many instances of each entity there are. Parents may stand behind their
// children.
double InstancesOf(const LabFile& file, int entity) {
  double count = 1;
  for (; entity != kLabNone; entity = file.entities[static_cast<std::size_t>(entity)].parent) {
    count *= MeanOf(file.entities[static_cast<std::size_t>(entity)].count);
  }
  return count;
}

double AllInstancesOf(const LabFile& file) {
  double sum = 0;
  for (std::size_t i = 0; i < file.entities.size(); ++i) {
    sum += InstancesOf(file, static_cast<int>(i));
  }
  return sum;
}

}  // namespace

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
