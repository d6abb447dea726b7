#include "lab/propose/access_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lab/language/lab_reader.h"

namespace hashrange {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

constexpr const char* kShop = R"(lab: 1
entities:
  Customer:
    count: 100
    attributes:
      customer_id: {sequence: 6}
      joined: {time: {past: 90d}}
      name: {text: [8, 24]}
  Order:
    of: Customer
    count: 5
    attributes:
      order_id: {uuid: true}
      placed: {time: {past: 90d}}
      status: {choice: {OPEN: 5, PAID: 95}}
      total: {number: [1, 99]}
access_patterns:
  customer: {get: Customer, by: [customer_id], rate: 1/s}
  newest customers: {query: Customer, order: -joined, limit: 10, returns: [customer_id, name], rate: 1/s}
  orders: {query: Order, by: [customer_id], order: -placed, limit: 10, rate: 1/s}
  open orders: {query: Order, by: [{status: OPEN}], order: placed, returns: [total], rate: 1/s}
  pay: {update: Order, by: [order_id], set: {status: PAID}, rate: 1/s}
)";

std::string TextOf(const LabFile& file, const ProposedKey& key) {
  return TemplateOfWords(file, key.hash, false).text + " / " +
         TemplateOfWords(file, key.range, false).text + (key.when.empty() ? "" : " sparse");
}

std::vector<std::string> TableKeysOf(const LabFile& file, const EntitySpace& space) {
  std::vector<std::string> texts;
  for (const ProposedKey& key : space.table_keys) texts.push_back(TextOf(file, key));
  return texts;
}

// "gsi CUSTOMERS / … : name"
std::vector<std::string> PathsOf(const LabFile& file, const EntitySpace& space) {
  std::vector<std::string> texts;
  for (const AccessPath& path : space.paths) {
    const char* const form = path.form == AccessPath::Form::kGlobalIndex  ? "gsi "
                             : path.form == AccessPath::Form::kLocalIndex ? "lsi "
                                                                          : "copy ";
    std::string text = form + TextOf(file, path.key) + ":";
    if (path.has_all) text += " all";
    for (const LabAttributeRef ref : path.attributes) {
      text += " " + file.entities[static_cast<std::size_t>(ref.entity)]
                        .attributes[static_cast<std::size_t>(ref.attribute)]
                        .name;
    }
    texts.push_back(std::move(text));
  }
  return texts;
}

class AccessSpaceOfShop : public testing::Test {
 protected:
  explicit AccessSpaceOfShop(const char* text = kShop) : text_(text) {}

  void SetUp() override {
    auto lab = LoadApplication(text_, "application.yaml");
    ASSERT_TRUE(lab.ok()) << lab.error().message;
    file_ = std::move(lab->file);
    space_ = SpaceOf(file_);
  }

  const char* text_;
  LabFile file_;
  AccessSpace space_;
};

TEST_F(AccessSpaceOfShop, AnEntityLiesByItselfOrInACollection) {
  EXPECT_THAT(TableKeysOf(file_, space_.entities[0]),
              ElementsAre("CUSTOMER#{customer_id} / CUSTOMER", "CUSTOMERS / CUSTOMER#{customer_id}",
                          "CUSTOMERS / CUSTOMER#{joined}#{customer_id}"));
  // The status changes, so no table's key has it.
  EXPECT_THAT(TableKeysOf(file_, space_.entities[1]),
              ElementsAre("ORDER#{order_id} / ORDER", "CUSTOMER#{customer_id} / ORDER#{order_id}",
                          "CUSTOMER#{customer_id} / ORDER#{placed}#{order_id}"));
}

