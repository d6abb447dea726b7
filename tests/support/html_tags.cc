#include "support/html_tags.h"

#include <set>

namespace hashrange {
namespace {

// Reads ` name="value" …`.
std::map<std::string, std::string> AttributesOf(std::string_view text) {
  std::map<std::string, std::string> attributes;
  for (std::size_t at = text.find('='); at != std::string_view::npos; at = text.find('=', at)) {
    const std::size_t blank = text.rfind(' ', at);
    const std::size_t end = text.find('"', at + 2);
    attributes.emplace(text.substr(blank + 1, at - blank - 1), text.substr(at + 2, end - at - 2));
    at = end;
  }
  return attributes;
}

HtmlTag TagOf(std::string_view inside) {
  static const std::set<std::string_view> kVoid = {"meta", "!DOCTYPE"};
  HtmlTag tag;
  tag.closes = inside.starts_with('/');
  if (tag.closes) inside.remove_prefix(1);
  tag.is_leaf = inside.ends_with('/');
  if (tag.is_leaf) inside.remove_suffix(1);
  const std::size_t end = inside.find(' ');
  tag.name = inside.substr(0, end);
  tag.is_leaf = tag.is_leaf || kVoid.contains(tag.name);
  if (end != std::string_view::npos) tag.attributes = AttributesOf(inside.substr(end));
  return tag;
}

}  // namespace

std::vector<HtmlTag> TagsOf(std::string_view html) {
  std::vector<HtmlTag> tags;
  for (std::size_t at = html.find('<'); at != std::string_view::npos;) {
    const std::size_t end = html.find('>', at);
    HtmlTag tag = TagOf(html.substr(at + 1, end - at - 1));
    const std::string_view next = tag.name == "style" && !tag.closes ? "</style" : "<";
    at = html.find(next, end);
    tag.text = html.substr(end + 1, at == std::string_view::npos ? at : at - end - 1);
    tags.push_back(std::move(tag));
  }
  return tags;
}

std::string NestingProblem(const std::vector<HtmlTag>& tags) {
  std::vector<std::string> open;
  for (const HtmlTag& tag : tags) {
    if (tag.is_leaf) continue;
    if (!tag.closes) {
      open.push_back(tag.name);
    } else if (open.empty() || open.back() != tag.name) {
      return "</" + tag.name + "> in <" + (open.empty() ? "" : open.back()) + ">";
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : "<" + open.back() + "> is left open";
}

}  // namespace hashrange
