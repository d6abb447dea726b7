// The journal on a disk that loses what was not flushed, against a model. A round opens the
// directory, compares it with the model, appends, and cuts the power or kills the server at any
// moment, also while the disk fails. HASHRANGE_POWER_CUTS=100000 runs so many rounds of each case.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "store/data_directory.h"
#include "store/directory_check.h"
#include "store/journal.h"
#include "store/stored_content.h"
#include "support/chance.h"
#include "support/items.h"
#include "support/simulated_disk.h"

namespace hashrange {
namespace {

using test::Below;
using test::Changes;
using test::ContentOf;
using test::ItemMaker;
using test::KeysOf;
using test::SimulatedDisk;
using test::StoredContent;

int RoundsOfEachCase() {
  const char* const wanted = std::getenv("HASHRANGE_POWER_CUTS");
  return wanted ? std::atoi(wanted) : 130;
}

struct Case {
  const char* name;
  Journal::Flush flush;
  bool cuts_power;  // false: the server is killed
  bool has_faults;
};

class Rounds {
 public:
  Rounds(const Case& kind, std::uint64_t seed) : case_(kind), random_(seed), disk_(seed) {}

  void Run() {
    if (Below(random_, 2) == 0) StartInVain();
    auto opened = test::OpenSmall(disk_, "d", case_.flush != Journal::Flush::kNever);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    CompareWithModel(**opened);
    if (testing::Test::HasFatalFailure()) return;

    Journal::Options options;
    options.flush = case_.flush;
    options.interval = std::chrono::milliseconds(Below(random_, 3));
    options.retry = std::chrono::milliseconds(1);
    if (Below(random_, 4) == 0) options.most_bytes_at_once = 1 + Below(random_, 4'000);
    auto journal = std::make_unique<Journal>(std::move(opened).value(), options);
    journal->Start();
    if (case_.has_faults) {
      // A server that is killed before it has written again what the system has dropped loses it.
      disk_.SetFaults({.one_change_in = static_cast<int>(4 + Below(random_, 60)),
                       .hides_dropped = case_.cuts_power});
    }
    AppendSome(*journal);
    // A server that has ended has flushed everything, in every mode.
    const bool ends = !case_.has_faults && Below(random_, 4) == 0;
    if (ends) {
      EXPECT_TRUE(journal->Stop().ok());
      journal.reset();
    }
    sound_ = ends ? changes_.size() : MustSurvive(*journal);
    End();
    journal.reset();
    disk_.StartAgain();
  }

  // How much was lost at most, and how often anything was.
  std::size_t lost_rounds() const { return lost_rounds_; }
  std::size_t appends() const { return appends_; }

 private:
  void End() {
    if (case_.cuts_power) {
      disk_.CutPower();
    } else {
      disk_.Kill();
    }
    disk_.SetFaults({});
  }

  // A start, or a repair, that ends somewhere in the middle, also one of a directory of format 1.
  void StartInVain() {
    if (disk_.FileExists("d/CURRENT") && Below(random_, 4) == 0) {
      disk_.SetContent("d/HASHRANGE", "hashrange data\nformat 1\n");
      disk_.RemoveFile("d/HASHRANGE.logs");
    }
    disk_.SetFaults({.from_nth_change = static_cast<int>(1 + Below(random_, 40))});
    {
      std::unique_ptr<DataDirectory> opened;
      if (Below(random_, 3) == 0) {
        (void)RepairDirectory("d", &disk_).ok();
      } else {
        auto started = test::OpenSmall(disk_, "d", case_.flush != Journal::Flush::kNever);
        if (started.ok()) opened = std::move(started).value();
      }
      End();
    }
    disk_.StartAgain();
  }

  static StoreKey CountKey() { return StoreKey::OfCounter(0); }

  // The state after the changes up to some count, which the state itself says.
  void CompareWithModel(const DataDirectory& directory) {
    const StoredContent content = ContentOf(directory);
    const auto count = content.find(std::string(CountKey().bytes()));
    const std::size_t kept = count == content.end() ? 0 : std::stoul(count->second) - base_;
    ASSERT_GE(kept, sound_) << "acknowledged changes are lost";
    ASSERT_LE(kept, changes_.size());
    for (std::size_t i = 0; i < kept; ++i) changes_[i].ApplyTo(&model_);
    ASSERT_TRUE(content == model_) << "not the state after " << kept << " changes of "
                                   << changes_.size() << ": " << FirstDifference(content);
    lost_rounds_ += kept < changes_.size();
    base_ += kept;
    changes_.clear();
  }

  // Returns a key whose value is not that of the model.
  std::string FirstDifference(const StoredContent& content) const {
    for (const auto& [key, value] : model_) {
      const auto found = content.find(key);
      if (found == content.end()) return StoreKeyText(key) + " is missing";
      if (found->second != value) return StoreKeyText(key) + " is another";
    }
    for (const auto& [key, value] : content) {
      if (!model_.contains(key)) return StoreKeyText(key) + " should not be there";
    }
    return "none";
  }

  void AppendSome(Journal& journal) {
    const std::size_t appends = Below(random_, 60);
    for (std::size_t i = 0; i < appends; ++i) {
      changes_.push_back(MakeChanges());
      positions_.resize(changes_.size());
      positions_.back() = changes_.back().AppendTo(journal);
      ++appends_;
      if (Below(random_, 8) == 0 && !case_.has_faults) {
        EXPECT_TRUE(journal.WaitUntilSafe(positions_.back()).ok());
      }
      if (Below(random_, 4) == 0) std::this_thread::yield();
      if (Below(random_, 16) == 0) std::this_thread::sleep_for(std::chrono::microseconds(300));
    }
  }

  Changes MakeChanges() {
    Changes changes;
    for (std::uint64_t left = Below(random_, 4); left > 0; --left) {
      const std::string key = "key" + std::to_string(Below(random_, 40));
      maker_.Reset();
      changes.items.push_back(
          {1 + Below<std::uint64_t>(random_, 2),
           maker_.Make({{"pk", test::S(key)},
                        {"v", maker_.Text(std::string(Below(random_, 3000),
                                                      static_cast<char>('a' + base_ % 26)))}}),
           Below(random_, 4) == 0});
    }
    const StoreKey record = StoreKey::OfStreamRecord(1, 0, Below(random_, 20));
    changes.records.emplace_back(record, Below(random_, 3) == 0 ? "" : "record");
    changes.records.emplace_back(CountKey(), std::to_string(base_ + changes_.size() + 1));
    return changes;
  }

  // How many of the round's changes must be there afterwards.
  std::size_t MustSurvive(const Journal& journal) const {
    if (case_.cuts_power && case_.flush != Journal::Flush::kAlways) return 0;
    const Journal::Position safe = journal.safe();
    return static_cast<std::size_t>(
        std::count_if(positions_.begin(), positions_.begin() + static_cast<long>(changes_.size()),
                      [&](Journal::Position position) { return position <= safe; }));
  }

  const Case case_;
  Random random_;
  SimulatedDisk disk_;
  ItemMaker maker_{KeysOf("pk")};
  StoredContent model_;  // after `base_` changes
  std::size_t base_ = 0;
  std::vector<Changes> changes_;  // those of the round
  std::vector<Journal::Position> positions_;
  std::size_t sound_ = 0;
  std::size_t lost_rounds_ = 0;
  std::size_t appends_ = 0;
};

class PowerCut : public ::testing::TestWithParam<Case> {};

TEST_P(PowerCut, LeavesAPrefixWithAllThatIsPromised) {
  Rounds rounds(GetParam(), 17);
  const int count = RoundsOfEachCase();
  for (int i = 0; i < count; ++i) {
    SCOPED_TRACE("round " + std::to_string(i));
    rounds.Run();
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(rounds.appends(), static_cast<std::size_t>(count) * 10);
  // The test would prove nothing if nothing was ever under way.
  EXPECT_GT(rounds.lost_rounds(), 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Modes, PowerCut,
    testing::Values(Case{"Always", Journal::Flush::kAlways, true, false},
                    Case{"AlwaysOnAFailingDisk", Journal::Flush::kAlways, true, true},
                    Case{"Interval", Journal::Flush::kInterval, true, false},
                    Case{"IntervalOnAFailingDisk", Journal::Flush::kInterval, true, true},
                    Case{"Never", Journal::Flush::kNever, true, false},
                    Case{"NeverOnAFailingDisk", Journal::Flush::kNever, true, true},
                    Case{"KilledWithInterval", Journal::Flush::kInterval, false, true},
                    Case{"KilledWithNever", Journal::Flush::kNever, false, true}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace hashrange
