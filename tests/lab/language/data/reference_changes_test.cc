// What refers to what while the traffic writes references.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lab/language/data/population.h"
#include "lab/language/lab_reader.h"

namespace hashrange {
namespace {

constexpr int kUser = 0;
constexpr int kTicket = 1;
constexpr LabAttributeRef kUserId = {kUser, 0};
constexpr LabAttributeRef kAssignee = {kTicket, 1};

LabFile TicketFile(const std::string& identity) {
  auto file = ReadLabFile(R"(
lab: 1
entities:
  User: {count: 3, attributes: {user_id: )" +
                              identity + R"(}}
  Ticket: {count: 20, attributes: {ticket_id: {sequence: 4}, assignee: {ref: User.user_id, present: 0.9}}}
access_patterns:
  user: {get: User, by: [user_id], rate: 1/s}
layouts:
  one: {tables: {app: {key: [PK], items: {User: {PK: "U#{user_id}"}, Ticket: {PK: "T#{ticket_id}"}}}}}
traffic: [{for: 1s, rate: 1}]
)",
                          "test.yaml");
  EXPECT_TRUE(file.ok()) << file.error().message;
  return std::move(*file);
}

// Returns the tickets that have the user as their assignee, by their values.
std::vector<InstanceId> TicketsOf(const Population& population, std::uint64_t user) {
  std::vector<InstanceId> tickets;
  for (std::uint64_t number = 0; number < population.Count(kTicket); ++number) {
    const InstanceId ticket = {kTicket, number};
    const bool is_of_user =
        population.Has(ticket, kAssignee) &&
        population.Value(ticket, kAssignee) == population.Value({kUser, user}, kUserId);
    if (is_of_user) tickets.push_back(ticket);
  }
  return tickets;
}

void ExpectReferencesAreRight(Population& population) {
  for (std::uint64_t user = 0; user < population.Count(kUser); ++user) {
    std::vector<InstanceId> tickets;
    population.AppendReferring({kUser, user}, kAssignee, tickets);
    EXPECT_EQ(tickets, TicketsOf(population, user)) << user;
    for (const InstanceId ticket : tickets) {
      EXPECT_EQ(population.ReferredBy(ticket, kAssignee.attribute), (InstanceId{kUser, user}));
    }
  }
}

class ReferenceChanges : public ::testing::TestWithParam<const char*> {};

TEST_P(ReferenceChanges, AreFollowed) {
  const LabFile file = TicketFile(GetParam());
  Population population(file, 1);
  population.Change({kTicket, 2}, 1,
                    population.Value({kUser, 1}, kUserId));  // before the first call
  ExpectReferencesAreRight(population);
  for (std::uint64_t ticket = 0; ticket < 20; ticket += 3) {
    population.Change({kTicket, ticket}, 1, population.Value({kUser, ticket % 2}, kUserId));
  }
  population.Remove({kTicket, 3}, 1);
  ExpectReferencesAreRight(population);
  // What is created, and what refers to it.
  const InstanceId user = population.Create(kUser, {}, 0);
  const InstanceId ticket = population.Create(kTicket, {}, 0);
  population.Change(ticket, 1, population.Value(user, kUserId));
  population.Change({kTicket, 3}, 1, population.Value(user, kUserId));
  EXPECT_EQ(TicketsOf(population, user.number).size(), 2U);
  ExpectReferencesAreRight(population);
}

TEST_P(ReferenceChanges, AReferenceThatIsAbsentOrUnknownLeadsToNothing) {
  const LabFile file = TicketFile(GetParam());
  Population population(file, 1);
  int absent = 0;
  for (std::uint64_t number = 0; number < 20; ++number) {
    const InstanceId ticket = {kTicket, number};
    if (population.Has(ticket, kAssignee)) continue;
    ++absent;
    EXPECT_EQ(population.ReferredBy(ticket, 1), InstanceId());
  }
  EXPECT_GT(absent, 0);
  for (const char* const value : {"", "nobody", "0", "99999999999999999999", "-1", "000004"}) {
    population.Change({kTicket, 0}, 1, value);
    EXPECT_EQ(population.ReferredBy({kTicket, 0}, 1), InstanceId()) << value;
  }
}

INSTANTIATE_TEST_SUITE_P(Identities, ReferenceChanges,
                         ::testing::Values("{sequence: 6}", "{uuid: true}"));

}  // namespace
}  // namespace hashrange
