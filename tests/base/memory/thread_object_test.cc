#include "base/memory/thread_object.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace hashrange {
namespace {

// Notes when it is made and destroyed.
std::string* notes = nullptr;

template <char kName>
struct Noted {
  Noted() { *notes += kName; }
  ~Noted() { *notes += static_cast<char>(kName - 'a' + 'A'); }
  int value = 0;
};

TEST(ThreadObject, IsMadeAtItsFirstUseAndDestroyedWithItsThread) {
  std::string noted;
  notes = &noted;
  std::thread([] {
    PrepareThread();
    OfThread<Noted<'a'>>().value = 7;
    OfThread<Noted<'b'>>().value = 8;
    EXPECT_EQ(OfThread<Noted<'a'>>().value, 7);
    EXPECT_EQ(OfThread<Noted<'b'>>().value, 8);
  }).join();
  EXPECT_EQ(noted, "abBA");
  std::thread([] { EXPECT_EQ(OfThread<Noted<'a'>>().value, 0); }).join();
  EXPECT_EQ(noted, "abBAaA");
}

}  // namespace
}  // namespace hashrange
