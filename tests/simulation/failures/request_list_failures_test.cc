// A list of requests whose allocations fail.
#include <gtest/gtest.h>

#include <new>
#include <string>

#include "simulation/request_list.h"
#include "support/allocation_failures.h"

namespace hashrange {
namespace {

using test::AllocationFailures;
using test::Failing;

RequestRecord Large() {
  RequestRecord record;
  record.message = std::string(100'000, 'x');
  return record;
}

TEST(RequestListFailures, ARecordThatCannotBeDroppedIsDroppedLater) {
  bool have_happened = true;
  for (std::int64_t number = 0; have_happened && !HasFailure(); ++number) {
    RequestList list;
    for (int i = 0; i < 10; ++i) list.Add(Large());
    {
      AllocationFailures failures(number, Failing::kAllFrom);
      try {
        list.SetLimit(3);
      } catch (const std::bad_alloc&) {
      }
      have_happened = failures.have_happened();
    }
    list.SetLimit(3);
    for (int i = 0; i < 5; ++i) list.Add(Large());
    const RequestList::Page page = list.Find({});
    ASSERT_EQ(page.records.size(), 3u) << number;
    EXPECT_EQ(page.records.front()->id, 13u);
    EXPECT_EQ(page.missed, 12u);
  }
}

}  // namespace
}  // namespace hashrange
