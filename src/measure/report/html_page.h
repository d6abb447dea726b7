// HtmlPage puts an HTML page of a report together: its head and style, a list of contents, and the
// sections. The page is one file without script, network or external asset. Pure functions.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "measure/report/html_writer.h"

namespace hashrange {

struct PageSection {
  std::string_view id = {};    // of the element; no two sections have the same
  std::string_view name = {};  // in the list of contents
  std::string_view heading = {};
  std::string_view intro = {};
  std::string_view nothing = {};  // what the section says if it has nothing to show
  std::function<void(HtmlWriter& html)> write = {};  // what is below the heading
};

// What stands before the sections.
struct PageBegin {
  std::string title = {};
  // The link for readers without a mouse, to one of the sections.
  std::string_view skip_text = {};
  std::string_view skip_id = {};
  std::function<void(HtmlWriter& html)> write = {};  // the header
};

// Returns the page.
std::string HtmlPage(const PageBegin& begin, std::span<const PageSection> sections);

}  // namespace hashrange
