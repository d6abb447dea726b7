// Lab files that take milliseconds, for tests of commands.
#pragma once

namespace hashrange {

inline constexpr const char* kSmallLab = R"(lab: 1
entities: {Page: {count: 90, attributes: {id: {sequence: 4}, kind: {choice: [a, b]}}}}
access_patterns: {look: {get: Page, by: [id], rate: 20/s}, list: {query: Page, by: [kind], rate: 1/s}}
layouts:
  plain: {tables: {pages: {key: [id], items: {Page: {}}}}}
  by kind: {tables: {pages: {key: [id], indexes: {ByKind: {key: [kind, id]}}, items: {Page: {}}}}}
traffic: [{for: 20s, rate: 1}]
partitions: {read_units: 30, write_units: 30, new_table_read_units: 60, new_table_write_units: 60, quota_read_units: 60, quota_write_units: 60}
)";

// The pattern asks for a value that no entity has, which is worth a warning.
inline constexpr const char* kWarnedLab = R"(lab: 1
entities: {Page: {count: 9, attributes: {id: {sequence: 4}, kind: {choice: [a, b]}}}}
access_patterns: {look: {query: Page, by: [{kind: c}], rate: 1/s}}
layouts: {only: {tables: {pages: {key: [id], items: {Page: {}}}}}}
traffic: [{for: 1m, rate: 1}]
)";

}  // namespace hashrange
