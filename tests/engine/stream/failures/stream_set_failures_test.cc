// A set of streams whose allocations fail, one after the other.
#include <gtest/gtest.h>

#include <new>
#include <string>
#include <vector>

#include "engine/stream/stream_fixture.h"
#include "engine/stream/stream_set.h"
#include "support/allocation_failures.h"

namespace hashrange::test {
namespace {

class StreamSetFailures : public testing::Test {
 protected:
  std::size_t Count() {
    bool more = false;
    return streams_.List(kAccount, {.limit = 100}, &more).size();
  }

  ManualClock clock_{kNowMs};
  StreamSet streams_{clock_, {}};
};

// Streams that are not forgotten then are still closed streams, which are gone after a day.
TEST_F(StreamSetFailures, AStreamIsForgottenWhollyOrNotAtAll) {
  std::int64_t failed = 0;
  for (bool have_happened = true; have_happened; ++failed) {
    for (const char* name : {"a", "b", "c"}) {
      const StreamRef stream = streams_.Open(
          kAccount,
          MakeDefinition(std::string("a table with a long name ") + name + std::to_string(failed),
                         StreamView::kKeysOnly));
      streams_.Close(kAccount, *stream, clock_.NowEpochMs(), clock_.NowEpochMs());
    }
    std::vector<StreamRef> forgotten;
    {
      AllocationFailures failures(failed, Failing::kOne);
      try {
        streams_.ForgetClosed({}, &forgotten);
      } catch (const std::bad_alloc&) {
      }
      have_happened = failures.have_happened();
    }
    EXPECT_EQ(Count() + forgotten.size(), 3u) << failed;
    for (const StreamRef& stream : forgotten) {
      EXPECT_EQ(streams_.Find(kAccount, stream->arn()), nullptr);
    }
    clock_.Advance(kStreamRetentionMs);
    EXPECT_EQ(Count(), 0u) << failed;
  }
  EXPECT_GT(failed, 3);
}

}  // namespace
}  // namespace hashrange::test
