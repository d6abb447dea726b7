// HtmlWriter puts an HTML page together: elements, attributes and text, all of them escaped. The
// caller closes what was opened. Used by one thread at a time.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "measure/report/readable_text.h"

namespace hashrange {

class HtmlWriter {
 public:
  using Attributes = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  // Begins an element. An attribute's value may be any text.
  void Open(std::string_view tag, Attributes attributes = {}) {
    Begin(tag, attributes);
    Raw(">");
  }
  void Close(std::string_view tag) { html_.append("</").append(tag).append(">\n"); }
  // Writes an element of SVG without content: <rect … />.
  void Leaf(std::string_view tag, Attributes attributes) {
    Begin(tag, attributes);
    Raw("/>\n");
  }
  // Writes an element whose content is text.
  void Element(std::string_view tag, std::string_view text, Attributes attributes = {}) {
    Open(tag, attributes);
    Text(text);
    Close(tag);
  }
  // Writes text, which may hold anything (readable_text.h).
  void Text(std::string_view text) { html_.append(HtmlText(text)); }
  // Writes HTML that holds nothing of the traffic.
  void Raw(std::string_view html) { html_.append(html); }

  // Returns a name that no other element of the page has: "i1", "i2".
  std::string NextId() { return "i" + std::to_string(++ids_); }
  // Returns the page. The writer is not used again.
  std::string Take() { return std::move(html_); }

 private:
  void Begin(std::string_view tag, Attributes attributes) {
    html_.append("<").append(tag);
    for (const auto& [name, value] : attributes) {
      html_.append(" ").append(name).append("=\"").append(HtmlText(value)).append("\"");
    }
  }

  std::string html_;
  std::size_t ids_ = 0;
};

}  // namespace hashrange
