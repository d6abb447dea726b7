// Only src/platform/ knows which operating system the source is compiled for: no other file under
// src/ and include/ has a condition of the preprocessor that asks for one.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/source_root.h"
#include "tree/source_tree.h"

namespace hashrange {
namespace {

// The beginnings of the macros by which compilers and C libraries name a system. That of a set of
// instructions, such as __wasm_simd128__, is none of them.
constexpr std::string_view kSystemMacros[] = {
    "__linux",      "__unix",    "__APPLE__",  "__MACH__",      "_WIN32",   "_WIN64",
    "__MINGW",      "__CYGWIN",  "__wasm__",   "__wasm32",      "__wasm64", "__wasi",
    "__EMSCRIPTEN", "__FreeBSD", "__OpenBSD",  "__NetBSD",      "__sun",    "__ANDROID",
    "__GLIBC__",    "__MUSL__",  "TARGET_OS_", "__has_include", "SYS_"};

bool IsCondition(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  if (!line.starts_with('#')) return false;
  line.remove_prefix(1);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line.starts_with("if") || line.starts_with("elif");
}

// Returns the lines that ask for a system: "a.cc:3".
std::vector<std::string> SystemConditions(const std::string& file, const std::string& text) {
  std::vector<std::string> found;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (!IsCondition(line)) continue;
    for (const std::string_view macro : kSystemMacros) {
      if (line.find(macro) == std::string::npos) continue;
      found.push_back(file + ":" + std::to_string(number));
      break;
    }
  }
  return found;
}

TEST(SystemConditions, OnlyThePlatformHasThem) {
  std::vector<std::string> found;
  for (const std::string_view folder : {"src", "include"}) {
    for (const std::string& file : FilesBelow(folder, {".h", ".cc", ".def", ".inc"})) {
      if (file.starts_with("src/platform/")) continue;
      for (std::string& place : SystemConditions(file, ReadWholeFile(SourceRoot() / file))) {
        found.push_back(std::move(place));
      }
    }
  }
  EXPECT_THAT(found, testing::IsEmpty());
}

TEST(SystemConditions, MadeUpLinesAreJudged) {
  const struct {
    std::string line;
    bool is_found;
  } kCases[] = {
      {"#ifdef __linux__", true},
      {"#if defined(_WIN32) || defined(__APPLE__)", true},
      {" #  elif __wasm__", true},
      {"#ifndef __wasi__", true},
      {"#if __has_include(<unistd.h>)", true},
      {"#ifdef __x86_64__", false},
      {"// #ifdef __linux__", false},
      {"#define HR_A __linux__", false},
      {"#ifndef HR_UNWRITTEN", false},
  };
  for (const auto& [line, is_found] : kCases) {
    EXPECT_EQ(!SystemConditions("a.cc", line + "\n").empty(), is_found) << line;
  }
}

}  // namespace
}  // namespace hashrange
