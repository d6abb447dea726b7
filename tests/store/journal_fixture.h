// A journal on a simulated disk, and what its tests ask of it.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "store/journal.h"
#include "store/stored_content.h"
#include "support/items.h"
#include "support/simulated_disk.h"

namespace hashrange::test {

class JournalFixture : public ::testing::Test {
 protected:
  Journal& Open(Journal::Flush flush = Journal::Flush::kAlways) {
    journal_.reset();
    Journal::Options options = options_;
    options.flush = flush;
    options.retry = std::chrono::milliseconds(1);
    auto opened = OpenSmall(disk_, "d", flush != Journal::Flush::kNever);
    EXPECT_TRUE(opened.ok());
    journal_ = std::make_unique<Journal>(std::move(opened).value(), options);
    return *journal_;
  }
  Journal& Start(Journal::Flush flush = Journal::Flush::kAlways) {
    Journal& journal = Open(flush);
    journal.Start();
    return journal;
  }

  // Ends the journal and returns what is stored.
  StoredContent Stored() {
    EXPECT_TRUE(journal_->Stop().ok());
    journal_.reset();
    return StoredAfterEnd();
  }
  StoredContent StoredAfterEnd(const std::string& path = "d") {
    const auto opened = OpenSmall(disk_, path);
    EXPECT_TRUE(opened.ok()) << opened.error().message;
    return opened.ok() ? ContentOf(**opened) : StoredContent();
  }
  Changes Put(const std::string& key, std::size_t bytes = 10) {
    Changes changes;
    changes.items.push_back(
        {1, maker_.Make({{"pk", S(key)}, {"v", maker_.Text(std::string(bytes, 'x'))}}), false});
    return changes;
  }
  // Puts an item and waits until that is safe.
  Changes PutSafely(const std::string& key, std::size_t bytes = 10) {
    const Changes changes = Put(key, bytes);
    EXPECT_TRUE(journal_->WaitUntilSafe(changes.AppendTo(*journal_)).ok());
    return changes;
  }

  StoredContent StoredAfterPowerCut() {
    disk_.CutPower();
    journal_.reset();
    disk_.StartAgain();
    return StoredAfterEnd();
  }

  static StoredContent ContentAfter(const std::vector<Changes>& all) {
    StoredContent content;
    for (const Changes& changes : all) changes.ApplyTo(&content);
    return content;
  }
  static std::string Refusal(Journal& journal) {
    const Status status = journal.AdmitChange();
    if (status.ok()) return "";
    EXPECT_EQ(status.error().code, ErrorCode::kInternalServerError);
    return status.error().message;
  }

  SimulatedDisk disk_{3};
  ItemMaker maker_{KeysOf("pk")};
  Journal::Options options_;
  std::unique_ptr<Journal> journal_;
};

}  // namespace hashrange::test
