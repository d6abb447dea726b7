#include "lab/report/proposal_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "lab/language/joined_names.h"
#include "lab/plan/read/plan_sentences.h"
#include "lab/yaml/layout_yaml.h"
#include "measure/number_text.h"

namespace hashrange {
namespace {

// What the layout costs beside another one.
std::string DifferenceSentence(const ProposedLayout& one, const ProposedLayout& other) {
  const double more = one.month_usd - other.month_usd;
  const std::string usd = UsdText(std::abs(more));
  std::string sentence =
      "Beside \"" + other.layout.name + "\": " +
      (std::abs(more) < 0.005 ? "the same month"
                              : usd + (more > 0 ? " a month more" : " less a month")) +
      ", " + IndexesText(one.indexes) + " against " +
      (other.indexes == 0 ? "none" : std::to_string(other.indexes)) + ", headroom " +
      HeadroomText(one.headroom) + " against " + HeadroomText(other.headroom);
  const double further = one.further_requests - other.further_requests;
  if (std::abs(further) >= 0.05) {
    sentence += ", " + NumberText(std::abs(further)) + " requests a second " +
                (further > 0 ? "more" : "fewer");
  }
  return sentence + ".";
}

std::string Padded(std::string text, std::size_t width) {
  std::size_t columns = 0;
  for (const char byte : text) columns += (static_cast<unsigned char>(byte) & 0xC0) != 0x80 ? 1 : 0;
  return columns < width ? std::string(width - columns, ' ') + text : text;
}

std::string FigureLines(const Proposal& proposal) {
  std::vector<std::vector<std::string>> rows = {
      {""},        {"US$ a month"}, {"US$ after a month"},        {"headroom of the keys"},
      {"indexes"}, {"tables"},      {"further requests a second"}};
  for (const ProposedLayout& one : proposal.layouts) {
    rows[0].push_back(one.layout.name);
    rows[1].push_back(AmountText(one.month_usd));
    rows[2].push_back(AmountText(one.later_usd));
    rows[3].push_back(HeadroomText(one.headroom));
    rows[4].push_back(std::to_string(one.indexes));
    rows[5].push_back(std::to_string(one.layout.tables.size()));
    rows[6].push_back(AmountText(one.further_requests));
  }
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    text += row.front() + std::string(26 - row.front().size(), ' ');
    for (std::size_t i = 1; i < row.size(); ++i) {
      text += Padded(row[i], std::max<std::size_t>(12, rows[0][i].size()) + 2);
    }
    text += '\n';
  }
  return text;
}

}  // namespace

std::vector<std::string> WhyOf(const Proposal& proposal, std::size_t at) {
  const ProposedLayout& one = proposal.layouts[at];
  std::vector<std::string> why = one.why;
  if (at > 0) {
    why.push_back(DifferenceSentence(one, proposal.layouts.front()));
  } else if (proposal.layouts.size() > 1) {
    const ProposedLayout& next = proposal.layouts[1];
    why.push_back("The next, \"" + next.layout.name + "\", takes " + UsdText(next.month_usd) +
                  " a month with " + IndexesText(next.indexes) + ".");
  }
  return why;
}

Result<std::string> WithProposal(std::string_view text, const LabNode& document,
                                 const LabFile& file, const Proposal& proposal) {
  std::vector<std::string> yaml;
  for (std::size_t at = 0; at < proposal.layouts.size(); ++at) {
    const ProposedLayout& one = proposal.layouts[at];
    std::vector<std::string> comments = {UsdText(one.month_usd) + " a month, headroom " +
                                         HeadroomText(one.headroom) + ", " +
                                         IndexesText(one.indexes) + "."};
    std::ranges::move(WhyOf(proposal, at), std::back_inserter(comments));
    yaml.push_back(LayoutYaml(file, one.layout, comments));
  }
  return WithLayouts(text, document, yaml);
}

