#include "lab/propose/entity_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lab/language/lab_reader.h"

namespace hashrange {
namespace {

using testing::ElementsAre;

std::vector<std::string> TableKeysOf(const std::string& text, int entity) {
  const auto lab = LoadApplication(text, "keys.yaml");
  EXPECT_TRUE(lab.ok()) << lab.error().message;
  if (!lab.ok()) return {};
  const LayoutForecaster forecaster(lab->file);
  const AccessSpace space = WithSoundTableKeys(forecaster, SpaceOf(lab->file));
  std::vector<std::string> texts;
  for (const ProposedKey& key : SpaceAt(space, entity).table_keys) {
    texts.push_back(TemplateOfWords(lab->file, key.hash, false).text + " / " +
                    TemplateOfWords(lab->file, key.range, false).text);
  }
  return texts;
}

std::string Titles(const std::string& count) {
  return R"(lab: 1
entities:
  Title:
    count: )" +
         count + R"(
    attributes: {title_id: {sequence: 5}, name: {text: 12}}
access_patterns:
  title: {get: Title, by: [title_id], rate: 1/s}
  all titles: {query: Title, order: name, limit: 10, rate: 1/s}
)";
}

TEST(WithSoundTableKeys, OnePartitionHoldsAllOfAFewInstancesOnly) {
  EXPECT_THAT(TableKeysOf(Titles("1000"), 0),
              ElementsAre("TITLE#{title_id} / TITLE", "TITLES / TITLE#{title_id}",
                          "TITLES / TITLE#{name}#{title_id}"));
  EXPECT_THAT(TableKeysOf(Titles("1001"), 0), ElementsAre("TITLE#{title_id} / TITLE"));
}

TEST(WithSoundTableKeys, AUniqueValueIsAKeyByItself) {
  const std::string members = R"(lab: 1
entities:
  Member:
    count: 100
    attributes: {member_id: {sequence: 5}, email: "{member_id}@example.com", city: {text: 6}}
access_patterns:
  member by email: {get: Member, by: [email], rate: 1/s}
  members of a city: {query: Member, by: [city], rate: 1/s}
  member: {get: Member, by: [member_id], rate: 1/s}
  sign up: {create: Member, unique: [email], rate: 1/s}
)";
  EXPECT_THAT(TableKeysOf(members, 0),
              ElementsAre("MEMBER#{member_id} / MEMBER", "EMAIL#{email} / MEMBER",
                          "CITY#{city} / MEMBER#{member_id}"));
}

// An instance of this kind could else be there twice, under two times.
TEST(WithSoundTableKeys, AKeyHasTheIdentityOnlyWhereItsParentIsAPartOfIt) {
  constexpr const char* kShares = R"(lab: 1
entities:
  File:
    count: 100
    attributes: {file_id: {sequence: 5}}
  Share:
    of: File
    count: 3
    attributes: {grantee: {text: 8}, shared_at: {time: {past: 90d}}}
access_patterns:
  shares of a file: {query: Share, by: [file_id], order: -shared_at, rate: 1/s}
  shared with me: {query: Share, by: [grantee], order: -shared_at, rate: 1/s}
)";
  for (const std::string& key : TableKeysOf(kShares, 1)) {
    EXPECT_THAT(key, testing::Not(testing::HasSubstr("shared_at")));
  }
}

// A booking of a seat that is unique has its seat once only, so it may be found by another key.
TEST(WithSoundTableKeys, AnItemForAUniqueValueKeepsWhatIsDistinct) {
  const std::string bookings = R"(lab: 1
entities:
  Show: {count: 100, attributes: {show_id: {sequence: 5}}}
  Booking:
    of: Show
    count: 5
    distinct: seat
    attributes:
      booking_id: {uuid: true}
      seat: {text: 4}
      email: "{booking_id}@example.com"
      place: "{show_id}#{seat}"
access_patterns:
  booking: {get: Booking, by: [booking_id], rate: 1/s}
)";
  const std::string own = "BOOKING#{booking_id} / BOOKING";
  EXPECT_THAT(TableKeysOf(bookings + "  book: {create: Booking, unique: [place], rate: 1/s}\n", 1),
              testing::Contains(own));
  EXPECT_THAT(TableKeysOf(bookings + "  book: {create: Booking, unique: [email], rate: 1/s}\n", 1),
              testing::Not(testing::Contains(own)));
}

