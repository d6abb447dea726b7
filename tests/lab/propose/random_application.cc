#include "random_application.h"

#include <string_view>
#include <vector>

namespace hashrange {
namespace {

// A sequence of numbers that depends on nothing but its seed (splitmix64).
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}

  int Below(int bound) {
    state_ += 0x9E3779B97F4A7C15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return static_cast<int>((z ^ (z >> 31)) % static_cast<std::uint64_t>(bound));
  }
  std::string OneOf(const std::vector<std::string>& texts) {
    return texts[static_cast<std::size_t>(Below(static_cast<int>(texts.size())))];
  }

 private:
  std::uint64_t state_;
};

}  // namespace

std::string RandomApplication(std::uint64_t number) {
  Draw draw(number);
  std::string text = "lab: 1\nentities:\n";
  // Each draw is a statement of its own: in which order the operands of a sum are computed is the
  // compiler's choice.
  const auto add = [&](const char* before, const std::vector<std::string>& texts) {
    text += before;
    text += draw.OneOf(texts);
  };
  add("  Owner:\n    count: ", {"50", "2000"});
  text +=
      "\n    attributes:\n      owner_id: {sequence: 6}\n      name: {text: [8, 40]}\n      city: "
      "{choice: [ulm, bonn, jena]}\n      joined: {time: {past: 300d}}\n";
  add("  Thing:\n    of: Owner\n    count: ", {"3", "{zipf: 0.7, mean: 5, max: 60}"});
  add("\n    attributes:\n      thing_id: ", {"{ulid: made}", "{uuid: true}", "{sequence: 8}"});
  add("\n      made: {time: {past: 200d}}\n      state: {choice: {NEW: 5, OLD: 95}}\n      "
      "note: {text: ",
      {"[10, 60]", "[600, 2000]"});
  add("}\n  Mark:\n    of: ", {"Owner", "Thing"});
  add("\n    count: 2\n    attributes:\n      mark_id: {uuid: true}\n      at: {time: {past: "
      "90d}}\n      about: {ref: Thing.thing_id, pick: ",
      {"uniform", "zipf"});
  text += "}\n      text: {text: [20, 300]}\n";
  const std::vector<std::string> reads = {
      "{get: Owner, by: [owner_id], pick: zipf",
      "{query: Owner, by: [city], order: -joined, limit: 10, returns: [owner_id, joined]",
      "{query: Owner, order: -joined, limit: 20, returns: [owner_id, name]",
      "{get: Thing, by: [thing_id]",
      "{query: Thing, by: [owner_id], order: -made, limit: 10",
      "{query: Thing, by: [owner_id], returns: [thing_id, state]",
      "{query: Thing, by: [{state: NEW}], order: made, limit: 20, returns: [thing_id, made]",
      "{query: [Owner, Thing], by: [owner_id]",
      "{get: Mark, by: [mark_id]",
      "{query: Mark, by: [about], order: -at, limit: 10, returns: [mark_id, at, text]",
      "{query: Mark, by: [about]"};
  const std::vector<std::string> writes = {
      "{create: Owner",
      "{create: Thing",
      "{create: Thing, set: {state: NEW}",
      "{update: Thing, by: [thing_id], set: {state: OLD}",
      "{update: Owner, by: [owner_id], set: {name: {text: [8, 40]}}",
      "{create: Mark",
      "{create: Mark, also: [{update: Thing, by: [about], set: {state: OLD}}]",
      "{delete: Thing, by: [thing_id]"};
  text += "access_patterns:\n";
  for (int i = 0; i < 5; ++i) {
    const bool is_read = i < 3;
    text += "  p" + std::to_string(i);
    add(": ", is_read ? reads : writes);
    add(", rate: ", {"1/s", "20/s", "150/s"});
    text += "}\n";
  }
  return text;
}

}  // namespace hashrange
