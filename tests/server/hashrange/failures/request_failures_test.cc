// Calls whose allocations fail, one after the other: each answers with an error or as if nothing
// had failed, its changes are there as a whole or not at all, the same call then succeeds, and
// nothing is leaked. After each failure, everything that can be read is compared: tables, indexes,
// streams, times to live, tags. (No UpdateTable adds an index here: when there is not even the
// memory to start its backfill, the index stays CREATING until it is deleted.)
#include <gtest/gtest.h>

#include "base/memory/live_memory.h"
#include "server/hashrange/failing_requests.h"

namespace hashrange {
namespace {

using test::Failing;
using test::RequestFailures;
using test::Scenarios;

TEST_P(RequestFailures, AreErrorsAndChangeNothingByHalves) {
  FailEach(Failing::kOne);  // also fills the caches of parsed texts
  const LiveMemory before = CountLiveMemory();
  FailEach(Failing::kOne);
  FailEach(Failing::kAllFrom);
  const LiveMemory after = CountLiveMemory();
  for (const MemoryPart part :
       {MemoryPart::kItems, MemoryPart::kLeaves, MemoryPart::kInnerNodes, MemoryPart::kSeparators,
        MemoryPart::kStreamRecords, MemoryPart::kExpiries, MemoryPart::kTokens}) {
    EXPECT_EQ(before.of(part), after.of(part)) << MemoryPartName(part);
  }
  EXPECT_GT(failed_, 0);
}

TEST_P(RequestFailures, LeakNothing) {
  FailEach(Failing::kOne);
  FailEach(Failing::kAllFrom);
  const std::int64_t before = test::BlocksInUse();
  FailEach(Failing::kOne);
  FailEach(Failing::kAllFrom);
  EXPECT_EQ(test::BlocksInUse(), before);
}

INSTANTIATE_TEST_SUITE_P(Calls, RequestFailures, testing::ValuesIn(Scenarios()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace hashrange
