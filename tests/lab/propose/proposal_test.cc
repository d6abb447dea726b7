#include "lab/propose/proposal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <sstream>
#include <string>

#include "lab/language/lab_reader.h"
#include "lab/yaml/layout_yaml.h"
#include "support/source_root.h"

namespace hashrange {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string TextOfExample(const std::string& name) {
  std::ifstream in(SourceRoot() / "lab/examples" / name);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

constexpr const char* kTasks = R"(lab: 1
entities:
  User:
    count: 500
    attributes:
      user_id: {sequence: 6}
      email: "{user_id}@example.com"
  Task:
    of: User
    count: 20
    attributes:
      task_id: {ulid: made}
      made: {time: {past: 90d}}
      state: {choice: {OPEN: 10, DONE: 90}}
      text: {text: [20, 80]}
access_patterns:
  user: {get: User, by: [user_id], rate: 10/s}
  tasks of a user: {query: Task, by: [user_id], order: -made, limit: 20, rate: 20/s}
  task: {get: Task, by: [task_id], rate: 5/s}
  sign up: {create: User, unique: [email], rate: 1/s}
  add a task: {create: Task, rate: 5/s}
)";

Result<Proposal> ProposalFor(const std::string& text, const ProposeOptions& options = {}) {
  const auto lab = LoadApplication(text, "tasks.yaml");
  if (!lab.ok()) return lab.error();
  return ProposeLayouts(lab->file, options);
}

TEST(Proposal, NamesTheBestOfEachKind) {
  const auto proposal = ProposalFor(kTasks);
  ASSERT_TRUE(proposal.ok()) << proposal.error().message;
  EXPECT_TRUE(proposal->is_best);
  const auto count = [&](bool ProposedLayout::*is) {
    return std::ranges::count(proposal->layouts, true, is);
  };
  EXPECT_EQ(count(&ProposedLayout::is_cheapest), 1);
  EXPECT_EQ(count(&ProposedLayout::is_most_robust), 1);
  EXPECT_EQ(count(&ProposedLayout::is_simplest), 1);
  EXPECT_EQ(count(&ProposedLayout::is_one_table), 1);
  EXPECT_EQ(count(&ProposedLayout::is_table_each), 1);
  EXPECT_EQ(proposal->layouts.front().layout.name, "cheapest");
  for (const ProposedLayout& one : proposal->layouts) {
    EXPECT_FALSE(one.why.empty());
    EXPECT_GE(one.month_usd,
              proposal->layouts.front().is_on_front ? 0 : proposal->layouts.front().month_usd);
  }
}

// No layout of the front is at least as good as another one in month, indexes and headroom.
TEST(Proposal, NoLayoutOfTheFrontBeatsAnother) {
  const auto proposal = ProposalFor(kTasks);
  ASSERT_TRUE(proposal.ok()) << proposal.error().message;
  for (const ProposedLayout& one : proposal->layouts) {
    for (const ProposedLayout& other : proposal->layouts) {
      if (&one == &other || !one.is_on_front || !other.is_on_front) continue;
      EXPECT_FALSE(one.month_usd <= other.month_usd && one.headroom >= other.headroom &&
                   one.indexes <= other.indexes)
          << one.layout.name << " and " << other.layout.name;
    }
  }
}

// A table for each entity asks 30 requests a second more than what puts accounts and their contacts
// together.
TEST(Proposal, TakesWhatAsksFewerRequests) {
  constexpr const char* kOffice = R"(lab: 1
entities:
  Account:
    count: 2000
    attributes: {account_id: {sequence: 6}, name: {text: 20}}
  Contact:
    of: Account
    count: 4
    attributes: {contact_id: {sequence: 7}, about: {text: [800, 1000]}}
  Note:
    of: Contact
    count: 1
    attributes: {note_id: {sequence: 7}, text: {text: 20}}
access_patterns:
  account with contacts: {query: [Account, Contact], by: [account_id], rate: 30/s}
  open an account: {create: Account, with: [Contact], rate: 2/s}
)";
  const auto proposal = ProposalFor(kOffice);
  ASSERT_TRUE(proposal.ok()) << proposal.error().message;
  const ProposedLayout& taken = proposal->layouts.front();
  EXPECT_TRUE(taken.is_taken);
  EXPECT_TRUE(taken.is_by_collection);
  EXPECT_EQ(taken.further_requests, 0);
  const auto each = std::ranges::find(proposal->layouts, true, &ProposedLayout::is_table_each);
  ASSERT_NE(each, proposal->layouts.end());
  EXPECT_NEAR(each->further_requests, 30, 1e-9);
  EXPECT_FALSE(each->is_taken);
}

