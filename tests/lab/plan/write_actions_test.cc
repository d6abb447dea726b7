// The values between a write of the file and its requests: what the caller knows, what is done to
// which items, and what has to be known for it.
#include "lab/plan/write_actions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "lab/language/lab_facts.h"
#include "plan_text.h"

namespace hashrange {
namespace {

std::string NamesOf(const LabFile& file, const std::vector<LabAttributeRef>& attributes) {
  std::string text;
  for (const LabAttributeRef one : attributes) {
    text += (text.empty() ? "" : ", ") + LabAttributeAt(file, one).name;
  }
  return text;
}

std::string KnowledgeText(const LabFile& file, const CallerKnowledge& known) {
  std::string text;
  for (const auto& [role, knowledge] : known) {
    text += "role " + std::to_string(role) + ": " +
            (knowledge.is_all ? "all" : NamesOf(file, knowledge.attributes)) + "\n";
  }
  return text;
}

std::string ActionText(const LabFile& file, const WriteAction& action) {
  static constexpr const char* kKinds[] = {"put ", "update ", "delete ", "check "};
  RequestTemplate members;
  action.expression.AppendMembers(members.nodes);
  return kKinds[static_cast<std::size_t>(action.kind)] + EntityAt(file, action.item->entity).name +
         " of role " + std::to_string(action.role) + ReadableRequest(file, members) + "\n";
}

std::string NoteText(const LabFile& file, const WriteNote& note) {
  if (const auto* const reason = std::get_if<WriteReason>(&note)) {
    return "+ " + reason->sentence + "\n";
  }
  const auto* const need = std::get_if<WriteNeed>(&note);
  if (need == nullptr) return "impossible: " + std::get<WriteObstacle>(note).sentence + "\n";
  return "needs " + (need->is_whole_item ? "the item" : NamesOf(file, need->attributes)) +
         " of role " + std::to_string(need->look_up.role) + ": " + need->why + "\n";
}

// Returns all values of the file's first pattern in its first layout.
std::string ValuesText(const LabFile& file) {
  const PlannerInput input = {file, file.layouts.front()};
  const FileModel numbers(file);
  const LayoutModel model(numbers, file.layouts.front());
  const WriteCall call = {input, model, 0};
  const CallerKnowledge known = KnowledgeOfCaller(call);
  const WriteActions done = ActionsOf(call, known);
  std::string text = KnowledgeText(file, known);
  for (const WriteAction& action : done.actions) text += ActionText(file, action);
  for (const auto& notes : done.notes) {
    for (const WriteNote& note : notes) text += NoteText(file, note);
  }
  return text;
}

LabFile FileOfOrders(const std::string& patterns) {
  return FileOf(R"(
lab: 1
entities:
  Customer: {count: 3, attributes: {customer_id: {sequence: 4}}}
  Order: {of: Customer, count: 2, attributes: {order_id: {uuid: true}, status: {choice: [OPEN, PAID]}, total: {constant: 5}}}
  Line: {of: Order, count: 2, attributes: {sku: {sequence: 4}}}
access_patterns:
)" + patterns + R"(
layouts:
  one:
    tables:
      shop:
        key: [PK, SK]
        indexes: {GSI1: {key: [GSI1PK, GSI1SK]}}
        items:
          Customer: {PK: "CUST#{customer_id}", SK: METADATA}
          Order: {PK: "ORDER#{order_id}", SK: METADATA, GSI1PK: "CUST#{customer_id}", GSI1SK: "{status}#{total}"}
          Line: {PK: "ORDER#{order_id}", SK: "LINE#{sku}"}
)");
}

// The item of the entity that stands first has no stock.
TEST(WriteActions, AConditionIsAboutTheItemThatHasItsAttribute) {
  const LabFile file = FileOf(R"(
lab: 1
entities:
  Product: {count: 3, attributes: {product_id: {sequence: 4}, text: {constant: a}, stock: {number: [1, 9]}}}
access_patterns:
  take: {update: Product, by: [product_id], add: {stock: -1}, if: {stock: {at_least: 1}}, rate: 1/s}
layouts:
  one:
    tables:
      shop:
        key: [PK, SK]
        items:
          Product:
            - {PK: "{product_id}", SK: PRODUCT, attributes: [product_id, text]}
            - {PK: "{product_id}", SK: STOCK, attributes: [stock]}
)");
  EXPECT_EQ(ValuesText(file),
            "role 0: product_id\n"
            "update Product of role 0"
            R"(,"UpdateExpression":"SET #n0 = #n0 + :v0")"
            R"(,"ConditionExpression":"attribute_exists(#n1) AND #n0 >= :v1")"
            R"(,"ExpressionAttributeNames":{"#n0":"stock","#n1":"PK"})"
            R"(,"ExpressionAttributeValues":{":v0":{"N":"-1"},":v1":{"N":"1"}})"
            "\n"
            "needs product_id of role 0: the key of its item in shop\n");
}

// What tells the subscriptions of a user from each other is a part of the value, which the caller
// knows, as a file's own number is not.
TEST(WriteActions, AKeyOfAllPartsKeepsAValueUniqueThatHasWhatIsDistinct) {
  const LabFile file = FileOf(R"(
lab: 1
entities:
  User: {count: 3, attributes: {user_id: {sequence: 4}}}
  Show: {count: 3, attributes: {show_id: {sequence: 4}}}
  Subscription:
    of: User
    count: 2
    distinct: show_id
    attributes: {show_id: {ref: Show.show_id}, subscription: "{user_id}#{show_id}"}
access_patterns:
  subscribe: {create: Subscription, unique: [subscription], rate: 1/s}
layouts:
  one:
    tables:
      subscriptions:
        key: [user_id, show_id]
        items: {Subscription: {}}
)");
  EXPECT_THAT(ValuesText(file),
              testing::HasSubstr("The item \"{user_id} / {show_id}\" keeps subscription unique."));
}

// A shift says its event, so the key is made of the booking.
TEST(WriteActions, AKeyMayHaveWhatFollowsFromTheParts) {
  const LabFile file = FileOf(R"(
lab: 1
entities:
  Event: {count: 3, attributes: {event_id: {sequence: 4}}}
  Shift: {of: Event, count: 3, attributes: {shift_id: {sequence: 5}}}
  Worker: {count: 3, attributes: {worker_id: {sequence: 4}}}
  Assignment:
    of: Shift
    count: 2
    distinct: worker_id
    attributes:
      assignment_id: {uuid: true}
      worker_id: {ref: Worker.worker_id}
      event_id: {of: Event.event_id}
      booking: "{shift_id}#{worker_id}"
access_patterns:
  assign: {create: Assignment, unique: [booking], rate: 1/s}
layouts:
  one:
    tables:
      events:
        key: [PK, SK]
        items: {Assignment: {PK: "{event_id}", SK: "{shift_id}#{worker_id}"}}
)");
  EXPECT_THAT(ValuesText(file),
              testing::HasSubstr("The item \"{event_id} / {shift_id}#{worker_id}\" keeps booking"));
}

// Nobody has two tickets of an event, so the admission needs no item of its own.
TEST(WriteActions, AKeyOfAllPartsKeepsAValueUnique) {
  const LabFile file = FileOf(R"(
lab: 1
entities:
  Event: {count: 3, attributes: {event_id: {sequence: 4}}}
  Guest: {count: 3, attributes: {guest_id: {sequence: 4}}}
  Ticket:
    of: Event
    count: 2
    distinct: guest_id
    attributes: {ticket_id: {uuid: true}, guest_id: {ref: Guest.guest_id}, admission: "{event_id}#{guest_id}"}
access_patterns:
  buy: {create: Ticket, unique: [admission], rate: 1/s}
layouts:
  one:
    tables:
      tickets:
        key: [guest_id, event_id]
        items: {Ticket: {}}
)");
  EXPECT_THAT(ValuesText(file),
              testing::HasSubstr("The item \"{guest_id} / {event_id}\" keeps admission unique."));
}

TEST(WriteActions, AnUpdateSaysWhatItsKeysNeed) {
  const LabFile file = FileOfOrders(R"(
  pay: {update: Order, by: [order_id], set: {status: PAID}, rate: 1/s}
  reprice: {update: Order, by: [order_id], set: {total: 7}, rate: 1/s})");
  EXPECT_EQ(
      ValuesText(file),
      "role 0: order_id\n"
      "update Order of role 0"
      R"(,"UpdateExpression":"SET #n0 = :v0, #n1 = :v1")"
      R"(,"ConditionExpression":"attribute_exists(#n2) AND #n3 = :v2")"
      R"(,"ExpressionAttributeNames":{"#n0":"status","#n1":"GSI1SK","#n2":"PK","#n3":"total"})"
      R"(,"ExpressionAttributeValues":{":v0":{"S":"PAID"},":v1":{"S":"PAID#{total}"},)"
      R"(":v2":{"N":"{total}"}})"
      "\n"
      "needs order_id of role 0: the key of its item in shop\n"
      "+ Moves the item in GSI1: its sort key has status.\n"
      "needs total of role 0: the sort key of GSI1\n"
      "+ The write has the condition that total is as read; where that fails, the caller reads and "
      "writes again.\n");
}

TEST(WriteActions, WhatIsCreatedIsKnown) {
  const LabFile file = FileOfOrders("  place: {create: Order, with: [Line], rate: 1/s}");
  EXPECT_EQ(ValuesText(file),
            "role 1: all\n"
            "role 2: all\n"
            "put Order of role 1"
            R"x(,"ConditionExpression":"attribute_not_exists(#n0)")x"
            R"(,"ExpressionAttributeNames":{"#n0":"PK"})"
            "\n"
            "put Line of role 2\n");
}

TEST(WriteActions, ChildrenThatAreDeletedAlongAreReadForTheirKeys) {
  const LabFile file =
      FileOfOrders("  cancel: {delete: Order, by: [order_id], with: [Line], rate: 1/s}");
  EXPECT_EQ(ValuesText(file),
            "role 0: order_id\n"
            "role 1: all\n"
            "delete Order of role 0"
            R"x(,"ConditionExpression":"attribute_exists(#n0)")x"
            R"(,"ExpressionAttributeNames":{"#n0":"PK"})"
            "\n"
            "delete Line of role 1\n"
            "needs order_id of role 0: the key \"ORDER#{order_id} / METADATA\"\n"
            "needs the item of role 0: Each Line is read first, because the caller does not know "
            "its key.\n");
}

TEST(WriteActions, NoUpdateRemovesWhatTheKeyOfTheItemIsMadeOf) {
  const LabFile file = FileOf(R"(
lab: 1
entities:
  Task: {count: 9, attributes: {task_id: {sequence: 4}, owner: {text: 5, present: 0.5}, title: {text: 9}}}
access_patterns:
  release: {update: Task, by: [task_id], remove: [owner], rate: 1/s}
layouts:
  one: {tables: {tasks: {key: [PK, SK], items: {Task: [{PK: "O#{owner}", SK: "{task_id}"}, {PK: "T#{task_id}", SK: T, attributes: [task_id]}]}}}}
)");
  EXPECT_EQ(ValuesText(file),
            "role 0: task_id\n"
            "impossible: The key of its item in tasks has owner, which the update removes: nothing "
            "would be left of the item.\n");
}

LabFile FileOfTasks(const std::string& patterns) {
  return FileOf(R"(
lab: 1
entities:
  Task: {count: 9, attributes: {task_id: {sequence: 4}, zone: {text: 5}, state: {choice: [NEW, DONE]}, due: {time: {ahead: 9d}, present: 0.5}}}
access_patterns:
)" + patterns + R"(
layouts:
  one:
    tables:
      tasks:
        key: [PK]
        indexes: {Due: {key: [DuePK, DueSK]}}
        items: {Task: {PK: "T#{task_id}", DuePK: "{zone}#{state}", DueSK: "{due}"}}
)");
}

TEST(WriteActions, NothingIsReadForTheKeyOfAnIndexThatTheItemLeaves) {
  const LabFile file = FileOfTasks(R"(
  finish: {update: Task, by: [task_id], set: {state: DONE}, remove: [due], rate: 1/s}
  again: {update: Task, by: [task_id], set: {state: NEW, due: {time: {ahead: 9d}}}, rate: 1/s})");
  EXPECT_EQ(ValuesText(file),
            "role 0: task_id\n"
            "update Task of role 0"
            R"(,"UpdateExpression":"SET #n0 = :v0 REMOVE #n1, #n2, #n3")"
            R"x(,"ConditionExpression":"attribute_exists(#n4)")x"
            R"(,"ExpressionAttributeNames":{"#n0":"state","#n1":"due","#n2":"DuePK","#n3":"DueSK",)"
            R"("#n4":"PK"})"
            R"(,"ExpressionAttributeValues":{":v0":{"S":"DONE"}})"
            "\n"
            "needs task_id of role 0: the key of its item in tasks\n"
            "+ Takes the item out of Due: its sort key depends on due.\n");
}

// The second update writes DueSK alone, so DuePK has to be right until then.
TEST(WriteActions, TheKeyOfAnIndexToWhichTheItemComesBackIsWritten) {
  const LabFile file = FileOfTasks(R"(
  finish: {update: Task, by: [task_id], set: {state: DONE}, remove: [due], rate: 1/s}
  plan: {update: Task, by: [task_id], set: {due: {time: {ahead: 9d}}}, rate: 1/s})");
  EXPECT_EQ(ValuesText(file),
            "role 0: task_id\n"
            "update Task of role 0"
            R"(,"UpdateExpression":"SET #n0 = :v0, #n2 = :v1 REMOVE #n1, #n3")"
            R"x(,"ConditionExpression":"attribute_exists(#n4)")x"
            R"(,"ExpressionAttributeNames":{"#n0":"state","#n1":"due","#n2":"DuePK","#n3":"DueSK",)"
            R"("#n4":"PK"})"
            R"(,"ExpressionAttributeValues":{":v0":{"S":"DONE"},":v1":{"S":"{zone}#DONE"}})"
            "\n"
            "needs task_id of role 0: the key of its item in tasks\n"
            "needs zone of role 0: the partition key of Due\n"
            "+ Takes the item out of Due: its sort key depends on due.\n");
}

}  // namespace
}  // namespace hashrange
