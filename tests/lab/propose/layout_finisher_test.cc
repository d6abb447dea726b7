#include "lab/propose/layout_finisher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lab/language/lab_facts.h"
#include "lab/language/lab_reader.h"
#include "lab/plan/layout_growth.h"
#include "lab/yaml/layout_yaml.h"

namespace hashrange {
namespace {

using testing::HasSubstr;
using testing::Not;

// Returns the YAML of the layouts that are made of the one in which each entity lies by itself, or
// the second one in its parent's partition, without indexes.
std::vector<std::string> FinishedOf(const std::string& text,
                                    TableStyle style = TableStyle::kOneTable,
                                    bool is_with_parent = false) {
  const auto lab = LoadApplication(text, "things.yaml");
  EXPECT_TRUE(lab.ok()) << lab.error().message;
  if (!lab.ok()) return {};
  const LayoutForecaster forecaster(lab->file);
  const AccessSpace space = SpaceOf(lab->file);
  FoundLayout found = {.candidate = {.style = style}};
  if (is_with_parent) {
    const std::vector<ProposedKey>& keys = space.entities[1].table_keys;
    const auto key = std::ranges::find_if(
        keys, [&](const ProposedKey& one) { return IsWithParent(lab->file, 1, one); });
    EXPECT_NE(key, keys.end());
    found.candidate.table_keys[1] = static_cast<std::uint8_t>(key - keys.begin());
  }
  const auto forecast = forecaster.Forecast(LayoutOf(lab->file, space, found.candidate, "things"));
  const FinishOrder order = {.now = forecaster,
                             .later = forecaster,
                             .space = space,
                             .weighed_usd = forecast.ok() ? forecast->month_usd.value_or(0) : 0,
                             .table_name = "things"};
  std::vector<std::string> layouts;
  for (const FinishedLayout& one : Finish(order, found, {})) {
    layouts.push_back(LayoutYaml(lab->file, one.proposed.layout));
  }
  return layouts;
}

std::string Orders(const std::string& more) {
  return R"(lab: 1
entities:
  Order:
    count: 1000
    attributes: {order_id: {sequence: 7}, note: {text: 40}}
  OrderLine:
    of: Order
    count: [1, 5]
    distinct: sku
    attributes: {sku: {text: 8}, quantity: {number: [1, 9]}}
access_patterns:
  order: {query: [Order, OrderLine], by: [order_id], rate: 10/s}
  place: {create: Order, with: [OrderLine], rate: 10/s}
)" + more;
}

TEST(Finish, PutsChildrenInsideWhereNothingElseAsksForThem) {
  const std::vector<std::string> layouts = FinishedOf(Orders(""));
  ASSERT_EQ(layouts.size(), 2U);
  EXPECT_THAT(layouts[0], Not(HasSubstr("embed")));
  EXPECT_THAT(layouts[1], HasSubstr(R"(OrderLine: {embed: "Order.order_lines", map_by: sku})"));
  EXPECT_EQ(FinishedOf(Orders(""), TableStyle::kTableEach).size(), 2U);
  // By the product, only a Scan would find them.
  EXPECT_EQ(FinishedOf(Orders("  by product: {query: OrderLine, by: [sku], rate: 10/s}\n")).size(),
            1U);
}

// What comes one by one would write all that came before it again.
TEST(Finish, LeavesChildrenThatComeOneByOneOutside) {
  EXPECT_EQ(FinishedOf(Orders("  add: {create: OrderLine, rate: 1/s}\n")).size(), 1U);
}

// One update adds the line and changes the order.
TEST(Finish, PutsFewSmallChildrenInsideThatComeWithAChangeOfTheirParent) {
  const std::string with_order =
      ", also: [{update: Order, by: [order_id], set: {note: {text: 40}}}], rate: 0.1/s}\n";
  EXPECT_EQ(FinishedOf(Orders("  add: {create: OrderLine" + with_order)).size(), 2U);
  std::string many = Orders("  add: {create: OrderLine" + with_order);
  const std::string few = "count: [1, 5]";
  many.replace(many.find(few), few.size(), "count: [1, 50]");
  EXPECT_EQ(FinishedOf(many).size(), 1U);
}

// An item with all of them would have 200 KB.
TEST(Finish, LeavesManyChildrenOutside) {
  std::string text = Orders("");
  const std::string few = "count: [1, 5]";
  text.replace(text.find(few), few.size(), "count: [1, 5000]");
  EXPECT_EQ(FinishedOf(text).size(), 1U);
}

std::string Articles(const std::string& attributes, const std::string& update) {
  return R"(lab: 1
entities:
  Article:
    count: 1000
    attributes:
      article_id: {sequence: 7}
      title: {text: 40}
      body: {text: 2500}
)" + attributes +
         R"(access_patterns:
  article: {get: Article, by: [article_id], rate: 10/s}
)" + update;
}

