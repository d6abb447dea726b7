// Calls whose allocations fail, in a database that keeps its data: what a call has answered is read
// again from the directory.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "server/hashrange/failing_requests.h"
#include "support/temporary_folder.h"

namespace hashrange {
namespace {

using test::CommittedScenarios;
using test::Failing;
using test::MakeDatabase;
using test::RequestFailures;
using test::StateOf;

// The database keeps its data: after each change, another database is opened in its directory.
class KeptRequestFailures : public RequestFailures {
 protected:
  ~KeptRequestFailures() override { database_.reset(); }  // before its folder is removed

  std::string data() const { return folder_.path() / "data"; }

  // Returns whether an allocation has failed.
  bool CallOnce(Failing failing, std::int64_t number, const std::vector<std::string>& states) {
    if (!database_) {
      std::filesystem::remove_all(data());
      database_ = MakeDatabase(data());
    }
    const auto [status, body, have_happened] = TryCall(failing, number);
    const std::string state = StateOf(*database_);
    const bool is_half = std::ranges::find(states, state) == states.end();
    EXPECT_FALSE(is_half || (status == 200 && state != states.back())) << number;
    if (state == states.front() && have_happened) return true;
    std::string error;
    database_.reset();
    database_ = Database::Open({.ttl_interval_ms = 0, .data_directory = data()}, &error);
    EXPECT_TRUE(database_) << error;
    if (!database_) return false;
    EXPECT_EQ(StateOf(*database_), state) << number;
    if (GetParam().is_done_once) {
      EXPECT_TRUE(Call(*database_, GetParam().call).ok());
      EXPECT_EQ(StateOf(*database_), states.back()) << number;
    }
    database_ = nullptr;
    return have_happened;
  }

  const test::TemporaryFolder folder_;
};

TEST_P(KeptRequestFailures, AreErrorsAndAreKeptAsTheyWereAnswered) {
  const std::vector<std::string> states = AllowedStates();
  for (const Failing failing : {Failing::kOne, Failing::kAllFrom}) {
    std::int64_t number = 0;
    while (CallOnce(failing, number, states) && !HasFailure()) number += HASHRANGE_FAILURE_STEP;
    EXPECT_GT(number, 0);
    database_ = nullptr;
  }
}

INSTANTIATE_TEST_SUITE_P(Calls, KeptRequestFailures, testing::ValuesIn(CommittedScenarios()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace hashrange