void WriteProposalJson(const LabFile& file, const Proposal& proposal, JsonWriter& writer) {
  writer.BeginObject();
  writer.BoolMember("is_best_within_space", proposal.is_best);
  writer.BoolMember("was_stopped", proposal.was_stopped);
  writer.IntegerMember("nodes", static_cast<std::int64_t>(proposal.nodes));
  writer.IntegerMember("plans", static_cast<std::int64_t>(proposal.plans));
  writer.IntegerMember("forecasts", static_cast<std::int64_t>(proposal.forecasts));
  writer.BeginArray("layouts");
  for (std::size_t at = 0; at < proposal.layouts.size(); ++at) {
    const ProposedLayout& one = proposal.layouts[at];
    writer.BeginObject();
    writer.StringMember("name", one.layout.name);
    writer.DoubleMember("month_usd", one.month_usd);
    writer.DoubleMember("month_usd_after_a_month", one.later_usd);
    if (std::isfinite(one.headroom)) writer.DoubleMember("headroom", one.headroom);
    writer.IntegerMember("indexes", one.indexes);
    writer.IntegerMember("tables", static_cast<std::int64_t>(one.layout.tables.size()));
    writer.DoubleMember("further_requests", one.further_requests);
    writer.BoolMember("is_taken", one.is_taken);
    writer.BoolMember("is_on_front", one.is_on_front);
    writer.BoolMember("is_cheapest", one.is_cheapest);
    writer.BoolMember("is_most_robust", one.is_most_robust);
    writer.BoolMember("is_simplest", one.is_simplest);
    writer.BoolMember("is_best_with_one_table", one.is_one_table);
    writer.BoolMember("is_best_with_a_table_each", one.is_table_each);
    writer.BeginArray("why");
    for (const std::string& sentence : WhyOf(proposal, at)) writer.String(sentence);
    writer.EndArray();
    writer.StringMember("yaml", LayoutYaml(file, one.layout));
    writer.EndObject();
  }
  writer.EndArray();
  writer.BeginArray("notes");
  for (const std::string& note : proposal.notes) writer.String(note);
  writer.EndArray();
  writer.EndObject();
}

std::string HeadroomText(double headroom) {
  if (!std::isfinite(headroom)) return "no limit";
  return NumberText(headroom >= 10 ? std::round(headroom) : headroom) + " ×";
}

std::string RolesText(const ProposedLayout& one) {
  std::vector<std::string> roles;
  if (one.is_taken) roles.push_back("the one to take");
  if (one.is_cheapest) roles.push_back("the cheapest");
  if (one.is_most_robust) roles.push_back("the most robust");
  if (one.is_simplest) roles.push_back("the simplest");
  if (one.is_one_table) roles.push_back("the best with one table");
  if (one.is_table_each) roles.push_back("the best with a table for each entity");
  return Enumeration(roles);
}

std::string ProposalHeadline(const Proposal& proposal) {
  const std::string take = proposal.layouts.empty() || !proposal.layouts.front().is_taken
                               ? ""
                               : " Take \"" + proposal.layouts.front().layout.name + "\".";
  const auto on_front = std::ranges::count(proposal.layouts, true, &ProposedLayout::is_on_front);
  if (proposal.was_stopped) {
    return "Stopped: the best that was found so far, " +
           CountedText(static_cast<double>(on_front), "layout") + "." + take;
  }
  return (proposal.is_best ? "Best within the stated space: " : "The best that was found: ") +
         CountedText(static_cast<double>(on_front), "layout that no other beats",
                     "layouts that no other beats") +
         " in month, headroom and indexes at once." + take;
}

std::string ProposalText(const LabFile& file, const Proposal& proposal) {
  std::string text = ProposalHeadline(proposal) + "\n";
  text += CountedText(static_cast<double>(proposal.nodes), "node was looked at",
                      "nodes were looked at") +
          ", " +
          CountedText(static_cast<double>(proposal.forecasts), "whole layout was computed",
                      "whole layouts were computed") +
          ". Months and headroom are expected, from the declarations alone.\n\n";
  text += FigureLines(proposal);
  for (std::size_t at = 0; at < proposal.layouts.size(); ++at) {
    const ProposedLayout& one = proposal.layouts[at];
    text += "\n" + LayoutYaml(file, one.layout);
    if (const std::string roles = RolesText(one); !roles.empty()) text += "  " + roles + "\n";
    for (const std::string& sentence : WhyOf(proposal, at)) text += "  why: " + sentence + "\n";
  }
  if (!proposal.notes.empty()) text += "\n";
  for (const std::string& note : proposal.notes) text += note + "\n";
  return text;
}

}  // namespace hashrange