TEST(Finish, PutsACounterApartFromALargeItem) {
  const std::string views = "      views: {number: [0, 100]}\n";
  const std::string text =
      Articles(views, "  view: {update: Article, by: [article_id], add: {views: 1}, rate: 10/s}\n");
  const std::vector<std::string> layouts = FinishedOf(text);
  ASSERT_EQ(layouts.size(), 2U);
  EXPECT_THAT(layouts[1],
              HasSubstr(R"(- {PK: "ARTICLE#{article_id}", SK: "VIEWS", attributes: [views]})"));
  // In tables of their own, it costs a little less to leave the counter with the title.
  const std::vector<std::string> each = FinishedOf(text, TableStyle::kTableEach);
  ASSERT_EQ(each.size(), 2U);
  EXPECT_THAT(each[1], HasSubstr("articles_body:\n        key: [article_id]\n"));
  EXPECT_EQ(FinishedOf(Articles(views, "")).size(), 1U);
}

// The body changes, too. It lies beside its page, so that one Query reads both and the newest
// comments.
TEST(Finish, PutsALargeAttributeBesideTheRestOfItsItem) {
  const std::vector<std::string> layouts = FinishedOf(R"(lab: 1
entities:
  Page:
    count: 1000
    attributes: {page_id: {sequence: 7}, title: {text: 40}, body: {text: 6000}}
  Comment:
    of: Page
    count: 20
    attributes: {comment_id: {ulid: made}, made: {time: {past: 30d}}, text: {text: 90}}
access_patterns:
  page: {query: [Page, Comment], by: [page_id], order: -made, limit: 5, rate: 1/s}
  title: {get: Page, by: [page_id], returns: [page_id, title], rate: 90/s}
  edit: {update: Page, by: [page_id], set: {body: {text: 6000}}, rate: 0.01/s}
  comment: {create: Comment, rate: 0.01/s}
)",
                                                      TableStyle::kTogether, true);
  ASSERT_EQ(layouts.size(), 2U);
  EXPECT_THAT(layouts[1], HasSubstr(R"(SK: "PAGE_BODY", attributes: [body]})"));
}

// Another attribute is made of the state, so that can't move.
TEST(Finish, PutsALargeAttributeApartFromWhatChanges) {
  const std::vector<std::string> layouts = FinishedOf(Articles(
      "      state: {choice: {OPEN: 1, SHUT: 1}}\n      label: \"{state}#{title}\"\n",
      "  shut: {update: Article, by: [article_id], set: {state: SHUT}, if: {state: OPEN}, rate: "
      "10/s, pick: {where: {state: OPEN}}}\n"));
  ASSERT_EQ(layouts.size(), 2U);
  EXPECT_THAT(layouts[1], HasSubstr(R"(SK: "BODY", attributes: [body]})"));
}

// Who reads it would have to put the two items together again, which is not worth half a
// percent of the month.
TEST(Finish, SplitsAnItemThatIsReadWholeOnlyWhereItIsWorthIt) {
  const std::string views = "      views: {number: [0, 100]}\n";
  EXPECT_EQ(FinishedOf(Articles(views,
                                "  view: {update: Article, by: [article_id], add: {views: "
                                "1}, rate: 0.003/s}\n"))
                .size(),
            1U);
}

// Returns the YAML of the only layout that is made of the one in which the first entity has a table
// of its own, and the path.
std::string FinishedWithPath(const std::string& text, bool (*is_path)(const AccessPath& path)) {
  const auto lab = LoadApplication(text, "things.yaml");
  EXPECT_TRUE(lab.ok()) << lab.error().message;
  if (!lab.ok()) return "";
  const LayoutForecaster forecaster(lab->file);
  const AccessSpace space = SpaceOf(lab->file);
  const std::vector<AccessPath>& paths = space.entities[0].paths;
  const auto path = std::ranges::find_if(paths, is_path);
  EXPECT_NE(path, paths.end());
  LayoutCandidate candidate = {.style = TableStyle::kTableEach};
  candidate.paths[0] = std::uint64_t{1} << (path - paths.begin());
  const FinishOrder order = {.now = forecaster,
                             .later = forecaster,
                             .space = space,
                             .table_name = "things",
                             .most_indexes = 1};
  const std::vector<FinishedLayout> finished = Finish(order, {.candidate = candidate}, {});
  EXPECT_EQ(finished.size(), 1U);
  return finished.empty() ? "" : LayoutYaml(lab->file, finished[0].proposed.layout);
}

TEST(Finish, ProjectsWhatIsReturnedInPlaceOfAFetch) {
  const std::string posts = R"(lab: 1
entities:
  Post:
    count: 10000
    attributes: {post_id: {sequence: 7}, author: {text: 9}, title: {text: 30}, body: {text: 300}}
access_patterns:
  posts: {query: Post, by: [author], returns: [post_id, title], rate: 10/s}
)";
  const auto is_keys_only = [](const AccessPath& path) {
    return path.form == AccessPath::Form::kGlobalIndex && path.attributes.empty();
  };
  EXPECT_THAT(FinishedWithPath(posts, is_keys_only),
              HasSubstr("by_author: {key: [author, post_id], projection: [title]}"));
}

