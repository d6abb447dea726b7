// RunOnSmallStack shows that a piece of code needs no deep stack.
#pragma once

#include <gtest/gtest.h>
#include <pthread.h>

#include <functional>

namespace hashrange::testing {

// Runs `work` on a thread with a stack of 512 KiB, a fraction of the usual one, and waits for
// it.
inline void RunOnSmallStack(const std::function<void()>& work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 512 << 10);
  pthread_t thread;
  const auto run = [](void* argument) -> void* {
    (*static_cast<const std::function<void()>*>(argument))();
    return nullptr;
  };
  ASSERT_EQ(
      pthread_create(&thread, &attributes, run, const_cast<void*>(static_cast<const void*>(&work))),
      0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

}  // namespace hashrange::testing
