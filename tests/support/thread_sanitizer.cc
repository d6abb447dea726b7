// What the thread sanitizer is told. Linked into every test program.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)

// LevelDB is compiled without the sanitizer, which therefore does not see that LevelDB's threads
// wait for each other, and reports races inside of LevelDB where there are none. The sanitizer
// finds the names of functions with the program that scripts/unit names.
extern "C" const char* __tsan_default_suppressions();
extern "C" const char* __tsan_default_suppressions() { return "race:^leveldb::\n"; }

#endif
#endif