// A list of nearly all names is one to keep up with each new attribute.
TEST(Finish, ProjectsEverythingInPlaceOfALongListOfNearlyAll) {
  const std::string posts = R"(lab: 1
entities:
  Post:
    count: 10000
    attributes:
      post_id: {sequence: 7}
      author: {text: 9}
      title: {text: 300}
      a: {text: 9}
      b: {text: 9}
      c: {text: 9}
      d: {text: 9}
      e: {text: 9}
      f: {text: 9}
      g: {text: 9}
      h: {text: 9}
      i: {text: 9}
      left_out: {text: 9}
access_patterns:
  posts: {query: Post, by: [author], returns: [post_id, title, a, b, c, d, e, f, g, h, i], rate: 10/s}
)";
  const auto is_index = [](const AccessPath& path) {
    return path.form == AccessPath::Form::kGlobalIndex && !path.attributes.empty();
  };
  EXPECT_THAT(FinishedWithPath(posts, is_index),
              HasSubstr("by_author: {key: [author, post_id], projection: all}"));
}

std::string TtlOfArticles(const std::string& attributes) {
  const auto lab = LoadApplication(Articles(attributes, ""), "things.yaml");
  EXPECT_TRUE(lab.ok()) << lab.error().message;
  return lab.ok() ? TtlOf(lab->file, SpaceOf(lab->file)) : "";
}

TEST(Finish, NamesAFewAttributesThoughTheyAreAll) {
  const std::string posts = R"(lab: 1
entities:
  Post:
    count: 10000
    attributes: {post_id: {sequence: 7}, author: {text: 9}, title: {text: 300}, text: {text: 99}}
access_patterns:
  posts: {query: Post, by: [author], returns: [post_id, title, text], rate: 10/s}
)";
  const auto is_index = [](const AccessPath& path) {
    return path.form == AccessPath::Form::kGlobalIndex && !path.attributes.empty();
  };
  EXPECT_THAT(FinishedWithPath(posts, is_index),
              HasSubstr("by_author: {key: [author, post_id], projection: [title, text]}"));
}

TEST(TtlOf, IsTheOnlyTimeInSecondsThatLiesAhead) {
  const std::string made = "      made_at: {time: {past: 30d}, form: seconds}\n";
  const std::string ends = "      ends_at: {time: {ahead: 30d}, form: seconds}\n";
  EXPECT_EQ(TtlOfArticles(made), "");
  EXPECT_EQ(TtlOfArticles(made + ends), "ends_at");
  EXPECT_EQ(TtlOfArticles("      ends_at: {time: {ahead: 30d}}\n"), "");
  EXPECT_EQ(TtlOfArticles(ends + "      sold_at: {time: {ahead: 9d}, form: seconds}\n"), "");
}

}  // namespace
}  // namespace hashrange