TEST(Proposal, WithoutIndexesCopiesServe) {
  const auto proposal = ProposalFor(kTasks, {.most_indexes = 0});
  ASSERT_TRUE(proposal.ok()) << proposal.error().message;
  for (const ProposedLayout& one : proposal->layouts) EXPECT_EQ(one.indexes, 0);
}

// Who finds a unit by its donation has to change its other copies, too.
TEST(Proposal, ACopyHasWhatLeadsToTheOthers) {
  constexpr const char* kUnits = R"(lab: 1
entities:
  Donation: {count: 100, attributes: {donation_id: {sequence: 6}, tested: {text: 9}}}
  Order: {count: 100, attributes: {order_id: {sequence: 6}}}
  Unit:
    of: Donation
    count: [1, 3]
    attributes: {unit_id: {uuid: true}, status: {choice: {HELD: 1, FREE: 9}}, order_id: {ref: Order.order_id}}
access_patterns:
  units of an order: {query: Unit, by: [order_id], rate: 1/s}
  test:
    update: Donation
    by: [donation_id]
    set: {tested: {text: 9}}
    also: [{update: Unit, each: Unit, by: [donation_id], set: {status: FREE}}]
    rate: 1/s
  reserve: {update: Unit, by: [unit_id], set: {order_id: {ref: Order.order_id}}, rate: 1/s}
)";
  const auto proposal = ProposalFor(kUnits, {.most_indexes = 0});
  ASSERT_TRUE(proposal.ok()) << proposal.error().message;
}

TEST(Proposal, SaysThatMoreIndexesAreNeeded) {
  constexpr const char* kStays = R"(lab: 1
entities:
  Marina: {count: 9, attributes: {marina_id: {sequence: 4}}}
  Berth: {of: Marina, count: 9, attributes: {berth_id: {sequence: 6}}}
  Stay:
    of: Berth
    count: 9
    attributes: {stay_id: {uuid: true}, ends_at: {time: {past: 9d}}, state: {choice: {HERE: 1, GONE: 9}}}
access_patterns:
  stays of a marina: {query: Stay, by: [marina_id], order: ends_at, rate: 1/s}
  check out: {update: Stay, by: [stay_id], set: {state: GONE}, rate: 1/s}
)";
  const auto without = ProposalFor(kStays, {.most_indexes = 0});
  ASSERT_FALSE(without.ok());
  EXPECT_EQ(without.error().message,
            "no layout with at most 0 indexes serves all patterns together, though each can be "
            "served by itself: without an index and without copies, no key serves \"stays of a "
            "marina\". Allow more with --max-indexes");
  EXPECT_TRUE(ProposalFor(kStays, {.most_indexes = 1}).ok());
}

// A key has its entity's own attributes, and of an ancestor only the identity.
TEST(Proposal, PutsNoAttributeOfAParentIntoAKey) {
  constexpr const char* kOrders = R"(lab: 1
entities:
  Order:
    count: 300
    attributes: {order_id: {ulid: placed}, placed: {time: {past: 90d}}, customer: {text: 8}}
  Line:
    of: Order
    count: 3
    attributes: {line_id: {uuid: true}, amount: {number: [1, 900]}}
access_patterns:
  order with its lines: {query: [Order, Line], by: [order_id], rate: 20/s}
  orders of a customer: {query: Order, by: [customer], order: -placed, limit: 10, rate: 5/s}
  all of a customer: {query: [Order, Line], by: [customer], rate: 5/s}
)";
  const auto proposal = ProposalFor(kOrders);
  ASSERT_FALSE(proposal.ok());
  EXPECT_EQ(
      proposal.error().message,
      "nothing in the space of layouts serves \"all of a customer\": Line's items do not hold "
      "customer, so nothing can be filtered by it");
}

