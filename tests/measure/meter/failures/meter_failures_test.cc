// A measurement whose allocations fail: it counts each call or says that it has lost it.
#include <gtest/gtest.h>

#include <new>
#include <string>

#include "measure/key_templates.h"
#include "measure/meter/metered_api.h"
#include "support/allocation_failures.h"

namespace hashrange {
namespace {

using test::AllocationFailures;
using test::Failing;

class MeterFailures : public testing::TestWithParam<Failing>, protected MeteredApi {
 protected:
  // Puts items with so many keys that the last one merges the templates of their keys: what was
  // counted by templates is merged when it is read.
  static constexpr int kCalls = KeyTree::kMaxChildren + 1;
  void PutItems() {
    for (int i = 0; i < kCalls; ++i) {
      const std::string n = std::to_string(i);
      Put({"PK", "CUST#c" + n + "x", "SK", "META", "GSI1PK", "CUSTOMER", "GSI1SK",
           "AT#c" + n + "x"});
    }
  }
  static std::uint64_t CountedIn(const Measurement& measurement) {
    std::uint64_t calls = measurement.limits.other_resources;
    for (const PatternMeasure& pattern : measurement.patterns) calls += pattern.calls;
    return calls;
  }
};

TEST_P(MeterFailures, AReadThatFailsLosesNoCallInSilence) {
  bool have_happened = true;
  // Of the later allocations, which only describe what was counted, not each one fails.
  for (std::int64_t number = 0; have_happened && !HasFailure(); number += 1 + number / 16) {
    Start();
    PutItems();
    {
      AllocationFailures failures(number, GetParam());
      try {
        EXPECT_EQ(CountedIn(Read()), std::uint64_t{kCalls});
      } catch (const std::bad_alloc&) {
      }
      have_happened = failures.have_happened();
    }
    PutItems();
    const Result<Measurement> measurement = meter.Stop("test");
    EXPECT_EQ(CountedIn(*measurement), std::uint64_t{2 * kCalls}) << number;
  }
}

INSTANTIATE_TEST_SUITE_P(All, MeterFailures, testing::Values(Failing::kOne, Failing::kAllFrom));

}  // namespace
}  // namespace hashrange