TEST_F(AccessSpaceOfShop, AQuestionHasKeysInSeveralForms) {
  const std::vector<std::string> paths = PathsOf(file_, space_.entities[1]);
  EXPECT_THAT(paths, Contains("gsi OPEN_ORDER / ORDER#{placed} sparse: total").Times(0));
  EXPECT_THAT(paths, Contains("gsi ORDERS#OPEN / ORDER#{placed} sparse: total"));
  // Of one status only, a key that has all of them would hold more than is asked for.
  EXPECT_THAT(paths, Not(Contains(testing::HasSubstr("STATUS#{status}"))));
  EXPECT_THAT(paths, Contains("gsi CUSTOMER#{customer_id} / ORDER#{placed}: all status total"));
  EXPECT_THAT(paths, Contains("lsi CUSTOMER#{customer_id} / ORDER#{placed}: all status total"));
  // Items of an index may have one key, those of a table may not.
  EXPECT_THAT(paths, Contains("copy ORDERS#OPEN / ORDER#{placed}#{order_id} sparse: order_id"));
  // What a write has to know of an order is its key.
  EXPECT_THAT(paths, Contains("gsi ORDER#{order_id} / ORDER:"));
  EXPECT_THAT(paths, Contains("copy ORDER#{order_id} / ORDER: order_id"));
  EXPECT_THAT(paths, Not(Contains("gsi ORDER#{order_id} / ORDER: all")));
}

TEST_F(AccessSpaceOfShop, WithoutLabelsInATableOfItsOwn) {
  const ProposedKey& key = space_.entities[1].table_keys[2];
  EXPECT_EQ(TemplateOfWords(file_, key.hash, true).text, "{customer_id}");
  EXPECT_EQ(TemplateOfWords(file_, key.range, true).text, "{placed}#{order_id}");
}

TEST_F(AccessSpaceOfShop, ShardsAndPeriodsOfAKey) {
  const ProposedKey& key = space_.entities[0].table_keys[2];
  EXPECT_EQ(TextOf(file_, WithShards(key, 0, 8)),
            "CUSTOMERS#{shard(customer_id, 8)} / CUSTOMER#{joined}#{customer_id}");
  std::vector<std::string> periods;
  for (const ProposedKey& one : InPeriods(file_, 0, key)) periods.push_back(TextOf(file_, one));
  EXPECT_THAT(periods, ElementsAre("CUSTOMERS#{joined:month} / CUSTOMER#{joined}#{customer_id}",
                                   "CUSTOMERS#{joined:day} / CUSTOMER#{joined}#{customer_id}"));
  EXPECT_TRUE(InPeriods(file_, 0, space_.entities[0].table_keys[0]).empty());
}

constexpr const char* kOffice = R"(lab: 1
entities:
  Account:
    count: 100
    attributes: {account_id: {sequence: 5}, territory: {text: [6, 9]}}
  Contact:
    of: Account
    count: 4
    attributes: {contact_id: {sequence: 6}, email: "c{contact_id}@example.com", phone: {text: 9}}
  Note:
    of: Account
    count: 9
    attributes: {note_id: {ulid: at}, at: {time: {past: 90d}}}
  Tagging:
    of: Account
    count: 2
    attributes: {tag: {choice: {big: 2, new: 1}}}
access_patterns:
  account with contacts: {query: [Account, Contact], by: [account_id], rate: 1/s}
  notes: {query: Note, by: [account_id], order: -at, limit: 5, rate: 1/s}
  accounts of a territory: {query: Account, range: {territory: {prefix: 3}}, order: territory, returns: [account_id], rate: 1/s}
  contact by email: {get: Contact, by: [email], returns: [phone], rate: 1/s}
  accounts with a tag: {query: Tagging, by: [tag], rate: 1/s}
  add a contact: {create: Contact, unique: [email], rate: 1/s}
)";

class AccessSpaceOfOffice : public AccessSpaceOfShop {
 protected:
  AccessSpaceOfOffice() : AccessSpaceOfShop(kOffice) {}
};

// The sort keys of accounts and contacts may begin alike, beside the notes of the partition.
TEST_F(AccessSpaceOfOffice, SetsApartWhatIsAskedForTogether) {
  EXPECT_THAT(TableKeysOf(file_, space_.entities[0]),
              ElementsAre("ACCOUNT#{account_id} / ACCOUNT", "ACCOUNT#{account_id} / #ACCOUNT"));
  EXPECT_THAT(TableKeysOf(file_, space_.entities[1]),
              Contains("ACCOUNT#{account_id} / #CONTACT#{contact_id}"));
  EXPECT_THAT(TableKeysOf(file_, space_.entities[2]), Not(Contains(testing::HasSubstr("#NOTE#{"))));
}