// Returns the layout to take, as YAML. All that are proposed can be read again.
std::string TakenFor(const std::string& text, const ProposeOptions& options = {}) {
  const auto lab = LoadApplication(text, "tasks.yaml");
  const auto proposal = ProposalFor(text, options);
  EXPECT_TRUE(proposal.ok()) << proposal.error().message;
  if (!proposal.ok()) return {};
  for (const ProposedLayout& one : proposal->layouts) {
    const auto again =
        LoadLab(text + "layouts:\n" + LayoutYaml(lab->file, one.layout), "proposed.yaml");
    EXPECT_TRUE(again.ok()) << again.error().message;
  }
  return LayoutYaml(lab->file, proposal->layouts.front().layout);
}

// A shop is asked for by its code. The orders of a customer are shorter where neither they nor an
// index have labels; those of customers come behind them.
TEST(Proposal, LeavesOutLabelsThatNothingNeeds) {
  const std::string taken = TakenFor(R"(lab: 1
entities:
  Shop:
    count: 100
    attributes: {shop_id: {sequence: 5}, widget_key: "wk-{shop_id}", theme: {text: [300, 900]}}
  Customer:
    count: 5000
    attributes: {customer_id: {sequence: 7}, name: {text: [10, 30]}}
  Order:
    of: Customer
    count: 20
    attributes: {order_id: {ulid: made}, made: {time: {past: 90d}}, state: {choice: [A, B]}, note: {text: [60, 70]}}
  Line:
    of: Order
    count: 3
    attributes: {line_id: {uuid: true}, text: {text: 600}}
access_patterns:
  widget: {get: Shop, by: [widget_key], rate: 1/s}
  customer with orders: {query: [Customer, Order], by: [customer_id], order: -made, limit: 20, rate: 20/s}
  order with lines: {query: [Order, Line], by: [order_id], rate: 30/s}
  add a line: {create: Line, rate: 0.1/s}
  order: {create: Order, rate: 0.1/s}
)");
  EXPECT_THAT(taken, HasSubstr("      shops:\n        key: [widget_key]\n"));
  EXPECT_THAT(taken, HasSubstr("by_customer: {key: [customer_id, PK], projection: all}"));
  EXPECT_THAT(taken, HasSubstr(R"(Customer: {PK: "CUSTOMER#{customer_id}", SK: "CUSTOMER"})"));
  EXPECT_THAT(taken, HasSubstr(R"(Order: {PK: "{order_id}", SK: "ORDER"})"));
  EXPECT_THAT(taken, HasSubstr(R"(Line: {PK: "{order_id}", SK: "LINE#{line_id}"})"));
}

TEST(Proposal, HasATextThatOnlyAUniqueValueLeadsToInOneItem) {
  const std::string taken = TakenFor(R"(lab: 1
entities:
  User:
    count: 5000
    attributes: {user_id: {sequence: 7}, email: {text: [10, 30]}, secret: {text: 60}, name: {text: 20}, state: {choice: [A, B]}}
access_patterns:
  user: {get: User, by: [user_id], returns: [user_id, name, state], rate: 9/s}
  log in: {get: User, by: [email], returns: [user_id, secret], rate: 9/s}
  sign up: {create: User, unique: [email], rate: 0.1/s}
)",
                                     {.most_indexes = 0});
  EXPECT_THAT(
      taken,
      HasSubstr(
          R"({PK: "USER#{user_id}", SK: "USER", attributes: [user_id, email, name, state]})"));
  EXPECT_THAT(taken,
              HasSubstr(R"({PK: "EMAIL#{email}", SK: "EMAIL", attributes: [user_id, secret]})"));
}

// What the pitches of a site lie in order by is their identity.
TEST(Proposal, SortsAParentAndItsChildrenByTheChildrensIdentity) {
  const std::string taken = TakenFor(R"(lab: 1
entities:
  Site: {count: 300, attributes: {site_id: {sequence: 5}, name: {text: [10, 40]}}}
  Pitch: {of: Site, count: 150, attributes: {pitch_id: {sequence: 6}, label: {text: 150}}}
  Guest: {count: 900, attributes: {guest_id: {sequence: 6}, name: {text: 9}}}
access_patterns:
  site with its pitches: {query: [Site, Pitch], by: [site_id], rate: 9/s}
  add a pitch: {create: Pitch, rate: 0.1/s}
  guest: {get: Guest, by: [guest_id], rate: 1/s}
)",
                                     {.tables = {.least = 2, .most = 9}});
  EXPECT_THAT(taken, HasSubstr("key: [site_id, pitch_id]"));
  EXPECT_THAT(taken, HasSubstr(R"(Site: {pitch_id: "SITE"})"));
  EXPECT_THAT(taken, HasSubstr("Pitch: {}"));
}

// A time that tells the children apart needs no label either: the parent's word is behind all
// times.
TEST(Proposal, SortsAParentAndItsChildrenByTheTimeThatTellsThemApart) {
  const std::string taken = TakenFor(R"(lab: 1
entities:
  Teacher: {count: 300, attributes: {teacher_id: {sequence: 5}, name: {text: [10, 40]}}}
  Lesson:
    of: Teacher
    count: 300
    distinct: starts_at
    attributes: {lesson_id: {uuid: true}, starts_at: {time: {past: 90d}}, topic: {text: 290}}
  Guest: {count: 900, attributes: {guest_id: {sequence: 6}, name: {text: 9}}}
access_patterns:
  calendar: {query: [Teacher, Lesson], by: [teacher_id], order: -starts_at, limit: 60, rate: 9/s}
  add a lesson: {create: Lesson, rate: 0.1/s}
  guest: {get: Guest, by: [guest_id], rate: 1/s}
)",
                                     {.tables = {.least = 2, .most = 9}});
  EXPECT_THAT(taken, HasSubstr("key: [teacher_id, starts_at]"));
  EXPECT_THAT(taken, HasSubstr(R"(Teacher: {starts_at: "TEACHER"})"));
  EXPECT_THAT(taken, HasSubstr("Lesson: {}"));
}

// Nobody asks for a shift by its identity, so it is kept where it is asked for.
TEST(Proposal, KeepsWhatNobodyFindsByItsIdentityWhereItIsAskedFor) {
  const std::string taken = TakenFor(R"(lab: 1
entities:
  Shift:
    count: 6000
    attributes:
      shift_id: {uuid: true}
      team: {choice: [north, south, east, west]}
      ends_at: {time: {ahead: 90d}}
      engineer: {text: [10, 30]}
access_patterns:
  on call: {query: Shift, by: [team], range: {ends_at: {next: 2d}}, order: ends_at, limit: 4, rate: 5/s}
)",
                                     {.tables = {.least = 1, .most = 9}});
  EXPECT_THAT(taken, HasSubstr("TEAM#{team}"));
  EXPECT_THAT(taken, Not(HasSubstr("GSI1")));
}

// A report is asked for by its state only: it lies with its tool, as a reader would expect.
TEST(Proposal, KeepsWithItsParentWhatIsFoundByAnIndexOnly) {
  const std::string taken = TakenFor(R"(lab: 1
entities:
  Tool: {count: 2000, attributes: {tool_id: {sequence: 5}, model: {text: [10, 40]}}}
  Report:
    of: Tool
    count: 3
    attributes:
      report_id: {ulid: made}
      made: {time: {past: 90d}}
      state: {choice: {OPEN: 5, DONE: 95}}
      text: {text: [20, 90]}
access_patterns:
  tool: {get: Tool, by: [tool_id], rate: 2/s}
  open reports: {query: Report, by: [{state: OPEN}], order: made, limit: 50, returns: [report_id, tool_id, made], rate: 0.5/s}
  report: {create: Report, rate: 0.1/s}
)",
                                     {.tables = {.least = 2, .most = 9}});
  EXPECT_THAT(taken, HasSubstr("key: [tool_id, report_id]"));
}

// What is asked for by its identity more than by its parent's page is found by it in the table.
TEST(Proposal, ReadsOneInstanceFromTheTableWhereThatIsAskedForMost) {
  const auto taken = [](const std::string& gets) {
    return TakenFor(R"(lab: 1
entities:
  Farm: {count: 400, attributes: {farm_id: {sequence: 4}, portrait: {text: [300, 900]}}}
  Offer:
    of: Farm
    count: 100
    attributes: {offer_id: {ulid: made}, made: {time: {past: 56d}}, text: {text: [300, 600]}}
access_patterns:
  offer: {get: Offer, by: [offer_id], rate: )" +
                        gets + R"(/s}
  farm page: {query: [Farm, Offer], by: [farm_id], order: -made, limit: 24, rate: 2/s}
)",
                    {.tables = {.least = 1, .most = 9}});
  };
  EXPECT_THAT(taken("20"), HasSubstr(R"(Offer: {PK: "OFFER#{offer_id}")"));
  EXPECT_THAT(taken("0.1"), HasSubstr("by_offer: {key: [offer_id]"));
}

// The round is an attribute of the match: sides are sorted by the client, with their matches.
TEST(Proposal, SortsNoKeyByAnAttributeOfAParent) {
  const std::string taken = TakenFor(R"(lab: 1
entities:
  Cup: {count: 500, attributes: {cup_id: {sequence: 5}, title: {text: 30}}}
  Match:
    of: Cup
    count: 30
    attributes: {match_id: {ulid: made}, made: {time: {past: 60d}}, round: {number: [1, 8]}}
  Side: {of: Match, count: 2, distinct: team, attributes: {team: {sequence: 6}, score: {number: [0, 9]}}}
access_patterns:
  bracket: {query: [Match, Side], by: [cup_id], order: round, rate: 3/s}
  match: {query: [Match, Side], by: [match_id], rate: 9/s}
  pair: {create: Match, with: [Side], rate: 0.1/s}
)");
  const std::size_t side = taken.find(" Side: {");
  ASSERT_NE(side, std::string::npos) << taken;
  EXPECT_THAT(taken.substr(side), Not(HasSubstr("round")));
}

// A list without its long texts is read from an index with the table's own key.
TEST(Proposal, HasAnIndexWithTheKeyOfTheTableWhereItsEntriesAreSmaller) {
  const std::string taken = TakenFor(R"(lab: 1
entities:
  Case: {count: 3000, attributes: {case_id: {sequence: 5}, title: {text: 30}}}
  Document:
    of: Case
    count: 30
    attributes: {document_id: {ulid: filed}, filed: {time: {past: 60d}}, title: {text: 30}, extract: {text: 2000}}
access_patterns:
  case: {get: Case, by: [case_id], rate: 3/s}
  documents: {query: Document, by: [case_id], order: -filed, limit: 30, returns: [document_id, filed, title], rate: 9/s}
  file: {create: Document, rate: 0.05/s}
)",
                                     {.tables = {.least = 2, .most = 9}});
  EXPECT_THAT(taken, HasSubstr("key: [case_id, document_id]"));
  EXPECT_THAT(taken, HasSubstr("by_case: {key: [case_id, filed], projection: [title]}"));
}

// The station has a word in place of a time, behind all times, so that the index needs no key of
// its own. The label on an object has a form in which no "#" is.
TEST(Proposal, SortsAPageInAnIndexByAnAttributeOfWhatItLists) {
  const std::string taken = TakenFor(R"(lab: 1
entities:
  Station: {count: 180, attributes: {station_id: {sequence: 4}, name: {text: 40}}}
  Found:
    of: Station
    count: 500
    attributes:
      found_id: {ulid: found_at}
      found_at: {time: {past: 60d}}
      label: "LP{found_id}"
      text: {text: 300}
      state: {choice: {HERE: 9, GONE: 1}}
  Guest: {count: 900, attributes: {guest_id: {sequence: 6}, name: {text: 9}}}
access_patterns:
  guest: {get: Guest, by: [guest_id], rate: 1/s}
  by label: {get: Found, by: [label], rate: 9/s}
  desk: {query: [Station, Found], by: [station_id], order: -found_at, limit: 25, rate: 3/s}
  register: {create: Found, unique: [label], rate: 0.1/s}
  hand over: {update: Found, by: [label], set: {state: GONE}, rate: 0.1/s}
)",
                                     {.tables = {.least = 2, .most = 9}});
  EXPECT_THAT(taken, HasSubstr("key: [station_id, found_at]"));
  EXPECT_THAT(taken, HasSubstr(R"(Station: {PK: "STATION#{station_id}", found_at: "STATION"})"));
  EXPECT_THAT(taken, HasSubstr(R"(Found: {PK: "LABEL#{label}"})"));
}

TEST(Proposal, APartitionOfAllHasNoIdentityToLeave) {
  const std::string taken = TakenFor(R"(lab: 1
entities:
  Topic: {count: 20, attributes: {topic_id: {sequence: 3}, name: {text: 12}}}
  Post: {of: Topic, count: 50, attributes: {post_id: {sequence: 6}, text: {text: 90}}}
  User: {count: 500, attributes: {user_id: {sequence: 5}, name: {text: 12}}}
access_patterns:
  topics: {query: Topic, rate: 50/s}
  topic: {get: Topic, by: [topic_id], rate: 1/s}
  posts: {query: Post, by: [topic_id], limit: 9, rate: 1/s}
  user: {get: User, by: [user_id], rate: 1/s}
  post: {create: Post, rate: 0.1/s}
)");
  EXPECT_THAT(taken, HasSubstr(R"(Topic: {PK: "TOPICS", SK: "TOPIC#{topic_id}"})"));
  EXPECT_THAT(taken, HasSubstr(R"(Post: {PK: "TOPIC#{topic_id}", SK: "POST#{post_id}"})"));
}

TEST(Proposal, KeepsToTheNumberOfTables) {
  const auto proposal = ProposalFor(kTasks, {.tables = {1, 1}});
  ASSERT_TRUE(proposal.ok()) << proposal.error().message;
  for (const ProposedLayout& one : proposal->layouts) {
    if (!one.is_on_front) continue;
    EXPECT_EQ(one.layout.tables.size(), 1u);
  }
  // The best of the other form stands beside them all the same.
  EXPECT_TRUE(proposal->layouts.back().is_table_each);
}

// The search has found nothing when it is stopped, and a short one finds layouts of both forms.
TEST(Proposal, HasLayoutsAlsoWhenItIsStoppedAtOnce) {
  const std::atomic<bool> stop = true;
  const auto proposal = ProposalFor(kTasks, {.stop = &stop});
  ASSERT_TRUE(proposal.ok()) << proposal.error().message;
  EXPECT_TRUE(proposal->was_stopped);
  EXPECT_FALSE(proposal->is_best);
  EXPECT_EQ(std::ranges::count(proposal->layouts, true, &ProposedLayout::is_one_table), 1);
  EXPECT_EQ(std::ranges::count(proposal->layouts, true, &ProposedLayout::is_table_each), 1);
}

TEST(Proposal, ReadsRangesOfTables) {
  const auto range = ReadTableRange("1..3");
  ASSERT_TRUE(range);
  EXPECT_EQ(range->least, 1);
  EXPECT_EQ(range->most, 3);
  EXPECT_EQ(ReadTableRange("2")->most, 2);
  for (const char* const wrong : {"", "0", "3..1", "1..", "1...3", "x", "2-3"}) {
    EXPECT_FALSE(ReadTableRange(wrong)) << wrong;
  }
}

TEST(Proposal, RefusesASearchByVectors) {
  const auto proposal = ProposalFor(TextOfExample("search.yaml"));
  ASSERT_FALSE(proposal.ok());
  EXPECT_THAT(proposal.error().message, HasSubstr("\"search in a category\" searches vectors"));
}

}  // namespace
}  // namespace hashrange
