// TrafficFactor: by how much the declared rates of a lab are multiplied, over the simulated time.
// Times are seconds from the beginning of the simulation. Immutable: any thread may use it.
//
//   factor 8 |        /|
//          4 |       / |——
//          1 |——————/  |
//            └──────────────
//   traffic: [{for: 30m, rate: 1}, {for: 10m, ramp: [1, 8]}, {for: 5m, rate: 4}]
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lab/language/lab_file.h"

namespace hashrange {

class TrafficFactor {
 public:
  explicit TrafficFactor(const std::vector<LabPhase>& phases);

  double length_s() const;
  double greatest() const;  // factor; 0 without traffic
  // Returns the sum of the factors of all seconds: how many seconds at the factor 1 would have as
  // many calls as the whole traffic.
  double whole_area_s() const;
  // Returns the same sum of the seconds before `seconds`.
  double AreaAt(double seconds) const;
  // Returns when the area from the beginning reaches `area_s`; nothing when it never does.
  // Cost: O(log n) for n stretches.
  std::optional<double> SecondsAtArea(double area_s) const;
  // Returns the number of the phase at that time.
  std::size_t PhaseAt(double seconds) const;

 private:
  // A stretch on which the factor changes evenly.
  struct Stretch {
    double begin_s = 0;
    double length_s = 0;
    double from = 0;
    double to = 0;
    double end_area_s = 0;
  };

  void AddPhase(const LabPhase& phase);
  void AddSinusoid(const LabPhase& phase);
  void AddStretch(double length_s, double from, double to);

  std::vector<Stretch> stretches_ = {};
  std::vector<double> phase_ends_s_ = {};
};

}  // namespace hashrange
