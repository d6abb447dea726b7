#include "lab/plan/written_instances.h"

#include <algorithm>
#include <cstddef>

namespace hashrange {
namespace {

using Source = CallRole::Source;

// Looks whether the instances of a call belong to its window.
class WindowOfCall {
 public:
  WindowOfCall(const CallShape& shape, const Population& population, const LabCall& call)
      : shape_(shape), population_(population), call_(call) {}

  bool Has(int role, std::size_t place) const {
    const LabCallWindow& window = call_.window;
    if (window.role == kLabNone) return true;
    if (role == window.role) return window.from <= place && place < window.to;
    const CallRole& described = shape_.roles[static_cast<std::size_t>(role)];
    // What does not depend on the window's role is written by each request.
    if (described.of_role == kLabNone) return true;
    return Has(described.of_role, PlaceOfOrigin(described, role, place));
  }

 private:
  // Returns the place, in the role `of_role`, of the instance that this one is created or derived
  // from.
  std::size_t PlaceOfOrigin(const CallRole& described, int role, std::size_t place) const {
    switch (described.source) {
      case Source::kPicked:
      case Source::kReferred:
      case Source::kAncestor:
        return place;
      case Source::kCreated:
        return place / static_cast<std::size_t>(described.count);
      case Source::kCreatedChildren:
      case Source::kChildren:
        break;
    }
    const auto& origins = call_.roles[static_cast<std::size_t>(described.of_role)];
    const InstanceId id = call_.roles[static_cast<std::size_t>(role)][place];
    const auto found = std::find(origins.begin(), origins.end(), population_.ParentOf(id));
    return static_cast<std::size_t>(found - origins.begin());
  }

  const CallShape& shape_;
  const Population& population_;
  const LabCall& call_;
};

}  // namespace

void AppendWrittenInstances(const WrittenItem& item, const CallShape& shape,
                            const Population& population, const LabCall& call,
                            std::vector<InstanceId>& out) {
  const WindowOfCall window(shape, population, call);
  for (const int role : item.roles) {
    const auto& instances = call.roles[static_cast<std::size_t>(role)];
    for (std::size_t place = 0; place < instances.size(); ++place) {
      if (window.Has(role, place)) out.push_back(instances[place]);
    }
  }
}

}  // namespace hashrange
