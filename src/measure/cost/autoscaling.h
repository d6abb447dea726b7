// Autoscaling: the capacity that the service's target tracking would provision for a load, minute
// by minute (docs/service/21-layout-lab.md, section 3): it aims at 70 % use, adds capacity after
// two minutes above that, and takes capacity away after 15 minutes below 50 %. Modelled: a load is
// the mean of a minute, and the burst that the service keeps is left out. Used by one thread.
#pragma once

namespace hashrange {

class Autoscaling {
 public:
  // Continues with a constant load. The first load is met by enough capacity from the start.
  // Cost: O(1) for any length, since a constant load changes nothing after half an hour.
  void Add(double units_per_second, double minutes);

  double hours() const { return minutes_ / 60; }
  // Returns the sum of capacity × time, in unit-hours.
  double capacity_hours() const { return capacity_minutes_ / 60; }
  // Returns the units that were asked for above the capacity.
  double units_above_capacity() const { return units_above_; }
  // Returns the capacity now, in units a second.
  double capacity() const { return capacity_; }

  // Returns the capacity that has 70 % use at this load: at least 1, and whole.
  static double CapacityFor(double units_per_second);

 private:
  void Step(double units_per_second, double minutes);

  double capacity_ = 0;  // 0: nothing was added yet
  double minutes_ = 0;
  double capacity_minutes_ = 0;
  double units_above_ = 0;
  double minutes_above_target_ = 0;
  double minutes_far_below_ = 0;
  double most_while_below_ = 0;  // units a second, since minutes_far_below_ began
};

}  // namespace hashrange
