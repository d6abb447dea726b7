// RandomCondition: random conditions of up to 2^depth tests, each as a text and as a function that
// evaluates it as a tree, without the walk.
#pragma once

#include <functional>
#include <random>
#include <string>

#include "expression/expression_fixture.h"

namespace hashrange::testing {

class RandomCondition {
 public:
  static constexpr int kAttributes = 4;

  explicit RandomCondition(std::uint32_t seed) : random_(seed) {}

  // The values that the texts have.
  static Entries Values() { return {{":0", N("0")}, {":1", N("1")}, {":2", N("2")}}; }

  // Returns an item with some of the attributes a…d, and sets `numbers` to their numbers; −1 means
  // that the attribute is missing.
  static TestItem MakeItem(std::mt19937& random, int* numbers) {
    static constexpr std::string_view kNames[kAttributes] = {"a", "b", "c", "d"};
    static constexpr std::string_view kDigits[] = {"0", "1", "2", "3"};
    Entries entries;
    for (int i = 0; i < kAttributes; ++i) {
      numbers[i] = static_cast<int>(random() % 5) - 1;
      if (numbers[i] >= 0) entries.emplace_back(kNames[i], N(kDigits[numbers[i]]));
    }
    return TestItem(entries);
  }

  // Returns the text; `*holds` evaluates it on the numbers of an item.
  std::string Make(int depth, std::function<bool(const int*)>* holds) {
    const int kind = depth == 0 ? 0 : static_cast<int>(random_() % 4);
    if (kind == 0) return MakeTest(holds);
    std::function<bool(const int*)> left;
    std::function<bool(const int*)> right;
    const std::string first = Make(depth - 1, &left);
    if (kind == 3) {
      *holds = [left](const int* n) { return !left(n); };
      return "NOT " + Group(first);
    }
    const std::string second = Make(depth - 1, &right);
    const bool is_and = kind == 1;
    *holds = [left, right, is_and](const int* n) {
      return is_and ? left(n) && right(n) : left(n) || right(n);
    };
    return Group(first) + (is_and ? " AND " : " OR ") + Group(second);
  }

 private:
  static std::string Group(const std::string& text) { return "(" + text + ")"; }

  std::string MakeTest(std::function<bool(const int*)>* holds) {
    const int x = static_cast<int>(random_() % 4);
    const int y = static_cast<int>((x + 1 + random_() % 3) % 4);
    const std::string a(1, static_cast<char>('a' + x));
    const std::string b(1, static_cast<char>('a' + y));
    switch (random_() % 5) {
      case 0:
        *holds = [x, y](const int* n) { return n[x] >= 0 && n[y] >= 0 && n[x] < n[y]; };
        return a + " < " + b;
      case 1:
        *holds = [x, y](const int* n) { return !(n[x] >= 0 && n[x] == n[y]); };
        return a + " <> " + b;
      case 2:
        *holds = [x](const int* n) { return n[x] >= 1 && n[x] <= 2; };
        return a + " BETWEEN :1 AND :2";
      case 3:
        *holds = [x](const int* n) { return n[x] < 0; };
        return "attribute_not_exists(" + a + ")";
      default:
        *holds = [x, y](const int* n) { return n[x] >= 0 && (n[x] == 0 || n[x] == n[y]); };
        return a + " IN (:0, " + b + ")";
    }
  }

  std::mt19937 random_;
};

}  // namespace hashrange::testing
