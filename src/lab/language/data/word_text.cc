// Texts of plain words. What they say does not matter, but how long they are does, and that they
// compress and read like text.
#include <array>

#include "lab/language/data/value_text.h"

namespace hashrange {
namespace {

constexpr std::array<std::string_view, 256> kWords = {
    "able",    "about",   "above",  "across",  "after",  "again",   "against",   "age",
    "ago",     "air",     "all",    "almost",  "alone",  "along",   "also",      "always",
    "amount",  "and",     "animal", "another", "answer", "any",     "apple",     "area",
    "arm",     "around",  "arrive", "art",     "ask",    "away",    "baby",      "back",
    "ball",    "bank",    "base",   "basket",  "beach",  "bear",    "beautiful", "because",
    "become",  "bed",     "before", "begin",   "behind", "believe", "below",     "best",
    "better",  "between", "big",    "bird",    "black",  "blue",    "boat",      "body",
    "book",    "both",    "box",    "boy",     "branch", "bread",   "bridge",    "bright",
    "bring",   "brother", "brown",  "build",   "busy",   "buy",     "cake",      "call",
    "camp",    "can",     "car",    "card",    "care",   "carry",   "cat",       "catch",
    "center",  "chair",   "change", "child",   "choose", "circle",  "city",      "class",
    "clean",   "clear",   "climb",  "clock",   "close",  "cloud",   "coat",      "cold",
    "color",   "come",    "cook",   "cool",    "copy",   "corn",    "corner",    "count",
    "country", "course",  "cover",  "cross",   "cup",    "cut",     "dance",     "dark",
    "day",     "deep",    "desk",   "dinner",  "door",   "down",    "draw",      "dream",
    "dress",   "drink",   "drive",  "dry",     "each",   "early",   "earth",     "east",
    "easy",    "eat",     "edge",   "egg",     "eight",  "empty",   "end",       "enough",
    "enter",   "evening", "every",  "eye",     "face",   "fall",    "family",    "far",
    "farm",    "fast",    "father", "feel",    "few",    "field",   "fill",      "find",
    "fine",    "finger",  "fire",   "first",   "fish",   "five",    "floor",     "flower",
    "fly",     "follow",  "food",   "foot",    "forest", "forget",  "four",      "fresh",
    "friend",  "from",    "front",  "fruit",   "full",   "game",    "garden",    "gate",
    "gentle",  "girl",    "give",   "glad",    "glass",  "go",      "gold",      "good",
    "grass",   "great",   "green",  "ground",  "group",  "grow",    "half",      "hand",
    "happy",   "hard",    "hat",    "have",    "head",   "hear",    "heart",     "heavy",
    "help",    "here",    "high",   "hill",    "hold",   "home",    "hope",      "horse",
    "hot",     "hour",    "house",  "how",     "ice",    "idea",    "inside",    "island",
    "job",     "join",    "jump",   "just",    "keep",   "key",     "kind",      "kitchen",
    "know",    "lake",    "land",   "large",   "last",   "late",    "laugh",     "leaf",
    "learn",   "leave",   "left",   "letter",  "light",  "like",    "line",      "listen",
    "little",  "long",    "look",   "love",    "low",    "lunch",   "machine",   "make",
    "many",    "map",     "market", "meadow",  "meal",   "meet",    "middle",    "morning",
};

}  // namespace

void AppendWords(std::size_t bytes, DrawSequence& draws, std::string& out) {
  const std::size_t end = out.size() + bytes;
  std::uint64_t bits = 0;
  for (int word = 0; out.size() < end; ++word, bits >>= 8) {
    if (word % 8 == 0) bits = draws.Next();
    out += kWords[bits & 0xff];
    out += ' ';
  }
  out.resize(end);
  if (bytes > 0 && out.back() == ' ') out.back() = 's';
}

}  // namespace hashrange