TEST_F(AccessSpaceOfOffice, APrefixThatTheCallerKnowsIsInThePartitionKey) {
  EXPECT_THAT(PathsOf(file_, space_.entities[0]),
              Contains("gsi ACCOUNTS#{territory:prefix3} / ACCOUNT#{territory}:"));
}

TEST_F(AccessSpaceOfOffice, TheItemThatKeepsAValueUniqueHoldsWhatIsFoundByIt) {
  const std::vector<std::string> paths = PathsOf(file_, space_.entities[1]);
  EXPECT_THAT(paths, Contains("copy EMAIL#{email} / EMAIL: phone contact_id"));
  EXPECT_THAT(paths, Not(Contains(testing::StartsWith("copy EMAIL#{email} / CONTACT"))));
}

// Only its account tells a tagging from others.
TEST_F(AccessSpaceOfOffice, APartOfAnIdentityMayBeThePartition) {
  EXPECT_THAT(
      TableKeysOf(file_, space_.entities[3]),
      ElementsAre("ACCOUNT#{account_id} / TAGGING#{tag}", "TAGGING#{tag} / TAGGING#{account_id}",
                  "ACCOUNT#{account_id}#TAGGING#{tag} / TAGGING"));
}

constexpr const char* kTickets = R"(lab: 1
entities:
  Event:
    count: 100
    attributes: {event_id: {sequence: 5}, name: {text: 9}}
  Guest:
    count: 100
    attributes: {guest_id: {sequence: 5}, email: "{guest_id}@example.com"}
  Ticket:
    of: Event
    count: 4
    distinct: guest_id
    attributes:
      ticket_id: {uuid: true}
      guest_id: {ref: Guest.guest_id}
      admission: "{event_id}#{guest_id}"
      sold: {time: {past: 90d}}
  Seat:
    of: Event
    count: 9
    distinct: number
    attributes: {number: {number: [1, 500]}, row: {text: 2}}
access_patterns:
  event with newest tickets: {query: [Event, Ticket], by: [event_id], order: -sold, limit: 10, rate: 1/s}
  seats: {query: Seat, by: [event_id], rate: 1/s}
  tickets of a guest: {query: Ticket, by: [guest_id], rate: 1/s}
  guest by email: {get: Guest, by: [email], rate: 1/s}
  buy: {create: Ticket, unique: [admission], rate: 1/s}
  register: {create: Guest, unique: [email], rate: 1/s}
)";

class AccessSpaceOfTickets : public AccessSpaceOfShop {
 protected:
  AccessSpaceOfTickets() : AccessSpaceOfShop(kTickets) {}
};

TEST_F(AccessSpaceOfTickets, TheKeyOfAUniqueValueMayBeMadeOfItsParts) {
  const std::vector<std::string> keys = TableKeysOf(file_, space_.entities[2]);
  EXPECT_THAT(keys, Contains("GUEST#{guest_id} / TICKET#{event_id}"));
  const LabAttributeRef admission = {2, 2};
  const LabAttributeRef email = {1, 1};
  int kept = 0;
  for (const ProposedKey& key : space_.entities[2].table_keys) {
    if (!KeepsUnique(file_, key, admission)) continue;
    ++kept;
    EXPECT_THAT(TextOf(file_, key), Not(testing::HasSubstr("ticket_id")));
  }
  EXPECT_GT(kept, 0);
  // What the file makes of the identity, the application does not know by the identity.
  EXPECT_FALSE(KeepsUnique(file_, space_.entities[1].table_keys[0], email));
}

TEST_F(AccessSpaceOfTickets, AUniqueValueIsFoundByAnIndexOrTheItemThatKeepsIt) {
  EXPECT_THAT(PathsOf(file_, space_.entities[1]),
              ElementsAre("gsi EMAIL#{email} / GUEST: all guest_id",
                          "copy EMAIL#{email} / EMAIL: guest_id email",
                          "copy EMAIL#{email} / EMAIL: guest_id"));
}

