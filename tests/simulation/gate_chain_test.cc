// Tests that the chain asks its gates in order, and that without an active gate there is none.
#include "simulation/gate_chain.h"

#include <gtest/gtest.h>

#include <string>

namespace hashrange {
namespace {

// Records what it is asked.
class Witness : public Gate {
 public:
  Witness(char name, std::string* log) : name_(name), log_(log) {}

  std::optional<Error> Begin(Call&) override { return Note('B'); }
  std::optional<Error> Enter(Call&, const Access&) override { return Note('E'); }
  void Leave(Call&, const Access&, const Usage& usage) override {
    Note(usage.units > 0 ? 'L' : 'l');
    if (usage.refusal) log_->append("(" + usage.refusal->message + ") ");
  }
  void Charge(Call&, const Access&, const Usage& usage) override {
    Note(usage.units > 0 ? 'C' : 'c');
  }
  void End(Call&, const CallOutcome&) override { Note('Z'); }

  bool refuses = false;

 private:
  std::optional<Error> Note(char what) {
    log_->append({name_, what, ' '});
    if (!refuses) return std::nullopt;
    return Error{ErrorCode::kThrottlingException, std::string(1, name_), nullptr};
  }

  const char name_;
  std::string* const log_;
};

class GateChainTest : public testing::Test {
 protected:
  std::string TakeLog() { return std::exchange(log_, {}); }

  std::string log_;
  Witness faults_{'f', &log_};
  Witness recorder_{'r', &log_};
  GateChain chain_;
  Call call_;
};

TEST_F(GateChainTest, WithoutAnActiveGateThereIsNone) {
  EXPECT_EQ(chain_.slot().load(), nullptr);
  chain_.Activate(GateChain::Place::kFaults, faults_);
  EXPECT_EQ(chain_.slot().load(), &chain_);
  chain_.Activate(GateChain::Place::kRecorder, recorder_);
  chain_.Deactivate(GateChain::Place::kFaults);
  EXPECT_EQ(chain_.slot().load(), &chain_);
  chain_.Deactivate(GateChain::Place::kRecorder);
  EXPECT_EQ(chain_.slot().load(), nullptr);
}

TEST_F(GateChainTest, AsksInTheOrderOfThePlaces) {
  chain_.Activate(GateChain::Place::kFaults, faults_);
  chain_.Activate(GateChain::Place::kRecorder, recorder_);
  EXPECT_FALSE(chain_.Begin(call_));
  EXPECT_FALSE(chain_.Enter(call_, {}));
  chain_.Leave(call_, {}, {.units = 1});
  chain_.End(call_, {});
  EXPECT_EQ(TakeLog(), "rB fB rE fE rL fL fZ rZ ");
}

TEST_F(GateChainTest, AccessRefusedByALaterGateLeavesTheEarlierOnes) {
  chain_.Activate(GateChain::Place::kFaults, faults_);
  chain_.Activate(GateChain::Place::kRecorder, recorder_);
  faults_.refuses = true;
  const auto refused = chain_.Enter(call_, {});
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->message, "f");
  EXPECT_EQ(TakeLog(), "rE fE rl (f) ");
  recorder_.refuses = true;
  EXPECT_EQ(chain_.Begin(call_)->message, "r");
  EXPECT_EQ(TakeLog(), "rB ");
}

// Charge is no question: no gate can end it for the gates behind it.
TEST_F(GateChainTest, AChargeReachesEveryActiveGate) {
  chain_.Activate(GateChain::Place::kFaults, faults_);
  faults_.refuses = true;
  chain_.Charge(call_, {}, {.units = 1});
  EXPECT_EQ(TakeLog(), "fC ");
  chain_.Activate(GateChain::Place::kRecorder, recorder_);
  recorder_.refuses = true;
  chain_.Charge(call_, {}, {.units = 1});
  EXPECT_EQ(TakeLog(), "rC fC ");
}

}  // namespace
}  // namespace hashrange
