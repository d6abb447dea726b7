// The tags of an HTML page, as far as a test of the report's structure needs them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hashrange {

struct HtmlTag {
  std::string name = {};
  bool closes = false;   // </p>
  bool is_leaf = false;  // <rect … />, <meta>
  std::map<std::string, std::string> attributes = {};
  std::string text = {};  // between this tag and the next
};

// Returns all tags in order. What is between <style> and </style> is the text of <style>.
std::vector<HtmlTag> TagsOf(std::string_view html);

// Returns the first problem of nesting: a tag that closes another one than the last that is open,
// or one that is left open. Empty: there is none.
std::string NestingProblem(const std::vector<HtmlTag>& tags);

}  // namespace hashrange
