// How numbers of bytes and of items are distributed, and how many capacity units they take on
// average. Units are rounded up for each request, so the mean of the units is not the units of the
// mean. Pure functions and values; any thread.
//
//   Spread   sixteen values that are equally likely: bytes of an item, children of a parent
//   Moments  a mean and a variance: how many items a key condition finds
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "lab/language/lab_file.h"

namespace hashrange {

// A number, and how much it counts.
struct WeightedNumber {
  double number = 0;
  double weight = 1;
};

// Each part is the mean of a sixteenth of the numbers, from the least to the greatest, so that the
// mean of the parts is the mean of the numbers.
class Spread {
 public:
  static constexpr std::size_t kParts = 16;

  Spread() = default;  // 0
  explicit Spread(double number) { parts_.fill(number); }
  // Returns the spread of numbers that are drawn as often as their weights say; 0 of no numbers.
  static Spread Of(std::vector<WeightedNumber> numbers);
  // Returns the spread of what is drawn from the distribution, before it is rounded. A kZipf is
  // drawn from `zipf_ranks` ranks that are alike.
  static Spread OfDraws(const LabDistribution& distribution, double zipf_ranks);

  double part(std::size_t place) const { return parts_[place]; }
  // The numbers of a part lie around it, so far at most: up to the middle between it and the nearer
  // one of its neighbours.
  double HalfWidth(std::size_t place) const;
  double Mean() const;
  double Variance() const;

  // Returns the spread of what is there in a share of `probability`, and 0 elsewhere.
  Spread WithPresence(double probability) const;
  Spread operator+(double number) const;
  // Returns which share of the numbers is less.
  double ShareBelow(double number) const;
  friend bool operator==(const Spread&, const Spread&) = default;

 private:
  std::array<double, kParts> parts_ = {};
};

// Returns the spread of the sum of two numbers that do not depend on each other.
Spread SumOf(const Spread& one, const Spread& other);

// Returns how many units a request takes on average for an item of so many bytes: each begun unit
// counts, and one unit at least.
double MeanUnits(const Spread& bytes, double unit_bytes);

struct Moments {
  double mean = 0;
  double variance = 0;

  // Returns the moments of what is left when each is kept with the probability.
  Moments Thinned(double probability) const;
  // Returns the moments where all are kept together with the probability, else none.
  Moments OrNone(double probability) const;
  friend bool operator==(const Moments&, const Moments&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const Moments& moments) {
    return H::combine(std::move(h), moments.mean, moments.variance);
  }
};

// Returns the moments of a sum: so many parts, each with these moments.
Moments SumOfEach(const Moments& count, const Moments& each);

// Returns how likely each number of items from 0 to `most` − 1 is; what is missing of 1 is `most`
// and more.
std::vector<double> SharesOfCounts(const Moments& count, std::size_t most);

// Returns how likely it is that none of so many is what one of them is with the probability.
double ShareWithNone(const Moments& count, double probability);

// Returns how likely the number of items is less.
double ShareOfCountsBelow(const Moments& count, double number);

// Appends the numbers that a number of items may be, with weights whose sum is `weight`.
void AppendCounts(const Moments& count, double weight, std::vector<WeightedNumber>& numbers);

// Returns how many batches of so many items are needed on average, of which the last may be
// smaller: none for no items.
double MeanBatches(const Moments& count, double batch_items);

// What a Query or a Scan of one partition key, or one of a fan-out, meets.
struct PageLoad {
  Moments items = {};       // in the interval
  Moments item_bytes = {};  // of one of them
  double limit = 0;         // the request's Limit; 0: it has none
  double more_items = 0;    // that are read besides, and their bytes
  Moments more_bytes = {};

  friend bool operator==(const PageLoad&, const PageLoad&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const PageLoad& load) {
    return H::combine(std::move(h), load.items, load.item_bytes, load.limit, load.more_items,
                      load.more_bytes);
  }
};
struct PageCost {
  double units = 0;  // of 4 KB, as a consistent read takes them
  double items = 0;  // that are read
  double pages = 0;
};
// What reading intervals costs that differ in the number of their items only. It remembers what so
// many items cost. Used by one thread.
class PageCosts {
 public:
  // The items of `load` do not count.
  explicit PageCosts(const PageLoad& load) : load_(load) {}

  // Returns what reading the interval costs on average, to its end or until the limit. A request
  // that meets nothing takes one unit.
  PageCost Mean(const Moments& items);

 private:
  PageCost CostOf(const Moments& items) const;
  const PageCost& CostOfCount(double count);

  PageLoad load_;
  std::vector<std::optional<PageCost>> of_count_ = {};  // of 0 items, 1 item, …
  std::optional<PageCost> at_limit_ = {};
};

// Returns the same for one interval. Each thread keeps results, up to 10 MB, as a search for
// layouts asks for the same again and again.
PageCost MeanPageCost(const PageLoad& load);

// Returns the part of it that is read until `wanted` of the items that are asked for were found,
// which lie anywhere: whole pages, and all of them where `found` items are too few.
PageCost CostUntilFound(const PageCost& all, const Moments& found, double wanted);

}  // namespace hashrange
