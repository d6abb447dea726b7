// Distribution: how often each size of a quantity was seen, such as the read units of one call. It
// gives percentiles without keeping every value. Multiples of 0.5 up to 128 are counted exactly;
// a larger value is counted in a bucket whose width is at most 1/32 of the value. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace hashrange {

class Distribution {
 public:
  // The values of one bucket, and how often they were seen.
  struct Bucket {
    std::uint32_t number = 0;  // BucketOf
    std::uint64_t count = 0;

    friend bool operator==(const Bucket&, const Bucket&) = default;
  };

  // Returns the number of the bucket that counts `value`, which is 0 or more.
  static std::uint32_t BucketOf(double value);
  // Returns the greatest value that the bucket counts.
  static double GreatestOf(std::uint32_t bucket);

  // Cost: a few instructions when the value is the same as in the latest Add.
  void Add(double value, std::uint64_t times = 1) {
    if (value != latest_value_) return AddOther(value, times);
    count_ += times;
    sum_ += value * static_cast<double>(times);
    buckets_[latest_].count += times;
  }
  void Add(const Distribution& other);
  // Undoes an earlier Add of `other`; `max` stays.
  void Subtract(const Distribution& other);

  std::uint64_t count() const { return count_; }
  double sum() const { return sum_; }
  double max() const { return max_; }
  double mean() const { return count_ == 0 ? 0 : sum_ / static_cast<double>(count_); }
  // Returns the least value that at least `share` (0 to 1) of all values do not exceed, or for a
  // value above 128 the greatest of its bucket; 0 without values.
  double Percentile(double share) const;
  // Returns how many values exceed `limit`. Values in the bucket of `limit` do not count.
  std::uint64_t CountAbove(double limit) const;
  // Returns the buckets that are not empty, ascending by number.
  std::span<const Bucket> buckets() const { return buckets_; }

  // Makes a distribution of what the functions above gave.
  static Distribution Of(std::vector<Bucket> buckets, double sum, double max);

  friend bool operator==(const Distribution& a, const Distribution& b) {
    return a.count_ == b.count_ && a.sum_ == b.sum_ && a.max_ == b.max_ && a.buckets_ == b.buckets_;
  }

 private:
  // Equals no value, not even itself.
  static constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

  void AddOther(double value, std::uint64_t times);
  // Returns the place of the bucket.
  std::size_t AddToBucket(std::uint32_t number, std::uint64_t times);

  std::uint64_t count_ = 0;
  double sum_ = 0;
  double max_ = 0;
  std::vector<Bucket> buckets_;
  // The value of the latest Add, and the place of its bucket.
  double latest_value_ = kNoValue;
  std::size_t latest_ = 0;
};

}  // namespace hashrange
