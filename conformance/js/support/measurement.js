// A measurement of one account (docs/control-api.md, "measurements"), with its figures in a form in which tests compare them as a whole.

import { readFileSync } from 'node:fs'
import { afterAll } from 'vitest'
import { clientsOf, control, newAccount } from './control.js'
import { createTable } from './tables.js'
import { migrate } from './application.js'

/**
 * Measures what `traffic` does with the tables of an account. Returns `{ measurement, report }`: the measurement as it was when the traffic
 * had ended, and its report with these options. `scope` may name the `tables` that are measured.
 */
export async function measure(account, traffic, options = {}, scope = {}) {
  await control('POST', 'measurements', { name: account, account, ...scope })
  let report, measurement
  try {
    await traffic()
    report = await control('POST', `measurements/${account}/report`, { format: 'json', options })
  } finally {
    measurement = await control('DELETE', `measurements/${account}`)
  }
  return { measurement, report: report.measurements[0] }
}

const load = (name) => JSON.parse(readFileSync(new URL(`../../apps/${name}.json`, import.meta.url)))

/** Creates the table of one of the five applications, without items, under the application's name. */
export const createApplicationTable = (name, { db }) => createTable(db, { ...load(name).table, TableName: name })

/** Does the same, and stores the application's first items. */
export async function createApplication(name, clients) {
  await createApplicationTable(name, clients)
  await migrate(clients.doc, name, load(name).items)
}

/** An account that the file's tests use, with clients; its tables are deleted after them. */
export function useAccount() {
  const account = newAccount()
  afterAll(() => control('POST', 'reset', { account }))
  return { account, ...clientsOf(account) }
}

/** Calls `act` with 0, 1, …, one after another. */
export async function times(count, act) {
  for (let n = 0; n < count; ++n) await act(n)
}

const isNothing = (value) => value === undefined || value === 0 || (typeof value === 'object' && Object.keys(value).length === 0)
const withoutZeros = (figures) => Object.fromEntries(Object.entries(figures).filter(([, value]) => !isNothing(value)))
const byText = (a, b) => (a.text < b.text ? -1 : 1)
const byName = (list, figure) => withoutZeros(Object.fromEntries(list.map((each) => [each.index || each.name || 'table', figure(each)])))

/** Returns the access patterns, in the order of their texts. A figure that is 0 is left out; units are by index, or of the `table`. */
export function patternsOf({ patterns }) {
  return patterns.map((pattern) => withoutZeros({
    text: pattern.text,
    calls: pattern.calls,
    requests: pattern.requests - pattern.calls && pattern.requests,
    pagesP99: pattern.pages_a_call.p99,
    read: byName(pattern.units, ({ read_units }) => read_units),
    readP99: pattern.call.read_units.p99,
    written: byName(pattern.units, ({ write_units }) => write_units),
    writeP99: pattern.call.write_units.p99,
    examined: pattern.call.items_examined.sum,
    returned: pattern.call.items_returned.sum,
    missing: pattern.missing,
    empty: pattern.empty,
    inserted: pattern.inserted,
    changed: pattern.changed,
    removed: pattern.removed,
    moved: byName(pattern.index_moves, ({ moved }) => moved),
    errors: byName(pattern.errors, ({ count }) => count),
    failedConditions: pattern.failed_conditions,
    failedRead: pattern.failed_read_units,
    failedWritten: pattern.failed_write_units,
    replays: pattern.replays,
    conflicts: pattern.conflicts,
    throttles: byName(pattern.throttles, ({ count }) => count),
    unprocessed: pattern.unprocessed,
    abandoned: pattern.abandoned_unprocessed,
  })).sort(byText)
}

/** Returns the units of the table and of each index, the failed ones apart. */
export function unitsOf({ resources }) {
  return byName(resources, (resource) => withoutZeros({
    read: resource.read_units,
    written: resource.write_units,
    failedRead: resource.failed_read_units,
    failedWritten: resource.failed_write_units,
    throttled: resource.throttled,
  }))
}

/** Returns the entities, in the order of their keys: how many items are stored, how many of these are in each index, and what was done. */
export function entitiesOf({ entities }) {
  return entities.map((entity) => withoutZeros({
    text: `${entity.type}: ${entity.partition_key}, ${entity.sort_key}`,
    items: entity.items,
    in: Object.fromEntries(entity.indexes.map(({ index, partition_key, sort_key, items }) => [index, `${items}: ${partition_key}, ${sort_key}`])),
    inserted: entity.inserted,
    changed: entity.changed,
    removed: entity.removed,
    written: byName(entity.units, ({ write_units }) => write_units),
  })).sort(byText)
}

/** Returns the findings of a report, without the texts that are the same for all findings of a rule. */
export const findingsOf = ({ findings }) => findings.map(({ rule, severity, where, evidence, cost }) =>
  ({ rule, severity, where, evidence, ...(cost && { cost }) }))

/** Returns the first limit of a report. */
export const firstLimitOf = ({ first_limits }) => first_limits[0]

/** Queries until there is no further page. */
export async function queryAll(doc, request) {
  let ExclusiveStartKey
  do {
    ({ LastEvaluatedKey: ExclusiveStartKey } = await doc.query({ ...request, ExclusiveStartKey }))
  } while (ExclusiveStartKey)
}

/** Lets a write succeed only if there is no such item yet. */
export const NEW = { ConditionExpression: 'attribute_not_exists(PK)' }