// A vote has the topic of its post, so no voter could vote twice for a post.
TEST(WithSoundTableKeys, AKeyHasWhatFollowsFromTheIdentity) {
  constexpr const char* kVotes = R"(lab: 1
entities:
  Topic: {count: 100, attributes: {topic_id: {sequence: 5}}}
  Post: {of: Topic, count: 3, attributes: {post_id: {sequence: 6}}}
  Vote:
    of: Post
    count: 3
    distinct: voter
    attributes: {voter: {text: 8}, topic_id: {of: Topic.topic_id}}
access_patterns:
  my votes: {query: Vote, by: [voter, topic_id], returns: [post_id], rate: 1/s}
  vote: {create: Vote, rate: 1/s}
)";
  EXPECT_THAT(TableKeysOf(kVotes, 2),
              testing::Contains("VOTE#{voter} / VOTE#{topic_id}#{post_id}"));
}

// Nobody can book a class twice: the time of a booking is that of its class.
TEST(WithSoundTableKeys, WhatIsDistinctIsInTheKeyOfWhatIsCreatedByItself) {
  constexpr const char* kBookings = R"(lab: 1
entities:
  Class:
    count: 100
    attributes: {class_id: {sequence: 5}, starts_at: {time: {ahead: 30d}}}
  Member:
    count: 100
    attributes: {member_id: {sequence: 5}}
  Booking:
    of: Member
    count: 5
    distinct: class_id
    attributes:
      booking_id: {uuid: true}
      class_id: {ref: Class.class_id}
      starts_at: {ref: Class.starts_at, with: class_id}
      made_at: {time: {past: 30d}}
access_patterns:
  bookings: {query: Booking, by: [member_id], order: -starts_at, rate: 10/s}
  latest: {query: Booking, by: [member_id], order: -made_at, rate: 10/s}
  book: {create: Booking, rate: 1/s}
)";
  EXPECT_THAT(TableKeysOf(kBookings, 2),
              ElementsAre("MEMBER#{member_id} / BOOKING#{class_id}",
                          "MEMBER#{member_id} / BOOKING#{starts_at}#{class_id}"));
}

std::string Halls(const std::string& seats, const std::string& text) {
  return R"(lab: 1
entities:
  Hall: {count: 100, attributes: {hall_id: {sequence: 5}, name: {text: 12}}}
  Seat:
    of: Hall
    count: )" +
         seats + R"(
    attributes: {seat_id: {sequence: 7}, note: {text: )" +
         text + R"(}}
  Session: {of: Hall, count: 2, attributes: {session_id: {sequence: 7}}}
access_patterns:
  hall: {query: [Hall, Seat], by: [hall_id], rate: 1/s}
  sessions: {query: Session, by: [hall_id], rate: 1/s}
)";
}

// Returns whether seats leave out what their keys hold.
bool HasSmallSeats(const std::string& text) {
  const auto lab = LoadApplication(text, "halls.yaml");
  EXPECT_TRUE(lab.ok()) << lab.error().message;
  if (!lab.ok()) return false;
  const LayoutForecaster forecaster(lab->file);
  return SpaceAt(WithSmallItems(forecaster, SpaceOf(lab->file)), 1).has_small_items;
}

TEST(WithSmallItems, ManyThatAreMostlyIdentities) {
  EXPECT_TRUE(HasSmallSeats(Halls("300", "20")));
  EXPECT_FALSE(HasSmallSeats(Halls("3", "20")));
  EXPECT_FALSE(HasSmallSeats(Halls("300", "400")));
}

// Seats sort before sessions as with their whole labels.
TEST(WithShortLabels, HaveTheBeginningsThatTellThemApart) {
  const auto lab = LoadApplication(Halls("300", "20"), "halls.yaml");
  ASSERT_TRUE(lab.ok()) << lab.error().message;
  const AccessSpace space = WithShortLabels(lab->file, SpaceOf(lab->file));
  std::vector<std::string> texts;
  for (int entity = 0; entity < 3; ++entity) {
    const ProposedKey& key = SpaceAt(space, entity).table_keys[0];
    texts.push_back(TemplateOfWords(lab->file, key.hash, false).text + " / " +
                    TemplateOfWords(lab->file, key.range, false).text);
  }
  EXPECT_THAT(texts,
              ElementsAre("H#{hall_id} / H", "SEA#{seat_id} / SEA", "SES#{session_id} / SES"));
}

}  // namespace
}  // namespace hashrange
