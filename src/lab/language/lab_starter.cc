#include "lab/language/lab_texts.h"

namespace hashrange {
namespace {

constexpr std::string_view kStarter =
    R"(# A lab: layouts of one application, side by side. Change this one to your application, then ask
#
#   hashrange lab explain lab.yaml   which requests serve each access pattern, and why
#   hashrange lab run lab.yaml       what each layout costs, and which part of it is full first
#   hashrange lab check lab.yaml     whether the limits at the end hold (exit code 1: they do not)
lab: 1 # the version of the language
seed: 1 # another seed gives other values; the same seed gives the same report

# What is stored, without keys. The first attribute of an entity identifies it.
entities:
  User:
    count: 2000
    attributes:
      user_id: {sequence: 6} # 000001, 000002, …
      email: "{user_id}@example.com" # a template: attributes in braces, always in quotes
      name: {text: [5, 25]} # 5 to 25 bytes
  Task:
    of: User # each User has Tasks, and a Task knows its user_id
    count: {zipf: 0.8, mean: 20, max: 1000} # few users have many tasks
    attributes:
      task_id: {ulid: created_at} # unique, and sorts by time
      created_at: {time: {past: 90d}} # in the 90 days before the simulation begins
      due_at: {time: {after: created_at, within: 14d}}
      state: {choice: {OPEN: 20, DONE: 80}} # values and their weights
      title: {text: [10, 80]}
      note: {text: {lognormal: [5, 1], max: 4000}, present: 0.3} # 30 % of the tasks have one

# What the application asks, without keys, too. `by` is all that the caller knows, and `returns` what
# it needs; without `returns`, it needs every attribute.
access_patterns:
  user: {get: User, by: [user_id], rate: 50/s, pick: zipf} # pick: some users are read more often
  tasks of a user:
    query: Task
    by: [user_id]
    order: -task_id # newest first
    limit: 25
    returns: [task_id, title, state]
    rate: 40/s
    pick: zipf
  open tasks of a user:
    query: Task
    by: [user_id, {state: OPEN}] # a value that the caller always gives
    order: due_at
    returns: [task_id, title, due_at]
    rate: 40/s
    pick: zipf
  sign up: {create: User, unique: [email], rate: 1/s} # nobody else may have the same e-mail address
  add a task: {create: Task, set: {state: OPEN}, rate: 10/s, pick: zipf}
  finish a task:
    update: Task
    by: [user_id, task_id]
    set: {state: DONE}
    if: {state: OPEN} # a condition on what is stored
    rate: 8/s
    pick: {where: {state: OPEN}} # only open tasks are finished

# The layouts that are compared: tables, their keys, and for each entity how the keys are made.
layouts:
  filter:
    tables:
      app:
        key: [PK, SK] # partition key and sort key
        billing: on_demand # or {read: 100, write: 50}
        items:
          User: # a list: a second item of each user reserves the e-mail address
            - {PK: "USER#{user_id}", SK: PROFILE}
            - {PK: "EMAIL#{email}", SK: EMAIL, attributes: [user_id]}
          Task: {PK: "USER#{user_id}", SK: "TASK#{task_id}"}
  sparse index:
    like: filter # all of it, and what follows on top; null would take something away
    tables:
      app:
        indexes:
          GSI1: {key: [GSI1PK, GSI1SK], projection: [task_id, title, due_at]}
        items:
          Task: # only open tasks have the index's keys, so the index has only those
            GSI1PK: {template: "OPEN#{user_id}", when: {state: OPEN}}
            GSI1SK: {template: "{due_at}", when: {state: OPEN}}

# How the rates go over the simulated time, as multiples of those above.
traffic:
  - {for: 3m, rate: 1}
  - {for: 2m, ramp: [1, 4]}

# What `lab check` holds: for all layouts, or for one by its name.
limits:
  "*": {throttled: 0.01, failed: 0.01}
  sparse index: {month_usd: 500}
)";

}  // namespace

std::string_view LabStarterText() { return kStarter; }

}  // namespace hashrange