// Backward, the event comes before its tickets.
TEST_F(AccessSpaceOfTickets, WhatAPageListsComesBehindTheRest) {
  const std::vector<std::string> keys = TableKeysOf(file_, space_.entities[2]);
  EXPECT_THAT(keys, Contains("EVENT#{event_id} / #TICKET#{sold}#{ticket_id}"));
  EXPECT_THAT(keys, Not(Contains("EVENT#{event_id} / TICKET#{sold}#{ticket_id}")));
  EXPECT_THAT(keys, Contains("GUEST#{guest_id} / TICKET#{sold}#{ticket_id}"));
}

TEST_F(AccessSpaceOfTickets, NumbersOfSortKeysArePadded) {
  EXPECT_THAT(TableKeysOf(file_, space_.entities[3]),
              Contains("EVENT#{event_id} / SEAT#{number:03}"));
}

TEST_F(AccessSpaceOfTickets, ReadsDependOnKeysThatTheCallerMayKnow) {
  const EntitySpace& ticket = space_.entities[2];
  const std::vector<std::string> paths = PathsOf(file_, ticket);
  const std::uint64_t relevant = RelevantKeysOf(file_, ticket, 2).paths;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    EXPECT_EQ((relevant >> i & 1) != 0, paths[i].find(" GUEST#{guest_id} ") != std::string::npos)
        << paths[i];
  }
  EXPECT_EQ(RelevantKeysOf(file_, ticket, 4).paths, ~std::uint64_t{0});
}

// A slot is free again when its booking is cancelled.
std::string Bookings(const std::string& cancel) {
  return R"(lab: 1
entities:
  Room: {count: 20, attributes: {room_id: {sequence: 4}}}
  Booking:
    of: Room
    count: 40
    attributes:
      booking_id: {uuid: true}
      starts_at: {time: {past: 30d}}
      slot: "{room_id}#{starts_at}"
      status: {choice: {HELD: 9, DROPPED: 1}}
access_patterns:
  next: {query: Booking, by: [room_id, {status: HELD}], order: starts_at, limit: 5, returns: [booking_id, starts_at], rate: 9/s}
  book: {create: Booking, set: {status: HELD}, unique: [slot], rate: 1/s}
  cancel: {update: Booking, by: [booking_id], set: {status: DROPPED}, )" +
         cancel + R"(if: {status: HELD}, rate: 0.1/s}
)";
}

std::vector<std::string> PathsOfBookings(const std::string& cancel) {
  const auto lab = LoadApplication(Bookings(cancel), "application.yaml");
  EXPECT_TRUE(lab.ok()) << lab.error().message;
  return lab.ok() ? PathsOf(lab->file, SpaceOf(lab->file).entities[1]) : std::vector<std::string>{};
}

TEST(AccessSpace, TheItemThatKeepsAValueUniqueMayBeFoundByItsParts) {
  const char* const by_parts =
      "copy HELD#ROOM#{room_id} / BOOKING#{starts_at} sparse: booking_id starts_at";
  EXPECT_THAT(PathsOfBookings("remove: [slot], "), Contains(by_parts));
  // Nobody else ever gets the slot, which the item would not tell.
  EXPECT_THAT(PathsOfBookings(""), Not(Contains(by_parts)));
}

TEST(AccessSpace, PluralsOfLabels) {
  EXPECT_EQ(PluralOfLabel("ORDER"), "ORDERS");
  EXPECT_EQ(PluralOfLabel("CATEGORY"), "CATEGORIES");
  EXPECT_EQ(PluralOfLabel("KEY"), "KEYS");
  EXPECT_EQ(PluralOfLabel("BRANCH"), "BRANCHES");
  EXPECT_EQ(PluralOfLabel("BOX"), "BOXES");
  EXPECT_EQ(PluralOfLabel("ANALYSIS"), "ANALYSES");
  EXPECT_EQ(PluralOfLabel("SERIES"), "SERIES");
}

TEST(AccessSpace, LabelsOfNames) {
  EXPECT_EQ(LabelOfName("Customer"), "CUSTOMER");
  EXPECT_EQ(LabelOfName("LineItem"), "LINE_ITEM");
  EXPECT_EQ(LabelOfName("in progress"), "IN_PROGRESS");
}

}  // namespace
}  // namespace hashrange
